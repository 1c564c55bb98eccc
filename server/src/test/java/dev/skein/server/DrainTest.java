package dev.skein.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/// A server that is told to stop lets what runs come to its end, but not for ever.
class DrainTest {

    @Test
    void a_run_that_ends_in_time_is_answered_and_no_other_begins() throws Exception {
        try (var server = new TestServer(TestServer.OPTIONS.withDrainTime(Duration.ofSeconds(60)))) {
            var ann = server.client("ann");
            var id = ann.create("{}");
            var running = async(() -> ann.post("/v1/sessions/" + id + "/completions", "{\"prompt\":\"hold x\"}"));
            server.model.awaitArrival("x");
            var tail = ann.follow(id);
            tail.untilNamed("assistant_delta");

            var closing = async(() -> {
                server.server.close();
                return true;
            });

            var last = tail.toEnd().getLast();
            assertThat(last.data().path("code").asString()).isEqualTo("server.draining");
            assertThat(ann.get("/healthz/ready").is(503).code()).isEqualTo("server.draining");
            ann.get("/healthz/live").is(200);
            var refused = ann.post("/v1/sessions/" + id + "/completions", "{\"prompt\":\"more\"}")
                    .is(503);
            assertThat(refused.header("Retry-After")).isNotEmpty();
            server.model.open("x");
            assertThat(running.get(60, TimeUnit.SECONDS).is(200).text("final_message"))
                    .isEqualTo("before after");
            closing.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void a_run_that_does_not_is_cut_short_and_can_be_continued() throws Exception {
        try (var store = new dev.skein.store.memory.MemorySessionStore(
                        java.time.Clock.systemUTC(),
                        new dev.skein.session.Ids(java.time.Clock.systemUTC(), new java.util.Random(1)));
                var server = new TestServer(
                        TestServer.OPTIONS.withDrainTime(Duration.ofMillis(100)),
                        store,
                        false,
                        Duration.ofSeconds(30))) {
            var ann = server.client("ann");
            var id = ann.create("{}");
            var running = async(() -> ann.post("/v1/sessions/" + id + "/completions", "{\"prompt\":\"hold x\"}"));
            server.model.awaitArrival("x");

            server.server.close();

            assertThat(running.get(60, TimeUnit.SECONDS).is(200).text("reason")).contains("the server stops");
            try (var next = new TestServer(TestServer.OPTIONS, store, false, Duration.ofSeconds(30))) {
                next.model.open("x");
                var continued = next.client("ann").post("/v1/sessions/" + id + "/continue", "{}");
                assertThat(continued.is(200).text("status")).isEqualTo("completed");
            }
        }
    }

    private static <T> CompletableFuture<T> async(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, Executors.newVirtualThreadPerTaskExecutor());
    }
}
