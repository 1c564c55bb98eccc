package dev.skein.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.session.LoopEvent;
import dev.skein.session.LoopStatus;
import dev.skein.session.Scope;
import dev.skein.session.SessionId;
import dev.skein.store.SessionHandle;
import dev.skein.wire.Json;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Three servers on one PostgreSQL are as good as one, whatever happens to any of them.
@Timeout(300)
@DisabledIfEnvironmentVariable(named = "SKEIN_TEST_POSTGRES_URL", matches = ".+", disabledReason = "not ours to kill")
class NodesTest {

    private static final int WORDS = Integer.getInteger("skein.nodes.words", 3);
    private static final int DATABASE_KILLS = Integer.getInteger("skein.nodes.kills", 1);
    private static final int RESTARTS = Integer.getInteger("skein.nodes.restarts", 1);
    private static final String COUNT_SLOWLY = "{\"prompt\":\"count to 300 slowly\",\"stream\":true}";
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    static Path directory;

    private static Nodes nodes;

    @BeforeAll
    static void start() throws IOException {
        nodes = new Nodes(directory, 3);
    }

    @AfterAll
    static void end() throws IOException {
        nodes.close();
    }

    @BeforeEach
    void all_are_up() {
        nodes.revive();
    }

    @Test
    void thirty_clients_lose_repeat_and_mix_no_turn_and_read_what_they_wrote() throws Exception {
        try (var talkers = new Talkers(nodes, 10)) {
            talkers.start(30, WORDS, 1).await().judge();

            assertThat(talkers.loops()).hasSize(30 * WORDS).allMatch(loop -> loop.status() == LoopStatus.COMPLETED);
            assertThat(talkers.failures).isEmpty();
        }
    }

    @Test
    void a_stream_of_one_node_hears_a_run_on_another_and_is_taken_up_at_a_third() throws Exception {
        var session = newSession();
        try (var stream = nodes.get(0).follow(session + "/events", "0")) {
            nodes.get(1).post(session + "/completions", "{\"prompt\":\"hello\"}");

            var heard = stream.until(event -> event.name().equals("finished"));
            assertThat(heard).extracting(ServeProcess.Event::name).contains("started", "assistant_message_end");
            nodes.get(1).post(session + "/completions", "{\"prompt\":\"again\"}");
            try (var more =
                    nodes.get(2).follow(session + "/events", heard.getLast().id())) {
                heard.addAll(more.until(event -> event.name().equals("finished")));
            }
            var ids = heard.stream().map(ServeProcess.Event::id).toList();
            assertThat(ids).doesNotHaveDuplicates();
            assertThat(heard.stream().filter(event -> event.name().equals("finished")))
                    .hasSize(2);
            try (var whole = nodes.get(1).follow(session + "/events", "0")) {
                whole.until(event -> event.id().equals(ids.getLast()));
                assertThat(whole.heard).extracting(ServeProcess.Event::id).containsExactlyElementsOf(ids);
            }
        }
    }

    @Test
    void what_waits_for_a_yes_gets_it_at_any_node() throws Exception {
        var session = newSession();
        var asked = nodes.get(0)
                .post(
                        session + "/completions",
                        "{\"prompt\":\"call write {\\\"path\\\":\\\"a.txt\\\",\\\"content\\\":\\\"x\\\"}\"}");
        assertThat(asked.path("status").asString()).as(asked.toString()).isEqualTo("waiting");

        var call = nodes.get(1)
                .get(session + "/approvals")
                .path("approvals")
                .path(0)
                .path("call")
                .asString();
        var given = nodes.get(1).post(session + "/approvals/" + call, "{\"approved\":true}");
        assertThat(given.path("waiting").asInt(-1)).as(given.toString()).isZero();
        var done = nodes.get(2).post(session + "/continue", "{}");

        assertThat(done.path("status").asString()).as(done.toString()).isEqualTo("completed");
        assertThat(directory.resolve("node2/a.txt")).exists();
    }

    @Test
    void a_run_and_whoever_waits_for_it_are_cancelled_from_another_node() throws Exception {
        var session = newSession();
        try (var running = nodes.get(0).stream(session + "/completions", COUNT_SLOWLY)) {
            running.until(event -> event.name().equals("assistant_delta"));
            var waiting = later(
                    () -> nodes.get(1).send(session + "/completions", null, "{\"prompt\":\"count to 300 slowly\"}"));

            assertThat(nodes.get(2)
                            .post(session + "/cancel", "{}")
                            .path("cancelled")
                            .asInt())
                    .isEqualTo(1);
            var last = running.until(event -> event.name().equals("finished")).getLast();
            assertThat(last.data().path("status").asString()).isEqualTo("aborted");
            assertThat(last.data().path("reason").asString()).contains("cancelled by request");
            while (!waiting.isDone()) {
                nodes.get(2).post(session + "/cancel", "{}");
            }
            assertThat(waiting.join().body()).contains("cancelled by request");
        }
        // Who was cancelled lets go of the session only after the answer; then there is nothing left to cancel.
        while (nodes.get(2).post(session + "/cancel", "{}").path("cancelled").asInt(-1) != 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void a_key_is_the_same_key_on_every_node() throws Exception {
        var session = newSession();
        for (int round = 0; round < 5; round++) {
            var key = "key-" + round;
            var asked = new ArrayList<CompletableFuture<HttpResponse<String>>>();
            for (int i = 0; i < 6; i++) {
                var node = nodes.get(i);
                asked.add(later(() -> node.send(session + "/completions", key, "{\"prompt\":\"once\"}")));
            }
            var answers = asked.stream().map(CompletableFuture::join).toList();

            assertThat(answers).allMatch(answer -> answer.statusCode() == 200);
            assertThat(answers.stream().map(HttpResponse::body).distinct()).hasSize(1);
            assertThat(handle(session).load().loops()).hasSize(round + 1);
        }
        assertThat(nodes.get(1)
                        .send(session + "/completions", "key-0", "{\"prompt\":\"other\"}")
                        .statusCode())
                .isEqualTo(422);
    }

    @Test
    void killed_inside_a_tool_call_its_run_goes_on_elsewhere_and_no_finished_tool_is_repeated() throws Exception {
        var session = newSession();
        var first = directory.resolve("first");
        var inside = directory.resolve("inside");
        var prompt =
                "call shell {\"command\":\"echo done >> %s\"} then call shell {\"command\":\"echo in >> %s; sleep 60\"}"
                        .formatted(first, inside);
        var body = Json.MAPPER
                .createObjectNode()
                .put("prompt", prompt)
                .put("stream", true)
                .toString();
        try (var stream = nodes.get(0).stream(session + "/completions", body)) {
            stream.until(event -> event.name().equals("tool_result"));
            await(() -> Files.exists(inside));
            nodes.get(0).kill();
        }

        var killed = System.nanoTime();
        var done = nodes.get(1).post(session + "/continue", "{}");

        assertThat(done.path("status").asString()).as(done.toString()).isEqualTo("completed");
        assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(Nodes.LEASE.plus(PATIENCE));
        assertThat(Files.readAllLines(first)).containsExactly("done");
        assertThat(Files.readAllLines(inside)).containsExactly("in");
        var started = handle(session).read(1).stream()
                .filter(entry -> entry.event() instanceof LoopEvent.ToolStarted)
                .count();
        assertThat(started).isEqualTo(2);
    }

    @Test
    void a_node_that_stood_still_beyond_its_lease_is_fenced_and_another_takes_over(TestReporter reporter)
            throws Exception {
        var session = newSession();
        try (var paused = nodes.get(0).stream(session + "/completions", COUNT_SLOWLY)) {
            paused.until(event -> event.name().equals("assistant_delta"));
            nodes.get(0).signal("STOP");
            var stopped = System.nanoTime();
            JsonNode answer;
            try {
                answer = nodes.get(1).post(session + "/completions", "{\"prompt\":\"go on\"}");
            } finally {
                nodes.get(0).signal("CONT");
            }
            var took = Duration.ofNanos(System.nanoTime() - stopped);
            reporter.publishEntry(
                    "takeover", took.toMillis() + " ms with a lease of " + Nodes.LEASE.toMillis() + " ms");

            assertThat(answer.path("status").asString()).as(answer.toString()).isEqualTo("completed");
            assertThat(took).isLessThan(Nodes.LEASE.plus(PATIENCE));
            nodes.get(2).post(session + "/cancel", "{}");
            var last = paused.until(event ->
                            event.name().equals("error") || event.name().equals("finished"))
                    .getLast();
            assertThat(last.data().toString()).containsAnyOf("session.lease_lost", "aborted");
        }
        var loops = handle(session).load().loops();
        assertThat(loops)
                .extracting(dev.skein.session.LoopRecord::status)
                .containsExactly(LoopStatus.ABORTED, LoopStatus.COMPLETED);
        var events = handle(session).read(1);
        assertThat(((LoopEvent) events.getLast().event()).loop())
                .isEqualTo(loops.stream().toList().getLast().id());
    }

    @Test
    void the_database_killed_under_load_loses_nothing_acknowledged_and_no_node_has_to_be_restarted(
            TestReporter reporter) throws Exception {
        var before = nodes.all();
        try (var talkers = new Talkers(nodes, 10)) {
            talkers.start(30, Integer.MAX_VALUE, 2);
            for (int i = 0; i < DATABASE_KILLS; i++) {
                talkers.awaitMore(30);
                nodes.database.kill();
                nodes.database.restart();
            }
            talkers.awaitMore(30);
            talkers.stop().judge();
            reporter.publishEntry("answers", String.valueOf(talkers.answered()));
            reporter.publishEntry("failures", talkers.failures.toString());

            assertThat(talkers.failures.keySet())
                    .contains("503 store.unavailable")
                    .isSubsetOf("503 store.unavailable", "423 session.lease_lost", "423 session.locked");
        }
        assertThat(nodes.all()).isEqualTo(before).allMatch(ServeProcess::isAlive);
    }

    @Test
    void a_rolling_restart_under_load_cuts_nothing_short() throws Exception {
        try (var talkers = new Talkers(nodes, 10)) {
            talkers.start(30, Integer.MAX_VALUE, 3);
            for (int i = 0; i < RESTARTS; i++) {
                talkers.awaitMore(20);
                nodes.get(i).stop();
                nodes.get(i).ends();
                nodes.start(i);
            }
            talkers.awaitMore(20);
            talkers.stop().judge();

            assertThat(talkers.loops())
                    .hasSize(talkers.answered())
                    .allMatch(loop -> loop.status() == LoopStatus.COMPLETED);
        }
    }

    private static String newSession() throws Exception {
        return "/v1/sessions/"
                + nodes.get(0).post("/v1/sessions", "{}").path("id").asString();
    }

    private static SessionHandle handle(String session) {
        return nodes.store.open(
                Scope.LOCAL,
                SessionId.parse(session.substring(session.lastIndexOf('/') + 1)).orElseThrow());
    }

    private interface Asking<T> {
        T ask() throws Exception;
    }

    private static <T> CompletableFuture<T> later(Asking<T> asking) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return asking.ask();
                    } catch (Exception e) {
                        throw new AssertionError(e);
                    }
                },
                Thread::startVirtualThread);
    }

    private static void await(java.util.function.BooleanSupplier condition) throws InterruptedException {
        var deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            assertThat(new CountDownLatch(1).await(5, TimeUnit.MILLISECONDS)).isFalse();
        }
    }
}
