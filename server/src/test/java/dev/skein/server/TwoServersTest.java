package dev.skein.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.store.SessionStore;
import dev.skein.store.jdbc.JdbcOptions;
import dev.skein.store.jdbc.JdbcSessionStore;
import dev.skein.testkit.http.EventReader.Heard;
import dev.skein.testkit.http.PlainHttp;
import dev.skein.wire.Json;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Two servers that share nothing but a database, and clients that go from one to the other.
///
/// Short by default. `-Dskein.cuts=1000x20` takes 1,000 clients that are cut 20 times each, `-Dskein.keys=10000` so
/// many
/// keys; `-Dskein.seed=` another seed.
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class TwoServersTest {

    private static final long SEED = Long.getLong("skein.seed", 20261116L);
    private static final List<String> PROMPTS = List.of("count 60", "look 1", "count 40", "hello you", "count 90");
    private static final int CLIENTS_OF_A_SESSION = 10;
    private static final int KEYS_OF_A_SESSION = 100;
    private static final int SENDS = 3;
    private static final int SENDERS = 60;

    @TempDir
    Path home;

    private final List<SessionStore> stores = new ArrayList<>();
    private final List<TestServer> servers = new ArrayList<>();

    @BeforeEach
    void start() {
        for (int i = 0; i < 2; i++) {
            var store = JdbcSessionStore.open("sqlite:" + home.resolve("shared.db"), JdbcOptions.standard());
            stores.add(store);
            servers.add(new TestServer(
                    TestServer.OPTIONS.withHeartbeat(Duration.ofSeconds(2)), store, false, Duration.ofMinutes(5)));
        }
    }

    @AfterEach
    void stop() {
        servers.forEach(TestServer::close);
        stores.forEach(SessionStore::close);
    }

    @Test
    void clients_that_are_cut_at_any_byte_and_go_to_the_other_server_hear_everything_once() throws Exception {
        var size = System.getProperty("skein.cuts", "20x5").split("x");
        var clients = Integer.parseInt(size[0]);
        var cuts = Integer.parseInt(size[1]);
        var sessions = new ArrayList<String>();
        for (int i = 0; i < Math.ceilDiv(clients, CLIENTS_OF_A_SESSION); i++) {
            sessions.add(servers.getFirst().client("ann").create("{}"));
        }
        var cut = new AtomicInteger();

        List<List<Heard>> joined;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var reading = new ArrayList<Future<List<Heard>>>();
            for (int i = 0; i < clients; i++) {
                var session = sessions.get(i / CLIENTS_OF_A_SESSION);
                var random = TestServer.random(SEED + i);
                reading.add(threads.submit(() -> readWithCuts(session, random, cuts, cut)));
            }
            var running = new ArrayList<Future<Boolean>>();
            for (var session : sessions) {
                running.add(threads.submit(() -> runAll(session)));
            }
            all(running);
            joined = all(reading);
        }

        for (int i = 0; i < sessions.size(); i++) {
            var told = whole(sessions.get(i));
            assertThat(told.stream().filter(event -> event.name().equals("assistant_message_end")))
                    .hasSizeGreaterThanOrEqualTo(PROMPTS.size());
            for (int each = i * CLIENTS_OF_A_SESSION;
                    each < Math.min(clients, (i + 1) * CLIENTS_OF_A_SESSION);
                    each++) {
                assertThat(durable(joined.get(each)))
                        .as("seed " + (SEED + each))
                        .isEqualTo(durable(told));
                assertInOrder(joined.get(each));
            }
        }
        assertThat(cut.get()).as("cuts").isGreaterThan(clients * cuts / 2);
    }

    private boolean runAll(String session) {
        for (int i = 0; i < PROMPTS.size(); i++) {
            servers.get(i % 2)
                    .client("ann")
                    .post("/v1/sessions/" + session + "/completions", "{\"prompt\":\"" + PROMPTS.get(i) + "\"}")
                    .is(200);
        }
        return true;
    }

    /// Comes again with the id of the last whole event, to the other server, until it has heard of every run's end.
    private List<Heard> readWithCuts(String session, Random random, int cuts, AtomicInteger cut) throws IOException {
        var joined = new ArrayList<Heard>();
        var finished = 0;
        for (int attempt = 0; finished < PROMPTS.size(); attempt++) {
            var port = servers.get(attempt % 2).server.port();
            var headers = joined.isEmpty()
                    ? Map.<String, String>of()
                    : Map.of("Last-Event-ID", String.valueOf(joined.getLast().id()));
            try (var http = new PlainHttp(port, "ann")) {
                if (attempt < cuts) {
                    http.cutAfter(1 + random.nextInt(2_000));
                }
                var events = http.events("GET", "/v1/sessions/" + session + "/events", headers, null);
                for (var event = events.next(); event != null; event = events.next()) {
                    joined.add(event);
                    finished += event.name().equals("finished") ? 1 : 0;
                    if (finished == PROMPTS.size()) {
                        return joined;
                    }
                }
                throw new AssertionError("the stream ended by itself");
            } catch (EOFException | SocketException _) {
                cut.incrementAndGet();
            }
        }
        return joined;
    }

    private List<Heard> whole(String session) throws IOException {
        try (var http = new PlainHttp(servers.getLast().server.port(), "ann")) {
            var told = new ArrayList<Heard>();
            var events = http.events("GET", "/v1/sessions/" + session + "/events", Map.of(), null);
            for (var finished = 0; finished < PROMPTS.size(); ) {
                var event = events.next();
                assertThat(event).isNotNull();
                told.add(event);
                finished += event.name().equals("finished") ? 1 : 0;
            }
            return told;
        }
    }

    @Test
    void requests_sent_three_times_at_once_with_their_keys_happen_once_and_get_one_answer() throws Exception {
        var keys = Integer.getInteger("skein.keys", 60);
        var sessions = new ArrayList<String>();
        for (int i = 0; i < Math.ceilDiv(keys, KEYS_OF_A_SESSION); i++) {
            sessions.add(servers.getFirst().client("ann").create("{}"));
        }

        List<List<String>> answers;
        try (var threads =
                Executors.newFixedThreadPool(SENDERS / SENDS, Thread.ofVirtual().factory())) {
            var sending = new ArrayList<Future<List<String>>>();
            for (int i = 0; i < keys; i++) {
                var number = i;
                // Neighbours are of different sessions: those of one would only wait for each other.
                sending.add(threads.submit(() -> sendThrice(sessions.get(number % sessions.size()), number)));
            }
            answers = all(sending);
        }

        for (var same : answers) {
            assertThat(same).hasSize(SENDS).containsOnly(same.getFirst());
        }
        assertThat(answers.stream().map(List::getFirst).distinct()).hasSize(keys);
        var loops = 0;
        for (var session : sessions) {
            var shown = servers.getLast()
                    .client("ann")
                    .get("/v1/sessions/" + session)
                    .json();
            loops += shown.path("loop_count").asInt();
        }
        assertThat(loops).isEqualTo(keys);
        assertThat(servers.stream().mapToInt(server -> server.model.asked.get()).sum())
                .isEqualTo(keys);
    }

    private List<String> sendThrice(String session, int number) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var sending = new ArrayList<Future<String>>();
            for (int i = 0; i < SENDS; i++) {
                var port = servers.get((number + i) % 2).server.port();
                sending.add(threads.submit(() -> send(port, session, number)));
            }
            return all(sending);
        }
    }

    private static String send(int port, String session, int number) throws IOException {
        try (var http = new PlainHttp(port, "ann")) {
            var answer = http.ask(
                    "POST",
                    "/v1/sessions/" + session + "/completions",
                    Map.of("Idempotency-Key", "key-" + number),
                    "{\"prompt\":\"say answer " + number + "\"}");
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            assertThat(Json.MAPPER.readTree(answer.body()).path("final_message").asString(""))
                    .isEqualTo("answer " + number);
            return answer.body();
        }
    }

    private static <T> List<T> all(List<Future<T>> futures) throws Exception {
        var results = new ArrayList<T>();
        for (var future : futures) {
            results.add(((Callable<T>) future::get).call());
        }
        return results;
    }

    private static List<Heard> durable(List<Heard> events) {
        return events.stream()
                .filter(event -> !String.valueOf(event.id()).contains("."))
                .toList();
    }

    /// Every id is larger than the one before: nothing twice, nothing out of order.
    private static void assertInOrder(List<Heard> events) {
        long[] last = {0, 0};
        for (var event : events) {
            var parts = String.valueOf(event.id()).split("\\.");
            var seq = Long.parseLong(parts[0]);
            var sub = parts.length == 1 ? 0 : Long.parseLong(parts[1]);
            assertThat(seq > last[0] || (seq == last[0] && sub > last[1]))
                    .as(event.id() + " after " + last[0] + "." + last[1])
                    .isTrue();
            last[0] = seq;
            last[1] = sub;
        }
    }
}
