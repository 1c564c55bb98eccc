package dev.skein.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.failure.SessionDamaged;
import dev.skein.message.Message;
import dev.skein.session.Exchange;
import dev.skein.session.Ids;
import dev.skein.session.Scope;
import dev.skein.session.SessionId;
import dev.skein.store.ListQuery;
import dev.skein.store.NewSession;
import dev.skein.store.file.Doctor.Severity;
import dev.skein.testkit.Events;
import dev.skein.testkit.MutableClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DoctorTest {

    private final Path home = TemporaryHome.make();
    private final MutableClock clock = new MutableClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final Events events = new Events(clock, 1);

    @Test
    void a_healthy_store_has_no_findings() {
        conversation("one", 3);

        assertThat(Doctor.check(home)).isEqualTo(new Doctor.Report(List.of(), 1));
    }

    @Test
    void looking_changes_nothing() throws IOException {
        var journal = journal(conversation("one", 3));
        spoil(journal, 4);
        var before = Files.readAllBytes(journal);

        Doctor.check(home);

        assertThat(Files.readAllBytes(journal)).isEqualTo(before);
        assertThat(journal.getParent())
                .isDirectoryNotContaining(path -> path.toString().contains("damaged"));
    }

    @Test
    void a_damaged_record_is_found_mended_and_kept() throws IOException {
        var id = conversation("one", 3);
        spoil(journal(id), 4);
        var damaged = Files.readAllBytes(journal(id));
        try (var store = FileSessionStore.open(home);
                var handle = store.open(Scope.LOCAL, id)) {
            assertThatThrownBy(() -> handle.append(events.descriptions(1))).isInstanceOf(SessionDamaged.class);
        }
        assertThat(Doctor.check(home).isDamaged()).isTrue();

        var report = Doctor.repair(home);

        assertThat(report.isDamaged()).isFalse();
        assertThat(report.findings()).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.DAMAGE);
            assertThat(finding.what()).contains("lost 1 events from number 5");
        });
        assertThat(Files.readAllBytes(journal(id).resolveSibling("journal.jsonl.damaged-1")))
                .isEqualTo(damaged);
        assertThat(Doctor.check(home).findings()).isEmpty();
        try (var store = FileSessionStore.open(home);
                var handle = store.open(Scope.LOCAL, id)) {
            handle.append(events.descriptions(1));
            assertThat(handle.read(1)).hasSize(20);
            assertThat(handle.context(50).messages().stream().map(Message::text))
                    .contains("prompt 1", "prompt 2", "answer to prompt 2");
        }
    }

    @Test
    void a_journal_whose_first_record_is_lost_opens_again() throws IOException {
        var id = conversation("one", 2);
        spoil(journal(id), 0);

        Doctor.repair(home);

        try (var store = FileSessionStore.open(home);
                var handle = store.open(Scope.LOCAL, id)) {
            assertThat(handle.state().id()).isEqualTo(id);
            assertThat(handle.state().totals().messages()).isEqualTo(4);
            handle.append(events.descriptions(1));
        }
    }

    @Test
    void a_damaged_fork_keeps_its_place_after_its_parent() throws IOException {
        var parent = conversation("one", 2);
        SessionId fork;
        try (var store = FileSessionStore.open(home);
                var child = store.fork(Scope.LOCAL, parent, 7, NewSession.in(Scope.LOCAL))) {
            fork = child.id();
            child.append(events.descriptions(3));
        }
        spoil(journal(fork), 2);

        Doctor.repair(home);

        try (var store = FileSessionStore.open(home);
                var handle = store.open(Scope.LOCAL, fork)) {
            assertThat(handle.read(1)).extracting(entry -> entry.seq()).containsExactlyElementsOf(upTo(11));
            assertThat(handle.append(events.descriptions(1)).first()).isEqualTo(12);
        }
    }

    @Test
    void a_deleted_parent_that_a_fork_still_reads_is_mended_too() throws IOException {
        var parent = conversation("one", 2);
        SessionId fork;
        try (var store = FileSessionStore.open(home);
                var child = store.fork(Scope.LOCAL, parent, 13, NewSession.in(Scope.LOCAL))) {
            fork = child.id();
            store.delete(Scope.LOCAL, parent);
        }
        var kept = home.resolve("sessions/forked/" + parent + "/journal.jsonl");
        spoil(kept, 3);
        Files.delete(home.resolve("sessions/by-id/" + fork + "/state.yaml"));

        assertThat(Doctor.check(home).isDamaged()).isTrue();
        assertThat(Doctor.repair(home).isDamaged()).isFalse();

        try (var store = FileSessionStore.open(home);
                var handle = store.open(Scope.LOCAL, fork)) {
            assertThat(handle.append(events.descriptions(1)).first()).isEqualTo(15);
        }
    }

    @Test
    void a_name_that_holds_garbage_is_set_aside() throws IOException {
        conversation("one", 1);
        Files.writeString(home.resolve("sessions/by-name/two"), "garbage");

        assertThat(Doctor.repair(home).findings()).singleElement().satisfies(finding -> {
            assertThat(finding.file()).isEqualTo(home.resolve("sessions/by-name/two"));
            assertThat(finding.repaired()).isTrue();
        });

        assertThat(home.resolve("sessions/damaged/two-1")).hasContent("garbage");
        assertThat(Doctor.check(home).findings()).isEmpty();
        try (var store = FileSessionStore.open(home)) {
            assertThat(store.list(ListQuery.of(Scope.LOCAL)).sessions()).hasSize(1);
        }
    }

    @Test
    void a_session_in_use_is_left_alone() throws IOException {
        var id = conversation("one", 2);
        try (var store = FileSessionStore.open(home);
                var handle = store.open(Scope.LOCAL, id);
                var _ = handle.lock(Duration.ofSeconds(10))) {
            spoil(journal(id), 3);

            var report = Doctor.repair(home);

            assertThat(report.isDamaged()).isTrue();
            assertThat(report.findings()).anyMatch(finding -> finding.what().contains("busy"));
        }
    }

    private SessionId conversation(String name, int exchanges) {
        try (var store = FileSessionStore.open(home, StoreOptions.standard().withClock(clock));
                var handle = store.openOrCreate(NewSession.in(Scope.LOCAL).named(name))) {
            for (int i = 0; i < exchanges; i++) {
                var head = handle.state().head();
                handle.append(Exchange.of(
                        new Ids(clock, new Random(i)), clock.instant(), head, "prompt " + i, "answer to prompt " + i));
            }
            return handle.id();
        }
    }

    private Path journal(SessionId id) {
        return home.resolve("sessions/by-id/" + id + "/journal.jsonl");
    }

    /// Changes one letter in the middle of a line.
    private static void spoil(Path journal, int line) throws IOException {
        var lines = new ArrayList<>(Files.readAllLines(journal));
        var text = lines.get(line);
        lines.set(line, text.substring(0, text.length() / 2) + "~" + text.substring(text.length() / 2 + 1));
        Files.write(journal, lines);
    }

    private static List<Long> upTo(long last) {
        var numbers = new ArrayList<Long>();
        for (long i = 1; i <= last; i++) {
            numbers.add(i);
        }
        return numbers;
    }
}
