package dev.skein.server.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.server.auth.Grant;
import dev.skein.server.limit.Rate;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How much gets through, and how fast it must be.
class LimitsTest {

    private static final GateOptions QUICK =
            GateOptions.STANDARD.withTimes(Duration.ofSeconds(1), Duration.ofSeconds(2));

    @TempDir
    Path home;

    @Test
    void one_caller_who_asks_too_often_is_told_to_wait_and_others_are_not() throws Exception {
        try (var server =
                new GateServer(home, GateOptions.STANDARD.withRates(new Rate(0.001, 3), new Rate(0.001, 1_000)))) {
            var ann = server.newKey("ann", Grant.READ_SESSIONS);
            var annsOther = server.newKey("ann", Grant.READ_SESSIONS);
            var bob = server.newKey("bob", Grant.READ_SESSIONS);
            server.gate.reload(GateOptions.STANDARD.withRates(new Rate(0.001, 3), new Rate(0.001, 1_000)));
            for (int i = 0; i < 3; i++) {
                assertThat(server.get("/v1/sessions/x", ann).statusCode()).isEqualTo(200);
            }

            var refused = server.get("/v1/sessions/x", annsOther);

            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.body()).contains("limit.rate");
            assertThat(Long.parseLong(
                            refused.headers().firstValue("Retry-After").orElseThrow()))
                    .isBetween(1L, 1_000L);
            assertThat(server.get("/v1/sessions/x", bob).statusCode()).isEqualTo(200);
            assertThat(server.meters.scrape()).contains("rate_limit_rejections_total{reason=\"rate\"} 1.0");
        }
    }

    @Test
    void wrong_keys_from_one_address_are_limited_and_right_ones_are_not() throws Exception {
        try (var server =
                new GateServer(home, GateOptions.STANDARD.withRates(new Rate(100, 100), new Rate(0.001, 5)))) {
            var codes = new ArrayList<Integer>();
            for (int i = 0; i < 8; i++) {
                codes.add(server.get("/v1/sessions/x", "wrong" + i).statusCode());
            }

            assertThat(codes).containsExactly(401, 401, 401, 401, 401, 429, 429, 429);
            assertThat(server.get("/v1/sessions/x", server.localToken).statusCode())
                    .isEqualTo(200);
            assertThat(server.meters.scrape()).contains("auth_failures_total{reason=\"bad_key\"} 5.0");
        }
    }

    @Test
    void attack_22_streams_of_one_key_are_limited_and_others_go_on() throws Exception {
        try (var server = new GateServer(home, GateOptions.STANDARD.withAtOnce(5, 100))) {
            var ann = server.newKey("ann", Grant.READ_SESSIONS);
            server.gate.reload(GateOptions.STANDARD.withAtOnce(5, 100));
            var streams = new ArrayList<InputStream>();
            var refused = 0;
            for (int i = 0; i < 20; i++) {
                var answer = server.client.send(
                        server.request("/v1/events", ann).build(), HttpResponse.BodyHandlers.ofInputStream());
                if (answer.statusCode() == 200) {
                    streams.add(answer.body());
                } else {
                    assertThat(answer.statusCode()).isEqualTo(429);
                    assertThat(answer.headers().firstValue("Retry-After")).isPresent();
                    refused++;
                }
            }

            assertThat(streams).hasSize(5);
            assertThat(refused).isEqualTo(15);
            assertThat(server.get("/v1/sessions/x", server.localToken).statusCode())
                    .isEqualTo(200);
            for (var stream : streams) {
                stream.close();
            }
            server.await(() -> statusOf(server, ann) == 200);
        }
    }

    @Test
    void all_callers_together_are_limited_and_health_still_answers() throws Exception {
        try (var server = new GateServer(home, GateOptions.STANDARD.withAtOnce(10, 2))) {
            var waiting = IntStream.range(0, 2)
                    .mapToObj(_ -> server.client.sendAsync(
                            server.request("/v1/wait", server.localToken).build(),
                            HttpResponse.BodyHandlers.ofString()))
                    .toList();
            server.await(() -> server.reached.get() == 2);

            var refused = server.get("/v1/sessions/x", server.localToken);
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.body()).contains("limit.server_busy");
            assertThat(server.send(server.request("/healthz/live")).statusCode())
                    .isEqualTo(200);

            server.hold.countDown();
            for (var each : waiting) {
                assertThat(each.get(60, TimeUnit.SECONDS).body()).isEqualTo("done");
            }
        }
    }

    @Test
    void attack_11_a_body_beyond_the_limit_is_413_whether_announced_or_not() throws Exception {
        try (var server =
                new GateServer(home, GateOptions.STANDARD.withSizes(new GateOptions.Sizes(1_000, 64, 16_384, 8_192)))) {
            var announced =
                    server.request("/v1/sessions", server.localToken).POST(BodyPublishers.ofByteArray(new byte[1_001]));
            assertThat(server.send(announced).statusCode()).isEqualTo(413);
            var fits =
                    server.request("/v1/sessions", server.localToken).POST(BodyPublishers.ofByteArray(new byte[1_000]));
            assertThat(server.send(fits).body()).isEqualTo("1000");
            try (var raw = server.raw()) {
                var answer = raw.say("POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                                + server.localToken + "\r\nTransfer-Encoding: chunked\r\n\r\n")
                        .say("200\r\n" + "x".repeat(512) + "\r\n")
                        .say("200\r\n" + "x".repeat(512) + "\r\n")
                        .answer();
                assertThat(answer)
                        .startsWith("HTTP/1.1 413")
                        .contains("request.too_large")
                        .contains("request_id");
            }
        }
    }

    @Test
    void bombs_of_headers_and_lines_are_refused() throws Exception {
        try (var server = new GateServer(home, GateOptions.STANDARD)) {
            var start = "GET / HTTP/1.1\r\nHost: localhost\r\n";
            for (var bomb : List.of(
                    "GET /" + "a".repeat(100_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n",
                    start + "X: " + "a".repeat(100_000) + "\r\n\r\n",
                    start + "X: y\r\n".repeat(5_000) + "\r\n",
                    start
                            + IntStream.range(0, 100)
                                    .mapToObj(i -> "X" + i + ": y\r\n")
                                    .reduce("", String::concat) + "\r\n",
                    "NONSENSE\r\n\r\n",
                    "GET / HTTP/1.1\r\n\r\n",
                    start + "A\u0000b: c\r\n\r\n",
                    start + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n")) {
                try (var raw = server.raw()) {
                    String answer;
                    try {
                        answer = raw.say(bomb).answer();
                    } catch (java.net.SocketException _) {
                        // It was closed before the end of the bomb.
                        continue;
                    }
                    assertThat(answer).matches("(?s)(HTTP/1.1 4[0-9][0-9] .*)?");
                }
            }
            assertThat(server.send(server.request("/")).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void attack_21_who_sends_or_reads_slowly_is_cut_off_and_others_do_not_notice() throws Exception {
        try (var server = new GateServer(home, QUICK)) {
            var slow = new ArrayList<CompletableFuture<Void>>();
            var key = "Authorization: Bearer " + server.localToken + "\r\n";
            for (int i = 0; i < 20; i++) {
                slow.add(run(server, "GET", "x", "GET /"));
                slow.add(run(server, "header", "X: y\r\n", "GET / HTTP/1.1\r\nHost: localhost\r\n"));
                slow.add(run(
                        server,
                        "body",
                        "x",
                        "POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\n" + key + "Content-Length: 100000\r\n\r\n"));
                slow.add(run(
                        server,
                        "chunk",
                        "1\r\nx\r\n",
                        "POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\n" + key
                                + "Transfer-Encoding: chunked\r\n\r\n"));
            }
            // Who says nothing at all, and who asks and never reads.
            try (var silent = server.raw();
                    var deaf = server.raw()) {
                deaf.say("GET /v1/big HTTP/1.1\r\nHost: localhost\r\n" + key + "\r\n");
                assertThat(server.get("/v1/sessions/x", server.localToken).statusCode())
                        .isEqualTo(200);
                assertThat(silent.rest()).isEmpty();
                for (var each : slow) {
                    each.get(60, TimeUnit.SECONDS);
                }
                server.await(() -> server.meters.scrape().contains("http_requests_in_flight 0.0"));
                assertThat(deaf.rest().length()).isLessThan(GateServer.BIG.length());
            }
            assertThat(server.get("/v1/sessions/x", server.localToken).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void who_is_refused_again_and_again_and_never_reads_is_cut_off() throws Exception {
        try (var server = new GateServer(home, QUICK);
                var deaf = server.raw()) {
            var refused = "GET /v1/sessions/x HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(100);
            var cutOff = new CompletableFuture<Void>();
            Thread.ofVirtual().start(() -> {
                try {
                    while (true) {
                        deaf.say(refused);
                    }
                } catch (IOException _) {
                    cutOff.complete(null);
                }
            });

            cutOff.get(60, TimeUnit.SECONDS);
            assertThat(server.get("/v1/sessions/x", server.localToken).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void a_body_that_nobody_asked_for_is_no_request() throws Exception {
        try (var server = new GateServer(home, GateOptions.STANDARD)) {
            var key = "Host: localhost\r\nAuthorization: Bearer " + server.localToken + "\r\n";
            var hidden = "DELETE /v1/sessions/x HTTP/1.1\r\n" + key + "\r\n";
            for (var request : List.of("GET /v1/sessions/x", "DELETE /v1/sessions/x", "GET /", "GET /nowhere")) {
                try (var raw = server.raw()) {
                    var reached = server.reached.get();
                    var answers = raw.say(request + " HTTP/1.1\r\n" + key + "Expect: 100-continue\r\nContent-Length: "
                                    + hidden.length() + "\r\n\r\n" + hidden)
                            .rest();

                    assertThat(answers.split("HTTP/1.1 ", -1)).as(request).hasSizeLessThanOrEqualTo(2);
                    assertThat(server.reached.get() - reached).as(request).isLessThanOrEqualTo(1);
                }
            }
        }
    }

    @Test
    void an_answer_to_head_has_no_body_and_the_connection_goes_on() throws Exception {
        try (var server = new GateServer(home, GateOptions.STANDARD);
                var raw = server.raw()) {
            for (var path : List.of("/", "/v1/sessions/x", "/nowhere", "/healthz/live", "/healthz/ready")) {
                var answer = raw.say("HEAD " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n"
                                + "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
                        .answer();
                var next = raw.answer();

                assertThat(answer).as(path).startsWith("HTTP/1.1 " + (path.startsWith("/healthz") ? "200" : "4"));
                assertThat(next).as("after " + path).startsWith("HTTP/1.1 200").endsWith("<p>hello");
            }
        }
    }

    @Test
    void pages_of_listed_origins_may_ask_and_proxies_of_ours_are_believed() throws Exception {
        var options = GateOptions.STANDARD.withHosts(
                Set.of("skein.example"), Set.of("https://app.example"), Set.of(InetAddress.ofLiteral("127.0.0.1")));
        try (var server = new GateServer(home, options);
                var raw = server.raw()) {
            var preflight = raw.say(preflight("https://app.example")).answer();
            assertThat(preflight)
                    .startsWith("HTTP/1.1 204")
                    .containsIgnoringCase("access-control-allow-origin: https://app.example")
                    .containsIgnoringCase("vary: origin")
                    .doesNotContainIgnoringCase("allow-credentials");
            var asked = raw.say("GET /v1/sessions/x HTTP/1.1\r\nHost: skein.example:443\r\nAuthorization: Bearer "
                            + server.localToken + "\r\nOrigin: https://app.example\r\n"
                            + "X-Forwarded-For: 6.6.6.6, 203.0.113.9\r\n\r\n")
                    .answer();
            assertThat(asked)
                    .startsWith("HTTP/1.1 200")
                    .containsIgnoringCase("access-control-allow-origin: https://app.example")
                    .contains("local 203.0.113.9 ");
            var evil = raw.say(preflight("https://evil.example")).answer();
            assertThat(evil).startsWith("HTTP/1.1 403");
        }
    }

    private static CompletableFuture<Void> run(GateServer server, String what, String piece, String beginning) {
        var done = new CompletableFuture<Void>();
        Thread.ofVirtual().name(what).start(() -> {
            try (var raw = server.raw()) {
                raw.say(beginning).sayUntilClosed(piece, 100);
                done.complete(null);
            } catch (Exception e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }

    private static int statusOf(GateServer server, String key) {
        try {
            return server.get("/v1/sessions/x", key).statusCode();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String preflight(String origin) {
        return "OPTIONS /v1/sessions HTTP/1.1\r\nHost: skein.example\r\nOrigin: " + origin
                + "\r\nAccess-Control-Request-Method: POST\r\n\r\n";
    }
}
