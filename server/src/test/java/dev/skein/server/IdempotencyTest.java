package dev.skein.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.store.SessionStore;
import dev.skein.store.file.FileSessionStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A request that is sent twice with the same key happens once, whatever happened in between.
class IdempotencyTest {

    @TempDir
    Path home;

    private SessionStore store;
    private TestServer server;

    @BeforeEach
    void start() {
        store = FileSessionStore.open(home);
        server = new TestServer(TestServer.OPTIONS, store, false, Duration.ofSeconds(30));
    }

    @AfterEach
    void stop() {
        server.close();
        store.close();
    }

    private void restart() {
        stop();
        start();
    }

    private Client ann(String key) {
        return server.client("ann").with("Idempotency-Key", key);
    }

    @Test
    void a_session_is_made_once_per_key_and_owner_over_a_restart_too() {
        var first = ann("k1")
                .post("/v1/sessions", "{\"alias\":\"a\",\"description\":\"d\"}")
                .is(201);
        ann("other")
                .post("/v1/sessions/a/completions", "{\"prompt\":\"hello\"}")
                .is(200);

        restart();

        var again = ann("k1")
                .post("/v1/sessions", "{ \"alias\": \"a\", \"description\": \"d\" }")
                .is(201);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(ann("k1").post("/v1/sessions", "{\"alias\":\"b\"}").is(422).code())
                .isEqualTo("session.key_conflict");
        ann("k2").post("/v1/sessions", "{\"alias\":\"a\"}").is(409);
        var bobs = server.client("bob")
                .with("Idempotency-Key", "k1")
                .post("/v1/sessions", "{\"alias\":\"a\"}")
                .is(201);
        assertThat(bobs.text("id")).isNotEqualTo(first.text("id"));
        assertThat(ann("x").get("/v1/sessions").json().path("sessions")).hasSize(1);
    }

    @Test
    void a_prompt_is_answered_once_over_a_restart_too() {
        var id = ann("c").create("{}");
        var path = "/v1/sessions/" + id + "/completions";
        var first = ann("k").post(path, "{\"prompt\":\"look 1\"}").is(200);
        ann("later").post(path, "{\"prompt\":\"something else\"}").is(200);
        var asked = server.model.asked.get();

        assertThat(ann("k").post(path, "{\"prompt\":\"look 1\"}").is(200).body())
                .isEqualTo(first.body());
        assertThat(server.model.asked).hasValue(asked);
        assertThat(ann("k").post(path, "{\"prompt\":\"look 2\"}").is(422).code())
                .isEqualTo("session.key_conflict");

        restart();

        assertThat(ann("k").post(path, "{\"prompt\":\"look 1\"}").is(200).body())
                .isEqualTo(first.body());
        ann("k").post(path, "{\"prompt\":\"look 2\"}").is(422);
        assertThat(server.model.asked).hasValue(0);
        try (var stream = ann("k").stream(path, "{\"prompt\":\"look 1\",\"stream\":true}")) {
            var told = stream.toEnd();
            assertThat(told)
                    .extracting(Client.Event::name)
                    .containsExactly(
                            "started",
                            "assistant_message_end",
                            "tool_call",
                            "tool_result",
                            "assistant_message_end",
                            "finished");
            assertThat(told.getLast().data()).isEqualTo(first.json());
        }
    }

    @Test
    void a_failure_is_repeated_and_so_is_a_run_that_waits() {
        var id = ann("c").create("{}");
        var path = "/v1/sessions/" + id + "/completions";
        var failed = ann("f").post(path, "{\"prompt\":\"fail\"}").is(502);
        var waits = ann("w").post(path, "{\"prompt\":\"act 1\"}").is(200);

        restart();

        var again = ann("f").post(path, "{\"prompt\":\"fail\"}").is(502);
        assertThat(again.json().path("error").path("message"))
                .isEqualTo(failed.json().path("error").path("message"));
        assertThat(ann("w").post(path, "{\"prompt\":\"act 1\"}").is(200).body()).isEqualTo(waits.body());
        assertThat(server.model.asked).hasValue(0);
    }

    @Test
    void one_shot_with_a_key_is_answered_once_too() {
        var first = ann("k").post("/v1/completions", "{\"prompt\":\"hello\"}").is(200);

        restart();

        assertThat(ann("k").post("/v1/completions", "{\"prompt\":\"hello\"}")
                        .is(200)
                        .body())
                .isEqualTo(first.body());
        ann("k").post("/v1/completions", "{\"prompt\":\"bye\"}").is(422);
        assertThat(server.model.asked).hasValue(0);
    }

    @Test
    void those_that_come_at_once_wait_for_the_first() throws Exception {
        for (int round = 0; round < 5; round++) {
            var key = "k" + round;
            var made = new ArrayList<CompletableFuture<Client.Answer>>();
            for (int i = 0; i < 3; i++) {
                made.add(async(() -> ann(key).post("/v1/sessions", "{\"alias\":\"" + key + "\"}")));
            }
            var session = made.getFirst().get(60, TimeUnit.SECONDS).is(201);
            for (var each : made) {
                assertThat(each.get(60, TimeUnit.SECONDS).body()).isEqualTo(session.body());
            }
            var said = new ArrayList<CompletableFuture<Client.Answer>>();
            for (int i = 0; i < 3; i++) {
                said.add(async(() -> ann(key).post("/v1/sessions/" + key + "/completions", "{\"prompt\":\"hello\"}")));
            }
            var answer = said.getFirst().get(60, TimeUnit.SECONDS).is(200);
            for (var each : said) {
                assertThat(each.get(60, TimeUnit.SECONDS).body()).isEqualTo(answer.body());
            }
            assertThat(ann("x").get("/v1/sessions/" + key + "/loops").json().path("loops"))
                    .hasSize(1);
        }
    }

    @Test
    void a_key_must_be_one() {
        ann(" ").post("/v1/sessions", "{}").is(400);
        ann("x".repeat(256)).post("/v1/sessions", "{}").is(400);
        ann("x".repeat(255)).post("/v1/sessions", "{}").is(201);
    }

    private static <T> CompletableFuture<T> async(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, Executors.newVirtualThreadPerTaskExecutor());
    }
}
