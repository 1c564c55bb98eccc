package dev.skein.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.failure.SessionLocked;
import dev.skein.session.Scope;
import dev.skein.session.SessionEvent.SessionDescribed;
import dev.skein.session.SessionId;
import dev.skein.store.ListQuery;
import dev.skein.store.NewSession;
import dev.skein.testkit.ChildJvm;
import dev.skein.testkit.HistoryChecker;
import dev.skein.testkit.HistoryChecker.Op;
import dev.skein.testkit.HistoryChecker.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Several processes share one directory, some of them stopped or killed in the middle of what they do.
@Timeout(value = 2, unit = TimeUnit.HOURS)
class ProcessesTest {

    private static final Scope SCOPE = Scope.LOCAL;
    private static final int CHILDREN = Integer.getInteger("skein.children", 4);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration IMPATIENCE = Duration.ofMillis(50);

    private final Path home = TemporaryHome.make();
    private final List<ChildJvm> children = new ArrayList<>();

    @AfterEach
    void killChildren() {
        children.forEach(ChildJvm::close);
    }

    @Test
    void what_several_processes_did_to_one_session_is_one_history() throws Exception {
        var ops = Integer.getInteger("skein.ops", 3_000);
        var logs = Files.createDirectory(home.resolve("logs"));
        SessionId id;
        try (var store = FileSessionStore.open(home);
                var handle = store.create(NewSession.in(SCOPE))) {
            id = handle.id();
        }

        var nemesis = new Nemesis(id, logs, ops / CHILDREN);
        nemesis.run();

        var history = new ArrayList<Op>();
        for (var log : list(logs)) {
            history.addAll(HistoryChecker.logged(Files.readAllLines(log)));
        }
        var stored = valuesOf(id);
        assertThat(new HistoryChecker(stored, 2).violationsIn(history)).isEmpty();
        assertThat(stored.size()).as("appended").isGreaterThan(ops / 4);
        assertThat(nemesis.kills).as("killed").isPositive();
        assertThat(nemesis.stops).as("stopped").isPositive();
        assertThat(history).anyMatch(op -> op.outcome() == Outcome.REFUSED);
    }

    @Test
    void exactly_one_process_creates_a_session() throws Exception {
        var ids = race("shared");

        assertThat(new HashSet<>(ids)).hasSize(1);
        try (var store = FileSessionStore.open(home)) {
            assertThat(store.list(ListQuery.of(SCOPE)).sessions()).hasSize(1);
        }
    }

    @Test
    void exactly_one_process_migrates_a_file() throws Exception {
        var sessions = Files.createDirectories(home.resolve("sessions"));
        Files.writeString(sessions.resolve("legacy.yaml"), "model: m:x\nmessages:\n- role: user\n  content: hi\n");

        var ids = race("legacy");

        assertThat(new HashSet<>(ids)).hasSize(1);
        try (var store = FileSessionStore.open(home)) {
            assertThat(store.list(ListQuery.of(SCOPE)).sessions())
                    .singleElement()
                    .satisfies(summary -> {
                        assertThat(summary.id()).hasToString(ids.getFirst());
                        assertThat(summary.firstMessage()).isEqualTo("hi");
                    });
            // The others may still be writing down what they saw.
            assertThat(list(home.resolve("sessions/by-id")))
                    .filteredOn(path -> !path.getFileName().toString().startsWith(DurableNames.TEMPORARY))
                    .hasSize(1);
        }
    }

    @Test
    void a_watch_sees_what_another_process_appends() throws Exception {
        try (var store = FileSessionStore.open(home);
                var handle = store.create(NewSession.in(SCOPE));
                var watch = handle.watch(2)) {
            start("append", home, handle.id(), 20);

            for (int i = 0; i < 20; i++) {
                var entry = watch.next(PATIENCE).orElseThrow();
                assertThat(entry.seq()).isEqualTo(2 + i);
                assertThat(textOf(entry.event())).isEqualTo("value " + i);
            }
        }
    }

    @Test
    void a_lock_held_by_another_process_is_waited_for_and_free_after_kill_9() throws Exception {
        try (var store = FileSessionStore.open(home);
                var handle = store.create(NewSession.in(SCOPE))) {
            var polite = start("hold", home, handle.id());
            assertThat(polite.line()).isEqualTo("held");
            assertThatThrownBy(() -> handle.lock(IMPATIENCE)).isInstanceOf(SessionLocked.class);
            polite.tell("let go");
            handle.lock(PATIENCE).close();
            assertThat(polite.line()).isEqualTo("released");

            var doomed = start("hold", home, handle.id());
            assertThat(doomed.line()).isEqualTo("held");
            assertThatThrownBy(() -> handle.lock(IMPATIENCE)).isInstanceOf(SessionLocked.class);
            doomed.kill();
            handle.lock(PATIENCE).close();

            assertThat(handle.read(2)).hasSize(2);
        }
    }

    private ChildJvm start(Object... arguments) throws Exception {
        var child = ChildJvm.start(ChildProgram.class, arguments);
        children.add(child);
        return child;
    }

    /// What each process got that opened or created the session at the same moment.
    private List<String> race(String alias) throws Exception {
        for (int i = 0; i < CHILDREN; i++) {
            start("race", home, alias);
        }
        for (var child : children) {
            assertThat(child.line()).isEqualTo("ready");
        }
        for (var child : children) {
            child.tell("go");
        }
        var ids = new ArrayList<String>();
        for (var child : children) {
            ids.add(String.valueOf(child.line()));
        }
        return ids;
    }

    private List<String> valuesOf(SessionId id) {
        try (var store = FileSessionStore.open(home);
                var handle = store.open(SCOPE, id)) {
            return handle.read(2).stream().map(entry -> textOf(entry.event())).toList();
        }
    }

    private static String textOf(Object event) {
        return event instanceof SessionDescribed(var _, var text) ? text : "?";
    }

    private static List<Path> list(Path directory) throws Exception {
        try (var files = Files.list(directory)) {
            return files.sorted().toList();
        }
    }

    /// Keeps so many processes busy with one session, and stops, continues and kills them meanwhile.
    private final class Nemesis {
        private final SessionId id;
        private final Path logs;
        private final int each;
        private final Random random = new Random(5);
        private final List<ChildJvm> running = new ArrayList<>();
        private int started;
        private int kills;
        private int stops;

        Nemesis(SessionId id, Path logs, int each) {
            this.id = id;
            this.logs = logs;
            this.each = each;
        }

        void run() throws Exception {
            for (int i = 0; i < CHILDREN; i++) {
                running.add(begin());
            }
            for (var child : running) {
                assertThat(child.line()).isEqualTo("ready");
            }
            var killsMax = Math.max(3, each * CHILDREN / 1_000);
            while (!running.isEmpty()) {
                var victim = running.get(random.nextInt(running.size()));
                if (victim.endsWithin(20)) {
                    running.remove(victim);
                } else if (kills < killsMax && random.nextInt(12) == 0) {
                    kills++;
                    victim.kill();
                    running.remove(victim);
                    running.add(begin());
                } else if (random.nextInt(3) == 0) {
                    stop(victim);
                }
            }
        }

        /// Stops it until another child has moved on or ended, or a moment has passed.
        private void stop(ChildJvm victim) throws Exception {
            stops++;
            victim.signal("STOP");
            var other = running.get(random.nextInt(running.size()));
            var _ = other.endsWithin(random.nextInt(60));
            victim.signal("CONT");
        }

        private ChildJvm begin() throws Exception {
            var name = "p" + started++;
            return start("history", home, id, logs.resolve(name), name, each);
        }
    }
}
