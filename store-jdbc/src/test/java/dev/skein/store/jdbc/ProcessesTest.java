package dev.skein.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.failure.SessionLocked;
import dev.skein.session.Scope;
import dev.skein.session.SessionEvent.SessionDescribed;
import dev.skein.session.SessionId;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.testkit.ChildJvm;
import dev.skein.testkit.HistoryChecker;
import dev.skein.testkit.HistoryChecker.Op;
import dev.skein.testkit.HistoryChecker.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Several processes share one database, some of them stopped or killed in the middle of what they do.
class ProcessesTest {

    private static final Scope SCOPE = Scope.LOCAL;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration IMPATIENCE = Duration.ofMillis(50);
    private static final int CHILDREN = Integer.getInteger("skein.children", 3);
    private static final int SESSIONS = 4;

    private final List<ChildJvm> children = new ArrayList<>();

    @TempDir
    Path logs;

    @AfterEach
    void killChildren() {
        children.forEach(ChildJvm::close);
    }

    /// Not on SQLite: who is stopped in the middle of a transaction there stops everybody.
    @Test
    void a_program_that_stood_still_beyond_its_lease_cannot_write_any_more() throws Exception {
        var url = TestDatabases.postgres();
        try (var store = JdbcSessionStore.open(url, ChildProgram.OPTIONS)) {
            var handle = store.create(NewSession.in(SCOPE));
            var owner = start("hold", url, handle.id());
            assertThat(owner.line()).isEqualTo("held");
            assertThatThrownBy(() -> handle.lock(IMPATIENCE)).isInstanceOf(SessionLocked.class);

            owner.signal("STOP");
            try (var guard = handle.lock(PATIENCE)) {
                owner.signal("CONT");
                for (int i = 0; i < 100; i++) {
                    owner.tell("late " + i);
                    assertThat(owner.line()).isEqualTo("session.lease_lost");
                }
                guard.append(ChildProgram.described("taken over"));
            }
            assertThat(texts(handle)).containsExactly("held", "taken over");
        }
    }

    @Test
    void a_turn_of_one_append_takes_over_too() throws Exception {
        var url = TestDatabases.postgres();
        try (var store = JdbcSessionStore.open(url, ChildProgram.OPTIONS)) {
            var handle = store.create(NewSession.in(SCOPE));
            var owner = start("hold", url, handle.id());
            assertThat(owner.line()).isEqualTo("held");

            owner.signal("STOP");
            handle.append(ChildProgram.described("taken over"));
            owner.signal("CONT");
            owner.tell("late");

            assertThat(owner.line()).isEqualTo("session.lease_lost");
            assertThat(texts(handle)).containsExactly("held", "taken over");
        }
    }

    @Test
    void a_program_that_lives_keeps_its_lease_and_the_lease_of_a_killed_one_runs_out() throws Exception {
        var url = TestDatabases.postgres();
        try (var store = JdbcSessionStore.open(url, ChildProgram.OPTIONS)) {
            var handle = store.create(NewSession.in(SCOPE));
            var doomed = start("hold", url, handle.id());
            assertThat(doomed.line()).isEqualTo("held");
            var longerThanALease = ChildProgram.OPTIONS.lease().plusMillis(500);
            assertThatThrownBy(() -> handle.lock(longerThanALease)).isInstanceOf(SessionLocked.class);
            doomed.tell("still here");
            assertThat(doomed.line()).isEqualTo("appended 3");

            doomed.kill();
            handle.lock(PATIENCE).close();

            assertThat(texts(handle)).containsExactly("held", "still here");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "postgres"})
    void a_writer_killed_in_the_middle_of_appends_leaves_whole_ones_and_all_that_it_acknowledged(String kind)
            throws Exception {
        var url = database(kind);
        var random = new Random(7);
        try (var store = JdbcSessionStore.open(url, ChildProgram.OPTIONS)) {
            for (int round = 0; round < Integer.getInteger("skein.kills", 3); round++) {
                var handle = store.create(NewSession.in(SCOPE));
                var writer = start("append", url, handle.id());
                var acknowledged = 1 + random.nextInt(40);
                var last = "";
                for (int i = 0; i < acknowledged; i++) {
                    last = String.valueOf(writer.line());
                }
                writer.signal("KILL");
                var rest = writer.rest().stream()
                        .filter(line -> line.startsWith("ack"))
                        .toList();
                var acked = acknowledged + rest.size();

                assertThat(last).startsWith("ack " + (acknowledged - 1));
                var texts = texts(handle);
                assertThat(texts.size() % 3).isZero();
                assertThat(texts.size() / 3).isBetween(acked, acked + 1);
                for (int i = 0; i < texts.size(); i++) {
                    assertThat(texts.get(i)).isEqualTo(i / 3 + "." + i % 3);
                }
                assertThat(handle.append(ChildProgram.described("goes on")).first())
                        .isEqualTo(texts.size() + 2);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "postgres"})
    void what_several_processes_did_to_several_sessions_is_one_history_each(String kind) throws Exception {
        var url = database(kind);
        var ops = Integer.getInteger("skein.ops", 900);
        try (var store = JdbcSessionStore.open(url, ChildProgram.OPTIONS)) {
            var ids = new ArrayList<SessionId>();
            for (int i = 0; i < SESSIONS; i++) {
                ids.add(store.create(NewSession.in(SCOPE)).id());
            }
            var list = ids.stream().map(SessionId::toString).collect(Collectors.joining(","));
            for (int i = 0; i < CHILDREN; i++) {
                start("history", url, logs, "p" + i, ops / CHILDREN, list);
            }
            for (var child : List.copyOf(children)) {
                assertThat(child.line()).isEqualTo("ready");
            }
            // One is killed at once and replaced; the others go on.
            children.getFirst().kill();
            start("history", url, logs, "late", ops / CHILDREN, list);
            for (var child : children.subList(1, children.size())) {
                assertThat(child.await()).isZero();
            }

            var appended = 0;
            for (var id : ids) {
                var history = historyOf(id);
                var stored = texts(store.open(SCOPE, id));
                assertThat(new HistoryChecker(stored, 2).violationsIn(history)).isEmpty();
                assertThat(history).anyMatch(op -> op.outcome() == Outcome.OK);
                appended += stored.size();
            }
            assertThat(appended).isGreaterThan(ops / 4);
        }
    }

    private List<Op> historyOf(SessionId id) throws Exception {
        var history = new ArrayList<Op>();
        try (var files = Files.list(logs)) {
            for (var log : files.sorted().toList()) {
                if (log.getFileName().toString().startsWith(id.toString())) {
                    history.addAll(HistoryChecker.logged(Files.readAllLines(log)));
                }
            }
        }
        return history;
    }

    private static String database(String kind) {
        return kind.equals("sqlite") ? TestDatabases.sqlite() : TestDatabases.postgres();
    }

    private ChildJvm start(Object... arguments) throws Exception {
        var child = ChildJvm.start(ChildProgram.class, List.of(), clockOf(children.size()), arguments);
        children.add(child);
        return child;
    }

    /// With `-Dskein.faketime=` and libfaketime's path, the children live twelve years later or earlier than we do.
    private static Map<String, String> clockOf(int number) {
        var library = System.getProperty("skein.faketime");
        return library == null
                ? Map.of()
                : Map.of(
                        "LD_PRELOAD",
                        library,
                        "FAKETIME",
                        number % 2 == 0 ? "+12y" : "-12y",
                        "FAKETIME_DONT_FAKE_MONOTONIC",
                        "1");
    }

    private static List<String> texts(SessionHandle handle) {
        return handle.read(2).stream()
                .map(entry -> entry.event() instanceof SessionDescribed(var _, var text) ? text : "?")
                .toList();
    }
}
