package dev.skein.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.skein.store.file.SimulatedLives.Mix;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Nothing that was acknowledged is lost, whatever the disk does to what was not synced.
///
/// `-Dskein.crashes=10000000` runs as many; each seed stands alone and can be run again.
@Timeout(value = 2, unit = TimeUnit.HOURS)
class CrashSimulationTest {

    private static final int DEATHS = 40;
    private static final long CRASHES = Long.getLong("skein.crashes", 60_000);
    private static final long SEEDS_UNTIL_CAUGHT = 2_000;

    @Test
    void appends_survive_every_crash() {
        run(Mix.APPENDS, CRASHES * 7 / 8);
    }

    @Test
    void sessions_names_and_forks_survive_every_crash() {
        run(Mix.EVERYTHING, CRASHES / 8);
    }

    @Test
    void the_same_seed_gives_the_same_crashes() throws IOException {
        for (var mix : Mix.values()) {
            var seven = live(7, mix, UnaryOperator.identity());

            assertThat(live(7, mix, UnaryOperator.identity())).isEqualTo(seven);
            assertThat(live(8, mix, UnaryOperator.identity())).isNotEqualTo(seven);
        }
    }

    @Test
    void a_store_that_acknowledges_before_it_syncs_is_caught() {
        assertCaught(Mix.APPENDS, PlantedDefects::withoutSync);
    }

    @Test
    void a_store_that_does_not_sync_directories_is_caught() {
        assertCaught(Mix.EVERYTHING, PlantedDefects::withoutDirectorySync);
    }

    @Test
    void a_store_that_ignores_checksums_is_caught() {
        assertCaught(Mix.APPENDS, PlantedDefects::withoutChecksums);
    }

    @Test
    void a_store_that_appends_to_a_torn_tail_is_caught() {
        assertCaught(Mix.APPENDS, PlantedDefects::withoutTruncation);
    }

    private static void run(Mix mix, long crashes) {
        var started = System.nanoTime();
        var cpu = cpuSeconds();
        LongStream.range(0, crashes / DEATHS).parallel().forEach(seed -> {
            try {
                live(seed, mix, UnaryOperator.identity());
            } catch (IOException | RuntimeException | AssertionError e) {
                throw new AssertionError("seed %d, %s: %s".formatted(seed, mix, e.getMessage()), e);
            }
        });
        var seconds = (System.nanoTime() - started) / 1e9;
        System.err.printf(
                "%s: %,d crashes in %.1f s and %.1f s of CPU, %,.0f/s%n",
                mix, crashes, seconds, cpuSeconds() - cpu, crashes / seconds);
    }

    private static double cpuSeconds() {
        return ProcessHandle.current()
                        .info()
                        .totalCpuDuration()
                        .orElse(Duration.ZERO)
                        .toMillis()
                / 1e3;
    }

    private static void assertCaught(Mix mix, UnaryOperator<Disk> defect) {
        for (long seed = 0; seed < SEEDS_UNTIL_CAUGHT; seed++) {
            try {
                live(seed, mix, defect);
            } catch (IOException | RuntimeException | AssertionError e) {
                System.err.printf("caught at seed %d: %s%n", seed, e.getMessage());
                return;
            }
        }
        fail("not caught in %d seeds", SEEDS_UNTIL_CAUGHT);
    }

    private static long live(long seed, Mix mix, UnaryOperator<Disk> defect) throws IOException {
        return new SimulatedLives(seed, mix, defect).run(DEATHS);
    }
}
