package dev.skein.store.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.failure.SessionDamaged;
import dev.skein.session.Entry;
import dev.skein.session.LoopId;
import dev.skein.session.LoopPointer;
import dev.skein.session.Scope;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionId;
import dev.skein.store.Batch;
import dev.skein.store.ListQuery;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.testkit.Events;
import dev.skein.wire.EventBuffer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What other tools' session files suffered from, done to ours: each opens or says what is wrong, shows all that is
/// intact, and leaves the session beside it alone.
class RivalCorpusTest {

    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-03-01T12:00:00Z"), ZoneOffset.UTC);
    private static final int EVENTS = 8;

    private final Events events = new Events(CLOCK, 1);
    private final Path home = TemporaryHome.make();
    private SessionId victim;
    private SessionId healthy;

    @Test
    void a_torn_last_line_is_set_aside_and_the_session_goes_on() throws IOException {
        victim(lines -> join(lines) + lines.getLast().substring(0, 30));

        assertServes(EVENTS, 0);
        assertTakesEvents(EVENTS);
    }

    @Test
    void a_bad_line_in_the_middle_hides_nothing_else() throws IOException {
        victim(lines -> {
            lines.set(4, "{\"not\":\"ours\"}");
            return join(lines);
        });

        assertServes(EVENTS, 1);
        assertReadOnly();
    }

    @Test
    void a_missing_line_is_told() throws IOException {
        victim(lines -> {
            lines.remove(3);
            return join(lines);
        });

        assertServes(EVENTS, 1);
        assertReadOnly();
    }

    @Test
    void half_a_record_and_a_whole_one_on_a_line_cost_only_the_half() throws IOException {
        victim(lines -> {
            lines.set(4, lines.get(4).substring(0, 50) + lines.get(5));
            lines.remove(5);
            return join(lines);
        });

        assertServes(EVENTS, 1);
        assertReadOnly();
    }

    @Test
    void two_whole_records_on_a_line_cost_at_most_the_first() throws IOException {
        victim(lines -> {
            lines.set(4, lines.get(4) + lines.get(5));
            lines.remove(5);
            return join(lines);
        });

        assertServes(EVENTS, 1);
        assertReadOnly();
    }

    @Test
    void a_line_that_is_there_twice_is_shown_once() throws IOException {
        victim(lines -> {
            lines.add(5, lines.get(4));
            return join(lines);
        });

        assertServes(EVENTS, 0);
        assertReadOnly();
    }

    @Test
    void two_writers_lines_show_one_consistent_history() throws IOException {
        victim(lines -> {
            var rival = Frame.encode(events.described("the other terminal"));
            var out = new EventBuffer();
            var at = Frame.parse(lines.get(5).getBytes(UTF_8), 0, lines.get(5).getBytes(UTF_8).length);
            Frame.write(out, at.seq(), at.prev(), 0, 0, null, rival);
            lines.add(6, out.toString(UTF_8).strip());
            return join(lines);
        });

        assertServes(EVENTS, 0);
        assertReadOnly();
    }

    @Test
    void a_file_of_zeros_fails_with_a_type_and_hides_no_other_session() throws IOException {
        victim(_ -> "\0".repeat(4096));

        assertUnreadable();
    }

    @Test
    void an_empty_file_fails_with_a_type_and_hides_no_other_session() throws IOException {
        victim(_ -> "");

        assertUnreadable();
    }

    @Test
    void a_lost_first_line_keeps_the_rest() throws IOException {
        victim(lines -> {
            lines.set(0, "\0".repeat(64));
            return join(lines);
        });

        assertServes(EVENTS, 1);
        assertReadOnly();
    }

    @Test
    void a_stale_lock_file_hinders_nobody() throws IOException {
        victim(RivalCorpusTest::join);
        Files.writeString(directory().resolve("lock"), "4711 a process that died long ago");
        Files.writeString(home.resolve("sessions/lock"), "4711");

        assertServes(EVENTS, 0);
        assertTakesEvents(EVENTS);
    }

    @Test
    void a_tool_call_without_its_result_hinders_nobody() throws IOException {
        victim(RivalCorpusTest::join);
        try (var store = open();
                var session = store.open(Scope.LOCAL, victim);
                var guard = session.lock(SessionHandle.WAIT_DEFAULT)) {
            var use = events.toolUse(null, "look", "seen");
            guard.append(Batch.at(EVENTS, use.subList(0, 4)));
        }

        assertServes(EVENTS + 4, 0);
        assertTakesEvents(EVENTS + 4);
    }

    @Test
    void a_parent_that_is_not_there_hides_no_turn() throws IOException {
        victim(RivalCorpusTest::join);
        try (var store = open();
                var session = store.open(Scope.LOCAL, victim);
                var guard = session.lock(SessionHandle.WAIT_DEFAULT)) {
            var lost = new LoopPointer(new LoopId("never-written"), 3);
            guard.append(Batch.at(EVENTS, events.exchange(lost, "who are you", "nobody")));
        }

        assertServes(EVENTS + 6, 0);
        assertTakesEvents(EVENTS + 6);
        try (var store = open();
                var session = store.open(Scope.LOCAL, victim)) {
            assertThat(session.context(50).toString()).contains("who are you", "nobody");
        }
    }

    private interface Harm {
        String to(List<String> lines);
    }

    /// Makes a healthy session and one that is harmed.
    private void victim(Harm harm) throws IOException {
        try (var store = open();
                var one = store.create(NewSession.in(Scope.LOCAL).named("healthy"));
                var other = store.create(NewSession.in(Scope.LOCAL).named("victim"))) {
            healthy = one.id();
            victim = other.id();
            for (var session : List.of(one, other)) {
                try (var guard = session.lock(SessionHandle.WAIT_DEFAULT)) {
                    for (int i = 1; i < EVENTS; i++) {
                        guard.append(Batch.at(i, List.of(events.described("description " + i))));
                    }
                }
            }
        }
        var journal = directory().resolve("journal.jsonl");
        var harmed = harm.to(new ArrayList<>(Files.readAllLines(journal)));
        Files.writeString(journal, harmed);
    }

    private void assertServes(int count, int gaps) throws IOException {
        try (var store = open();
                var session = store.open(Scope.LOCAL, victim)) {
            var read = new ArrayList<Entry>();
            session.read(1, read::add);
            assertThat(read)
                    .extracting(Entry::seq)
                    .containsExactlyElementsOf(
                            Stream.iterate(1L, i -> i + 1).limit(count).toList());
            assertThat(read.stream().filter(RivalCorpusTest::isGap)).hasSize(gaps);
            var intact = read.stream()
                    .filter(entry -> entry.seq() > 1 && entry.seq() <= EVENTS && !isGap(entry))
                    .toList();
            assertThat(intact)
                    .allSatisfy(entry ->
                            assertThat(entry.event()).isEqualTo(events.described("description " + (entry.seq() - 1))));
            assertThat(store.list(ListQuery.of(Scope.LOCAL)).sessions()).hasSize(2);
        }
        assertHealthy();
    }

    private void assertTakesEvents(int version) {
        try (var store = open();
                var session = store.open(Scope.LOCAL, victim);
                var guard = session.lock(SessionHandle.WAIT_DEFAULT)) {
            guard.append(Batch.at(version, List.of(events.described("and on"))));
            assertThat(session.state().version()).isEqualTo(version + 1);
        }
    }

    private void assertReadOnly() throws IOException {
        var journal = directory().resolve("journal.jsonl");
        var before = Files.readAllBytes(journal);
        try (var store = open();
                var session = store.open(Scope.LOCAL, victim)) {
            assertThatThrownBy(() -> session.lock(SessionHandle.WAIT_DEFAULT)).isInstanceOf(SessionDamaged.class);
        }
        assertThat(Files.readAllBytes(journal)).isEqualTo(before);
    }

    private void assertUnreadable() throws IOException {
        try (var store = open();
                var session = store.open(Scope.LOCAL, victim)) {
            assertThatThrownBy(session::state).isInstanceOf(SessionDamaged.class);
            assertThatThrownBy(() -> session.lock(SessionHandle.WAIT_DEFAULT)).isInstanceOf(SessionDamaged.class);
            var page = store.list(ListQuery.of(Scope.LOCAL));
            assertThat(page.sessions()).extracting(summary -> summary.id()).containsExactly(healthy);
            assertThat(page.problems()).singleElement().asString().contains(victim.toString());
        }
        assertHealthy();
    }

    private void assertHealthy() {
        try (var store = open();
                var session = store.open(Scope.LOCAL, healthy)) {
            assertThat(session.state().version()).isEqualTo(EVENTS);
        }
    }

    private FileSessionStore open() {
        return FileSessionStore.open(home, StoreOptions.standard().withClock(CLOCK));
    }

    private Path directory() {
        return home.resolve("sessions/by-id").resolve(victim.toString());
    }

    private static String join(List<String> lines) {
        return String.join("\n", lines) + "\n";
    }

    private static boolean isGap(Entry entry) {
        return switch (entry.event()) {
            case SessionEvent.Opaque opaque -> opaque.type().equals("gap");
            case SessionEvent.SessionOpened opened -> opened.metadata().containsKey("recovered");
            default -> false;
        };
    }
}
