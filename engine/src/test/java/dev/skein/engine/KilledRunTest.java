package dev.skein.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.engine.ChildAgent.Point;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.ToolCallId;
import dev.skein.session.LoopStatus;
import dev.skein.session.Scope;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.store.file.FileSessionStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Real processes with real files, killed with SIGKILL, and carried on by another process.
///
/// `-Dskein.kills=200` kills as often as that, at every point several times, each time with another seed. By default
/// only some of the points get their turn; `CrashMatrixTest` visits all, without processes.
@Timeout(value = 1, unit = TimeUnit.HOURS)
class KilledRunTest {

    private static final int KILLS = Integer.getInteger("skein.kills", 20);
    private static final int AT_ONCE = 2;
    /// From one point to the next: without a common divisor with their number, so that all are visited.
    private static final int STRIDE = 21;

    @TempDir
    private Path directory;

    @Test
    void a_run_killed_at_any_point_ends_the_same_and_runs_no_unsafe_tool_twice() throws Exception {
        var points = points();
        try (var store = FileSessionStore.open(directory.resolve("home"));
                var threads = Executors.newFixedThreadPool(AT_ONCE)) {
            var undisturbed = undisturbed(store);
            var kills = new ArrayList<Future<Integer>>();
            for (int kill = 0; kill < KILLS; kill++) {
                var point = points.get(kill * STRIDE % points.size());
                var seed = kill / points.size();
                kills.add(threads.submit(() -> killAndCarryOn(store, point, seed, undisturbed)));
            }
            var unknown = 0;
            for (var kill : kills) {
                unknown += kill.get();
            }
            System.err.printf("%d kills, %d calls of unknown outcome%n", KILLS, unknown);
            assertThat(unknown).as("some were killed in the middle of a tool").isPositive();
        }
    }

    @Test
    void two_processes_that_talk_in_one_session_never_interleave() throws Exception {
        var times = 50;
        try (var store = FileSessionStore.open(directory.resolve("home"));
                var session = store.create(NewSession.in(Scope.LOCAL));
                var one = talker(session, "one", times);
                var two = talker(session, "two", times)) {
            assertThat(one.line()).isEqualTo(ChildAgent.READY);
            assertThat(two.line()).isEqualTo(ChildAgent.READY);
            one.tell("go");
            two.tell("go");
            assertThat(List.of(one.await(), two.await())).as(errors()).containsExactly(0, 0);

            var said = session.context(1_000).messages();

            var prompts = new ArrayList<String>();
            assertThat(said).hasSize(4 * times);
            for (int i = 0; i < said.size(); i += 2) {
                prompts.add(said.get(i).text());
                assertThat(said.get(i + 1).text()).isEqualTo("You said " + prompts.getLast());
            }
            assertThat(prompts).filteredOn(prompt -> prompt.startsWith("one")).isEqualTo(numbered("one", times));
            assertThat(prompts).filteredOn(prompt -> prompt.startsWith("two")).isEqualTo(numbered("two", times));
            assertThat(session.load().loops())
                    .hasSize(2 * times)
                    .allMatch(loop -> loop.status() == LoopStatus.COMPLETED);
        }
    }

    private ChildJvm talker(SessionHandle session, String name, int times) throws IOException {
        return ChildJvm.start(
                directory.resolve("errors"), "talk", directory.resolve("home"), session.id(), name, times);
    }

    private static List<String> numbered(String name, int times) {
        var all = new ArrayList<String>();
        for (int i = 0; i < times; i++) {
            all.add(name + "-" + i);
        }
        return all;
    }

    /// Just before and just after every append; before and after the work of each tool that must not run twice; at
    /// every word.
    private static List<Point> points() {
        var points = new ArrayList<Point>();
        for (int i = 1; i <= ChildAgent.APPENDS; i++) {
            points.add(new Point("before", i));
            points.add(new Point("after", i));
        }
        for (int i = 1; i <= 3; i++) {
            points.add(new Point("begun", i));
            points.add(new Point("done", i));
        }
        for (int i = 1; i <= 5; i++) {
            points.add(new Point("word", i));
        }
        return points;
    }

    /// How it goes when nobody is killed. Also holds the number of appends to what the points are made of.
    private List<Message> undisturbed(FileSessionStore store) {
        try (var session = store.create(NewSession.in(Scope.LOCAL))) {
            var effects = directory.resolve("undisturbed");
            var never = new DoomedHandle(session, Integer.MAX_VALUE, DoomedHandle.Moment.JUST_AFTER);
            ChildAgent.run(store, never, ChildAgent.PROMPT, effects, Point.NEVER, 0, () -> {});
            assertThat(never.count()).hasValue(ChildAgent.APPENDS);
            return session.context(100).messages();
        }
    }

    /// Returns of how many calls nobody knows how they ended.
    private int killAndCarryOn(FileSessionStore store, Point point, long seed, List<Message> undisturbed)
            throws Exception {
        var effects = directory.resolve("effects-" + point + "-" + seed);
        try (var session = store.create(NewSession.in(Scope.LOCAL))) {
            try (var child = ChildJvm.start(
                    directory.resolve("errors"),
                    "die",
                    directory.resolve("home"),
                    session.id(),
                    effects,
                    point,
                    seed)) {
                assertThat(child.line()).as("%s: %s", point, errors()).isEqualTo(ChildAgent.READY);
                child.kill();
            }
            carryOn(store, session, effects, seed);
            return verify(session, effects, undisturbed, point + " with seed " + seed);
        }
    }

    private String errors() throws IOException {
        var file = directory.resolve("errors");
        return Files.exists(file) ? Files.readString(file) : "";
    }

    /// What a person would do: say it again if it was lost, and let the run go on if it was not over.
    private static void carryOn(FileSessionStore store, SessionHandle session, Path effects, long seed) {
        var head = session.load().path();
        if (head.isEmpty()) {
            ChildAgent.run(store, session, ChildAgent.PROMPT, effects, Point.NEVER, seed, () -> {});
        } else if (head.getLast().status() != LoopStatus.COMPLETED) {
            ChildAgent.run(store, session, new RunRequest.Continue(), effects, Point.NEVER, seed, () -> {});
        }
    }

    private static int verify(SessionHandle session, Path effects, List<Message> undisturbed, String when)
            throws IOException {
        var messages = session.context(100).messages();
        var runs = new HashMap<String, Integer>();
        Files.readAllLines(effects).forEach(value -> runs.merge(value, 1, Integer::sum));
        var results = new HashSet<ToolCallId>();
        var unknown = 0;

        assertThat(messages).as(when).hasSameSizeAs(undisturbed);
        for (int i = 0; i < messages.size(); i++) {
            var message = messages.get(i);
            message.toolResults()
                    .forEach(result ->
                            assertThat(results.add(result.call())).as(when).isTrue());
            if (isUnknown(message)) {
                assertThat(message.toolResults().getFirst().name()).as(when).isEqualTo("write");
                unknown++;
            } else {
                assertThat(message.parts())
                        .as(when)
                        .isEqualTo(undisturbed.get(i).parts());
            }
            assertThat(message.role()).as(when).isEqualTo(undisturbed.get(i).role());
        }
        var calls = messages.stream()
                .flatMap(message -> message.toolCalls().stream())
                .toList();
        assertThat(calls).as(when).extracting(Part.ToolCall::id).containsExactlyInAnyOrderElementsOf(results);
        assertThat(Collections.max(runs.values())).as(when).isEqualTo(1);
        assertThat(runs.size() + unknown).as(when).isGreaterThanOrEqualTo(3);
        assertThat(unknown).as(when).isLessThanOrEqualTo(2);
        assertThat(session.load().loops())
                .as(when)
                .allMatch(loop -> loop.status().ended());
        assertThat(session.load().path().getLast().status()).as(when).isEqualTo(LoopStatus.COMPLETED);
        return unknown;
    }

    private static boolean isUnknown(Message message) {
        return message.role() == Role.TOOL && message.text().contains("may or may not");
    }
}
