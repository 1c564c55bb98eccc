package dev.skein.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.engine.schedule.ScheduleSpec;
import dev.skein.engine.schedule.ScheduleSpec.Place;
import dev.skein.session.Ids;
import dev.skein.store.SessionStore;
import dev.skein.store.jdbc.JdbcOptions;
import dev.skein.store.jdbc.JdbcSessionStore;
import dev.skein.store.memory.MemorySessionStore;
import dev.skein.testkit.MutableClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Schedules in a server whose clock stands still until it is told otherwise.
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ScheduleTest {

    private final MutableClock clock = new MutableClock(Instant.parse("2026-11-16T08:59:30Z"));
    private final TestSchedules schedules = new TestSchedules();
    private final SessionStore store = new MemorySessionStore(clock, new Ids(clock, new Random(1)));

    @AfterEach
    void stop() {
        store.close();
    }

    private TestServer server() {
        return server(store);
    }

    private TestServer server(SessionStore shared) {
        return new TestServer(
                TestServer.OPTIONS.withDrainTime(Duration.ofMillis(50)),
                shared,
                false,
                Duration.ofSeconds(60),
                TestServer.Extras.NONE.with(schedules, clock));
    }

    private static JsonNode told(TestServer server, String name) {
        for (var each : server.client("ann").get("/v1/schedules").is(200).json().path("schedules")) {
            if (each.path("name").asString().equals(name)) {
                return each;
            }
        }
        throw new AssertionError("there is no schedule " + name);
    }

    private static void awaitOutcome(TestServer server, String name, String outcome) {
        TestServer.await(() ->
                told(server, name).path("last").path("outcome").asString("").equals(outcome));
    }

    private static void awaitCount(TestServer server, String outcome, int count) {
        TestServer.await(() ->
                server.meters.scrape().contains("scheduled_runs_total{outcome=\"%s\"} %d.0".formatted(outcome, count)));
    }

    private void pass(Duration time, TestServer... servers) {
        clock.advance(time);
        for (var server : servers) {
            server.server.reload();
        }
    }

    @Test
    void a_prompt_is_said_when_it_is_due_and_its_session_tells_how_it_ended() {
        schedules.add("morning", "0 9 * * *", "say good morning").add("later", "5 9 * * *", "say later");
        try (var server = server()) {
            var before = told(server, "morning");
            assertThat(before.path("next").asString()).isEqualTo("2026-11-16T09:00:00Z");
            assertThat(before.has("last")).isFalse();

            pass(Duration.ofSeconds(30), server);
            awaitCount(server, "completed", 1);

            var after = told(server, "morning");
            assertThat(after.path("next").asString()).isEqualTo("2026-11-17T09:00:00Z");
            assertThat(after.path("last").path("moment").asString()).isEqualTo("2026-11-16T09:00:00Z");
            assertThat(after.path("last").path("outcome").asString()).isEqualTo("completed");
            assertThat(server.client("ann")
                            .get("/v1/sessions/morning/messages")
                            .is(200)
                            .body())
                    .contains("say good morning", "good morning");

            pass(Duration.ofMinutes(5), server);
            awaitCount(server, "completed", 2);
            assertThat(told(server, "later").path("last").path("outcome").asString())
                    .isEqualTo("completed");
            assertThat(loops(server, "morning")).isEqualTo(1);
        }
    }

    @Test
    void who_deletes_the_session_does_not_have_it_said_again() {
        schedules
                .add("morning", "0 9 * * *", "say good morning")
                .add("news", "0 9 * * *", "say news", new Place.Fresh(), ScheduleSpec.MAKE_UP)
                .add("later", "5,10,15 9 * * *", "say later");
        try (var server = server()) {
            pass(Duration.ofSeconds(30), server);
            awaitCount(server, "completed", 2);
            server.client("ann").send("DELETE", "/v1/sessions/morning", null).is(204);
            server.client("ann")
                    .send("DELETE", "/v1/sessions/news-20261116T090000Z", null)
                    .is(204);

            // Each time all of them are looked at, also for runs that were cut off.
            for (int times = 1; times <= 3; times++) {
                pass(Duration.ofMinutes(5), server);
                awaitCount(server, "completed", 2 + times);
            }

            assertThat(server.client("ann").get("/v1/sessions").json().path("sessions"))
                    .hasSize(1);
            assertThat(told(server, "morning").has("last")).isFalse();
        }
    }

    private static int loops(TestServer server, String session) {
        return server.client("ann")
                .get("/v1/sessions/" + session)
                .is(200)
                .json()
                .path("loop_count")
                .asInt();
    }

    @Test
    void of_what_was_missed_the_latest_is_made_up_if_it_is_not_too_long_ago() {
        schedules
                .add("often", "*/10 * * * *", "say often")
                .add("strict", "0 8 * * *", "say strict", new Place.Fresh(), Duration.ofMinutes(5));
        try (var server = server()) {
            awaitCount(server, "completed", 1);

            assertThat(told(server, "often").path("last").path("moment").asString())
                    .isEqualTo("2026-11-16T08:50:00Z");
            assertThat(loops(server, "often")).isEqualTo(1);
            var strict = told(server, "strict");
            assertThat(strict.has("last")).isFalse();
            assertThat(strict.path("unrun").path("outcome").asString()).isEqualTo("missed");
            assertThat(strict.path("unrun").path("moment").asString()).isEqualTo("2026-11-16T08:00:00Z");
        }
    }

    @Test
    void what_was_due_before_it_was_written_was_not_missed() {
        var written = schedules.add("often", "*/10 * * * *", "say often").all.removeFirst();
        schedules.all.add(new ScheduleSpec(
                written.name(),
                written.owner(),
                written.when(),
                written.prompt(),
                written.place(),
                null,
                null,
                null,
                written.makeUp(),
                true,
                clock.instant()));
        schedules.add("other", "*/10 * * * *", "say other");
        try (var server = server()) {
            awaitCount(server, "completed", 1);
            assertThat(told(server, "other").path("last").path("outcome").asString())
                    .isEqualTo("completed");
            assertThat(told(server, "often").has("last")).isFalse();
            assertThat(told(server, "often").has("unrun")).isFalse();
        }
    }

    @Test
    void in_a_new_session_each_time_nothing_of_the_time_before_is_known() {
        schedules.add("news", "* * * * *", "say news", new Place.Fresh(), Duration.ZERO);
        try (var server = server()) {
            awaitCount(server, "completed", 1);
            pass(Duration.ofMinutes(1), server);
            awaitCount(server, "completed", 2);

            var list = server.client("ann").get("/v1/sessions").is(200).body();
            assertThat(list).contains("news-20261116T085900Z", "news-20261116T090000Z");
            assertThat(server.model.seen.getLast().messages()).hasSize(1);
            assertThat(told(server, "news").path("last").path("moment").asString())
                    .isEqualTo("2026-11-16T09:00:00Z");
        }
        // Who starts again finds both, and runs neither again.
        schedules.add("other", "* * * * *", "say other");
        try (var server = server()) {
            awaitCount(server, "completed", 1);
            assertThat(server.model.seen).hasSize(1);
        }
    }

    @Test
    void while_a_run_goes_on_the_next_is_skipped_and_not_made_up_later() throws Exception {
        schedules.add("slow", "* * * * *", "hold x");
        try (var server = server()) {
            server.model.awaitArrival("x");
            assertThat(told(server, "slow").path("last").path("outcome").asString())
                    .isEqualTo("running");
            pass(Duration.ofMinutes(1), server);
            awaitCount(server, "skipped", 1);
            pass(Duration.ofSeconds(40));
            server.model.open("x");
            awaitOutcome(server, "slow", "completed");
            awaitCount(server, "completed", 1);
        }
        clock.advance(Duration.ofSeconds(10));
        schedules.add("other", "30 8 * * *", "say other");
        try (var server = server()) {
            awaitCount(server, "completed", 1);
            assertThat(loops(server, "slow")).isEqualTo(1);
        }
        clock.advance(Duration.ofMinutes(2));
        schedules.all.removeFirst();
        schedules.add("slow", "0 9 * * *", "hold x");
        try (var server = server()) {
            var unrun = told(server, "slow").path("unrun");
            assertThat(unrun.path("outcome").asString()).isEqualTo("skipped");
            assertThat(unrun.path("moment").asString()).isEqualTo("2026-11-16T09:00:00Z");
        }
    }

    @Test
    void a_run_that_needs_a_yes_waits_for_it_and_the_next_is_skipped() {
        schedules.add("asks", "* * * * *", "act 1");
        try (var server = server()) {
            awaitCount(server, "waiting", 1);
            assertThat(server.client("ann").get("/v1/sessions/asks/approvals").body())
                    .contains("call-act-1");
            pass(Duration.ofMinutes(1), server);
            awaitCount(server, "skipped", 1);

            var ann = server.client("ann");
            ann.post("/v1/sessions/asks/approvals/call-act-1", "{\"approved\":true}")
                    .is(200);
            ann.post("/v1/sessions/asks/continue", "{}").is(200);
            awaitOutcome(server, "asks", "completed");
        }
    }

    @Test
    void a_run_that_the_end_of_its_server_cut_off_goes_on_in_the_next_once() throws Exception {
        schedules.add("slow", "50 8 * * *", "hold x");
        try (var server = server()) {
            server.model.awaitArrival("x");
        }
        for (int i = 0; i < 2; i++) {
            try (var server = server()) {
                server.model.open("x");
                awaitOutcome(server, "slow", "completed");
                assertThat(loops(server, "slow")).isEqualTo(2);
            }
        }
    }

    @Test
    void a_run_that_fails_says_so_and_the_next_is_tried() {
        schedules.add("fails", "* * * * *", "fail");
        try (var server = server()) {
            awaitCount(server, "failed", 1);
            var last = told(server, "fails").path("last");
            assertThat(last.path("outcome").asString()).isEqualTo("aborted");
            assertThat(last.path("reason").asString()).contains("it was told to");
            pass(Duration.ofMinutes(1), server);
            awaitCount(server, "failed", 2);
        }
    }

    @Test
    void two_servers_run_each_moment_once(@TempDir Path home) {
        for (int i = 0; i < 5; i++) {
            schedules.add("named" + i, "* * * * *", "say named");
            schedules.add("fresh" + i, "* * * * *", "say fresh", new Place.Fresh(), Duration.ZERO);
        }
        try (var one = JdbcSessionStore.open("sqlite:" + home.resolve("shared.db"), JdbcOptions.standard());
                var other = JdbcSessionStore.open("sqlite:" + home.resolve("shared.db"), JdbcOptions.standard());
                var first = server(one);
                var second = server(other)) {
            for (int minute = 1; minute <= 3; minute++) {
                var expected = 10 * minute;
                TestServer.await(() ->
                        asked(first, second) >= expected && first.server.running() + second.server.running() == 0);
                assertThat(asked(first, second)).isEqualTo(expected);
                for (var schedule : schedules.all) {
                    assertThat(told(first, schedule.name())
                                    .path("last")
                                    .path("outcome")
                                    .asString())
                            .isEqualTo("completed");
                }
                if (minute < 3) {
                    pass(Duration.ofMinutes(1), first, second);
                }
            }
            assertThat(loops(first, "named0")).isEqualTo(3);
        }
    }

    private static int asked(TestServer first, TestServer second) {
        return first.model.asked.get() + second.model.asked.get();
    }

    @Test
    void who_may_runs_one_now_and_nobody_elses() {
        schedules.add("yearly", "0 0 1 6 *", "say happy new year");
        try (var server = server()) {
            var ran =
                    server.client("ann").post("/v1/schedules/yearly/run", "{}").is(200);
            assertThat(ran.text("final_message")).isEqualTo("happy new year");
            assertThat(told(server, "yearly").path("last").path("moment").asString())
                    .isEqualTo("2026-11-16T08:59:30Z");

            var refused =
                    server.client("bob").post("/v1/schedules/yearly/run", "{}").is(404);
            assertThat(refused.code()).isEqualTo("schedule.not_found");
            assertThat(server.client("bob").get("/v1/schedules").is(200).body()).doesNotContain("yearly");
        }
    }
}
