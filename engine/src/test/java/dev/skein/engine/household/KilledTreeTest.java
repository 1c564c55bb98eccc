package dev.skein.engine.household;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.engine.RunRequest;
import dev.skein.live.RunOutcome;
import dev.skein.session.ChildLoopRef;
import dev.skein.session.LoopStatus;
import dev.skein.session.Scope;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.store.file.FileSessionStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A tree of agents in a real process, killed with SIGKILL, and carried on by another.
///
/// `-Dskein.treekills=20` kills it after its first, second, … twentieth step as well; by default only when the deepest
/// is at work, and once on the way.
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class KilledTreeTest {

    private static final int KILLS = Integer.getInteger("skein.treekills", 0);

    @TempDir
    private Path directory;

    @Test
    void a_tree_that_is_killed_in_mid_run_goes_on_as_a_tree_when_its_root_is_continued() throws Exception {
        var points = new LinkedHashSet<>(List.of(0, 7));
        IntStream.rangeClosed(1, KILLS).forEach(points::add);
        for (var steps : points) {
            killAndCarryOn(directory.resolve("home-" + steps), steps);
        }
        System.err.printf("%d trees killed and carried on%n", points.size());
    }

    /// Kills it after so many steps; for 0, when the deepest is at work.
    private void killAndCarryOn(Path home, int steps) throws Exception {
        var effects = home.resolve("effects");
        try (var store = FileSessionStore.open(home)) {
            var root = store.create(NewSession.in(Scope.LOCAL.withAgent("head")));
            kill(home, root, effects, steps);
            var before = Files.exists(effects) ? Files.readAllLines(effects) : List.<String>of();

            var bed = AgentTree.grown(store, effects, _ -> {});
            var outcome = carriedOn(bed, root);

            assertThat(outcome.text()).as("after %d steps", steps).isEqualTo("all");
            assertThat(outcome.status()).isEqualTo(LoopStatus.COMPLETED);
            for (var agent : List.of("quick", "idle", "arm", "hand", "finger")) {
                assertThat(bed.sessionsOf(agent))
                        .as("one %s, after %d steps", agent, steps)
                        .hasSize(1);
                assertThat(bed.sessionsOf(agent).getFirst().state().lastStatus())
                        .isEqualTo(LoopStatus.COMPLETED);
            }
            linked(root, bed.sessionsOf("quick").getFirst());
            linked(root, bed.sessionsOf("idle").getFirst());
            linked(root, bed.sessionsOf("arm").getFirst());
            linked(bed.sessionsOf("arm").getFirst(), bed.sessionsOf("hand").getFirst());
            linked(bed.sessionsOf("hand").getFirst(), bed.sessionsOf("finger").getFirst());
            if (steps == 0) {
                assertThat(Files.readAllLines(effects))
                        .as("what was done, or begun and must not be done twice, is not done again")
                        .isEqualTo(before)
                        .containsExactly("t work", "t touch");
            }
            assertThat(Files.readAllLines(effects)).doesNotHaveDuplicates();
        }
    }

    private static RunOutcome carriedOn(AgentBed bed, SessionHandle root) {
        return root.state().head() == null ? bed.prompt(root, "Go.") : bed.run(root, new RunRequest.Continue());
    }

    /// Either leads to the other.
    private static void linked(SessionHandle above, SessionHandle below) {
        var spawn = below.state().opened().spawn();
        assertThat(spawn).isNotNull();
        assertThat(spawn.session()).isEqualTo(above.id());
        assertThat(above.load().loops().stream()
                        .flatMap(loop -> loop.childRefs().stream())
                        .map(ChildLoopRef::session))
                .contains(below.id());
        assertThat(above.load().loop(spawn.loop())).isPresent();
    }

    private void kill(Path home, SessionHandle root, Path effects, int steps) throws IOException, InterruptedException {
        var errors = directory.resolve("errors");
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        AgentTree.class.getName(),
                        home.toString(),
                        root.id().toString(),
                        effects.toString())
                .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
                .start();
        try (var lines = process.inputReader(UTF_8)) {
            var seen = 0;
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.equals(AgentTree.TOUCHING) || ++seen == steps) {
                    break;
                }
            }
            process.toHandle().destroyForcibly();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
    }
}
