package dev.skein.server.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.server.auth.Grant;
import dev.skein.server.auth.KeyFile;
import dev.skein.server.limit.Rate;
import dev.skein.wire.Json;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Who gets through. The numbers are those of the list of attacks.
class AccessTest {

    @TempDir
    Path home;

    private GateServer server;

    @BeforeEach
    void start() {
        server = new GateServer(home, GateOptions.STANDARD);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void attack_1_without_a_key_nothing_but_health_answers_and_no_body_is_read() throws Exception {
        for (var path : List.of("/v1/sessions/x", "/v1/events", "/metrics", "/nowhere", "/v1/hidden")) {
            assertThat(server.send(server.request(path)).statusCode()).as(path).isEqualTo(401);
        }
        assertThat(server.send(server.request("/healthz/live")).statusCode()).isEqualTo(200);
        assertThat(server.send(server.request("/healthz/ready")).statusCode()).isEqualTo(200);
        try (var raw = server.raw()) {
            // The body is announced and never sent.
            var answer = raw.say("POST /v1/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n")
                    .rest();
            assertThat(answer).startsWith("HTTP/1.1 401").containsIgnoringCase("connection: close");
        }
        assertThat(server.reached).hasValue(0);
    }

    @Test
    void every_401_has_the_same_bytes_whatever_is_wrong() throws Exception {
        var revoked = server.newKey("ann", Grant.READ_SESSIONS);
        server.keys.revoke(revoked.split("_")[1], Clock.systemUTC());
        server.gate.reload(GateOptions.STANDARD);
        var bodies = new TreeSet<String>();
        for (var header : List.of("", "Bearer ", "Bearer nonsense", "Basic YTpi", "Bearer " + revoked)) {
            var answer = server.send(server.request("/v1/sessions/x")
                    .header("Authorization", header)
                    .header("X-Request-Id", "same"));
            assertThat(answer.statusCode()).as(header).isEqualTo(401);
            assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer");
            bodies.add(answer.body());
        }

        assertThat(bodies).hasSize(1);
        var error = Json.MAPPER.readTree(bodies.first()).get("error");
        assertThat(error.get("code").asString()).isEqualTo("auth.required");
        assertThat(error.get("request_id").asString()).isEqualTo("same");
    }

    @Test
    void a_key_opens_what_it_grants_and_nothing_else() throws Exception {
        var reader = server.newKey("ann", Grant.READ_SESSIONS);
        server.gate.reload(GateOptions.STANDARD);

        assertThat(server.get("/v1/sessions/x", reader).body()).startsWith("ann 127.0.0.1 ");
        var refused = server.send(server.request("/v1/sessions/x", reader).DELETE());
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains("auth.forbidden").contains("write:sessions");
        assertThat(server.get("/metrics", reader).statusCode()).isEqualTo(403);
        assertThat(server.get("/metrics", server.localToken).statusCode()).isEqualTo(200);
    }

    @Test
    void what_no_rule_knows_is_reached_by_nobody_though_a_handler_is_there() throws Exception {
        var answer = server.get("/v1/hidden", server.localToken);

        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(answer.body()).contains("request.not_found");
    }

    @Test
    void attack_5_a_revoked_key_is_refused_within_a_second_and_its_streams_end() throws Exception {
        var key = server.newKey("ann", Grant.READ_SESSIONS);
        server.gate.reload(GateOptions.STANDARD);
        var stream = server.client.send(
                server.request("/v1/events", key).build(), HttpResponse.BodyHandlers.ofInputStream());
        assertThat(stream.body().read()).isPositive();

        // As another process would.
        new KeyFile(home.resolve("keys.yaml")).revoke(key.split("_")[1], Clock.systemUTC());

        assertThat(stream.body().readAllBytes()).isNotEmpty();
        // The stream ended because the keys were read again.
        assertThat(server.get("/v1/sessions/x", key).statusCode()).isEqualTo(401);
    }

    @Test
    void attack_6_keys_are_in_no_file_no_answer_and_no_log() throws Exception {
        var key = server.newKey("ann", Grant.READ_SESSIONS);
        server.gate.reload(GateOptions.STANDARD);
        var secret = key.substring(key.lastIndexOf('_') + 1);
        var answers = server.get("/v1/sessions/" + key, key).body()
                + server.get("/nowhere/" + key, key).body()
                + server.send(server.request("/v1/sessions/" + key, key + "x").DELETE())
                        .body()
                + server.send(server.request("/v1/sessions/" + key, server.localToken)
                                .DELETE())
                        .body();
        server.close();

        assertThat(answers).doesNotContain(secret);
        try (var files = Files.walk(home)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file)).as(file.toString()).doesNotContain(secret);
            }
        }
        assertThat(Files.readString(home.resolve("audit.log"))).contains("[REDACTED:skein]");
    }

    @Test
    void attack_8_forged_host_origin_and_forwarded_headers_are_not_believed() throws Exception {
        assertThat(ask("Host: evil.example")).startsWith("HTTP/1.1 421").contains("auth.host_refused");
        assertThat(ask("Host: localhost.evil.example:80")).startsWith("HTTP/1.1 421");
        assertThat(ask("Host: localhost", "Host: evil.example")).matches("(?s)HTTP/1.1 4(00|21).*");
        assertThat(ask("Host: localhost", "Origin: null"))
                .startsWith("HTTP/1.1 403")
                .contains("auth.origin_refused");
        assertThat(ask("Host: localhost", "X-Forwarded-For: 10.1.2.3", "X-Forwarded-Host: evil"))
                .startsWith("HTTP/1.1 200")
                .contains("local 127.0.0.1 ");
        assertThat(ask("Host: localhost", "Authorization: Bearer other")).startsWith("HTTP/1.1 401");
    }

    @Test
    void attack_9_a_page_behind_another_name_gets_nothing_and_no_origin_is_reflected() throws Exception {
        assertThat(ask("Host: rebound.example:3400", "Origin: http://rebound.example:3400"))
                .startsWith("HTTP/1.1 421")
                .doesNotContainIgnoringCase("access-control");
        assertThat(ask("Host: localhost:3400", "Origin: http://rebound.example:3400"))
                .startsWith("HTTP/1.1 403")
                .doesNotContainIgnoringCase("access-control");
        assertThat(ask("Host: localhost:3400", "Origin: http://localhost:3400"))
                .startsWith("HTTP/1.1 200")
                .doesNotContainIgnoringCase("access-control");
    }

    @Test
    void attack_10_a_form_of_another_site_does_nothing() throws Exception {
        var form = server.request("/v1/sessions", server.localToken)
                .header("Content-Type", "text/plain")
                .POST(BodyPublishers.ofString("{}"));
        assertThat(server.send(form).statusCode()).isEqualTo(415);
        var withCookie = server.request("/v1/sessions")
                .header("Cookie", "token=" + server.localToken)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{}"));
        assertThat(server.send(withCookie).statusCode()).isEqualTo(401);
        assertThat(server.reached).hasValue(0);
    }

    @Test
    void attack_15_paths_that_could_be_read_in_two_ways_are_refused() throws Exception {
        for (var path : List.of(
                "/v1/sessions/..",
                "/v1/sessions/%2e%2e",
                "/v1/sessions/a%2fb",
                "/v1/sessions/a%5Cb",
                "/v1/sessions/a%00",
                "/v1/sessions/a%0d%0aX: y",
                "/v1//sessions/a",
                "/v1/sessions/../sessions/a",
                "/healthz/live/../../v1/sessions/a",
                "/v1/sessions/a;b=c",
                "/v1/sessions/a%252e")) {
            try (var raw = server.raw()) {
                var answer = raw.say("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                                + server.localToken + "\r\nConnection: close\r\n\r\n")
                        .rest();
                assertThat(answer).as(path).matches("(?s)HTTP/1.1 (400|404).*");
            }
        }
        assertThat(server.reached).hasValue(0);
    }

    @Test
    void every_answer_tells_browsers_to_be_careful_and_names_its_request() throws Exception {
        for (HttpRequest.Builder request : List.of(
                server.request("/"),
                server.request("/nowhere"),
                server.request("/v1/sessions/x", server.localToken),
                server.request("/v1/defect", server.localToken),
                server.request("/healthz/live"))) {
            var headers = server.send(request).headers();
            assertThat(headers.firstValue("Content-Security-Policy").orElseThrow())
                    .contains("default-src 'none'")
                    .contains("frame-ancestors 'none'")
                    .doesNotContain("unsafe-inline");
            assertThat(headers.firstValue("X-Content-Type-Options")).contains("nosniff");
            assertThat(headers.firstValue("Cache-Control")).contains("no-store");
            assertThat(headers.firstValue("Referrer-Policy")).contains("no-referrer");
            assertThat(headers.firstValue("X-Request-Id").orElse("")).isNotBlank();
        }
    }

    @Test
    void a_sane_request_id_is_kept_and_any_other_replaced() throws Exception {
        var kept =
                server.send(server.request("/v1/sessions/x", server.localToken).header("X-Request-Id", "abc-1.2_3"));
        assertThat(kept.headers().firstValue("X-Request-Id")).contains("abc-1.2_3");
        assertThat(kept.body()).endsWith(" abc-1.2_3");
        for (var odd : List.of("a b", "x".repeat(101), "<script>", "a,b")) {
            var answer = server.send(server.request("/").header("X-Request-Id", odd));
            assertThat(answer.headers().firstValue("X-Request-Id").orElseThrow())
                    .isNotEqualTo(odd)
                    .hasSize(36);
        }
    }

    @Test
    void a_defect_in_a_route_tells_nothing_of_the_inside() throws Exception {
        var answer = server.get("/v1/defect", server.localToken);

        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body()).contains("internal.unexpected").doesNotContain("secret inside");
    }

    @Test
    void refusals_fill_no_log_and_networks_count_as_one() throws Exception {
        server.gate.reload(GateOptions.STANDARD.withRates(new Rate(100, 100), new Rate(0.0001, 5)));
        for (int i = 0; i < 20; i++) {
            ask("Host: evil.example");
        }
        server.close();

        var lines = Files.readAllLines(home.resolve("audit.log"));
        assertThat(lines.getFirst()).contains("settings.reload");
        assertThat(lines.subList(1, lines.size())).hasSize(5).allMatch(line -> line.contains("auth.host_refused"));
        assertThat(Admission.network("2001:db8:1:2:3::4")).isEqualTo(Admission.network("2001:db8:1:2:ffff::1"));
        assertThat(Admission.network("2001:db8:1:3::4")).isNotEqualTo(Admission.network("2001:db8:1:2::4"));
        assertThat(Admission.network("10.0.0.1")).isEqualTo("10.0.0.1");
    }

    private String ask(String... headers) throws Exception {
        try (var raw = server.raw()) {
            var authorization = String.join("\n", headers).contains("Authorization")
                    ? ""
                    : "Authorization: Bearer " + server.localToken + "\r\n";
            return raw.say("GET /v1/sessions/x HTTP/1.1\r\n" + String.join("\r\n", headers) + "\r\n" + authorization
                            + "Connection: close\r\n\r\n")
                    .rest();
        }
    }
}
