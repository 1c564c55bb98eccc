package dev.skein.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/// Schedules in the real program: `skein serve`, killed and started again.
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ScheduleServeTest {

    @TempDir
    Path home;

    @Test
    void a_run_that_a_crash_cut_off_goes_on_and_what_was_run_is_not_run_again() throws Exception {
        var due = Clock.systemUTC().instant().minus(1, ChronoUnit.MINUTES).truncatedTo(ChronoUnit.SECONDS);
        schedule("slow", due, "count to 500 slowly");
        schedule("quick", due, "Name a fruit");
        write("broken", "crno: '@daily'\nprompt: x\n");

        String first;
        try (var server = new ServeProcess(home)) {
            awaitOutcome(server, "quick", "completed");
            awaitOutcome(server, "slow", "running");
            first = told(server, "slow").at("/last/loop_id").asString();
            assertThat(server.log()).contains("a schedule is left out", "did you mean 'cron'?");
            server.kill();
        }
        try (var server = new ServeProcess(home)) {
            await(server, "slow", told -> !told.at("/last/loop_id").asString("").equals(first));
            server.post("/v1/sessions/slow/cancel", "{}");
            awaitOutcome(server, "slow", "aborted");
            assertThat(server.get("/v1/sessions/slow").path("loop_count").asInt())
                    .isEqualTo(2);

            schedule("new", due, "Name another");
            server.hangUp();
            awaitOutcome(server, "new", "completed");
            assertThat(server.get("/v1/sessions/quick").path("loop_count").asInt())
                    .isEqualTo(1);
            assertThat(server.text("/metrics")).contains("scheduled_runs_total{outcome=\"completed\"} 1.0");
        }
    }

    /// Written two minutes ago, so that it was missed.
    private void schedule(String name, Instant due, String prompt) throws Exception {
        write(name, "at: " + due + "\nprompt: " + prompt + "\n");
        Files.setLastModifiedTime(
                home.resolve("schedules").resolve(name + ".yaml"), FileTime.from(due.minus(1, ChronoUnit.MINUTES)));
    }

    private void write(String name, String text) throws Exception {
        Files.writeString(Files.createDirectories(home.resolve("schedules")).resolve(name + ".yaml"), text);
    }

    private static void awaitOutcome(ServeProcess server, String name, String outcome) throws Exception {
        await(server, name, told -> told.at("/last/outcome").asString("").equals(outcome));
    }

    private static void await(ServeProcess server, String name, Predicate<JsonNode> wanted) throws Exception {
        var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        for (var told = told(server, name); !wanted.test(told); told = told(server, name)) {
            assertThat(System.nanoTime()).as(name + " stayed " + told).isLessThan(deadline);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(200));
        }
    }

    private static JsonNode told(ServeProcess server, String name) throws Exception {
        for (var each : server.get("/v1/schedules").path("schedules")) {
            if (each.path("name").asString("").equals(name)) {
                return each;
            }
        }
        return MissingNode.getInstance();
    }
}
