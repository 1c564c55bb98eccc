package dev.skein.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.skein.session.Scope;
import dev.skein.session.SessionId;
import dev.skein.store.NewSession;
import dev.skein.testkit.Events;
import dev.skein.wire.EventBuffer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A stranger's reader, written from `docs/session-format.md` in another language, reads what the file store wrote.
@Tag("docs")
class ReadJournalScriptTest {

    private static final Path SCRIPT = Path.of("../docs/examples/read_journal.py");

    private final Events events = new Events(Clock.systemUTC(), 1);

    @TempDir
    Path home;

    /// What the script printed, and how it ended.
    private record Ran(int code, List<String> lines) {
        String verdict() {
            return lines.getLast();
        }
    }

    @BeforeAll
    static void needsPython() {
        assumeTrue(hasPython(), "python3 is not installed, so the reader in Python is not tried");
    }

    @Test
    void a_journal_is_verified_and_printed() throws Exception {
        var journal = Layout.journal(directory(session()));

        var ran = read(journal);

        assertThat(ran.lines())
                .anyMatch(line -> line.strip().equals("4 message_ended user: Wie heißt der \"Käse\"? ✓·"))
                .hasSize(8);
        assertThat(ran.verdict()).isEqualTo("7 records, 0 gaps, 0 torn bytes");
        assertThat(ran.code()).isZero();
    }

    @Test
    void an_unfinished_append_is_left_out() throws Exception {
        var journal = Layout.journal(directory(session()));
        var lines = Files.readAllLines(journal);
        Files.writeString(
                journal,
                String.join("\n", lines.subList(0, 5)) + "\n" + lines.get(5).substring(0, 40));

        assertThat(read(journal).verdict()).startsWith("1 records, 0 gaps, ");
    }

    @Test
    void damage_is_told_as_a_gap_and_hides_nothing_else() throws Exception {
        var id = session();
        try (var store = FileSessionStore.open(home);
                var session = store.open(Scope.LOCAL, id)) {
            session.append(events.descriptions(1));
        }
        var journal = Layout.journal(directory(id));
        Files.writeString(journal, Files.readString(journal).replace("Käse", "Kase"));

        var ran = read(journal);

        assertThat(ran.lines()).contains("     4 gap: 1 missing").hasSize(9);
        assertThat(ran.verdict()).isEqualTo("7 records, 1 gaps, 0 torn bytes");
        assertThat(ran.code()).isEqualTo(1);
    }

    @Test
    void a_fork_is_read_together_with_what_it_shares_with_a_deleted_parent() throws Exception {
        var parent = session();
        SessionId fork;
        try (var store = FileSessionStore.open(home)) {
            try (var forked = store.fork(Scope.LOCAL, parent, 4, NewSession.in(new Scope("local", "coder")))) {
                fork = forked.id();
            }
            store.delete(Scope.LOCAL, parent);
        }
        var journal =
                Layout.journal(Layout.of(home, new Scope("local", "coder")).session(fork));

        assertThat(read(journal).verdict()).isEqualTo("5 records, 0 gaps, 0 torn bytes");
    }

    @Test
    void a_newer_format_is_refused() throws Exception {
        var journal = home.resolve("journal.jsonl");
        var opened = "{\"type\":\"session_opened\",\"format\":2}".getBytes(StandardCharsets.UTF_8);
        var out = new EventBuffer();
        Frame.write(out, 1, Frame.NO_CRC, 0, 0, "a \"key\"", opened);
        Files.write(journal, out.toByteArray(), StandardOpenOption.CREATE);

        assertThat(read(journal).verdict()).endsWith("has format 2; this reader knows 1");
    }

    private SessionId session() {
        try (var store = FileSessionStore.open(home);
                var session = store.create(NewSession.in(Scope.LOCAL).named("cheese"))) {
            session.append(events.exchange(null, "Wie heißt der \"Käse\"? ✓\u0007", "Brie"));
            return session.id();
        }
    }

    private Path directory(SessionId id) {
        return Layout.of(home, Scope.LOCAL).session(id);
    }

    private static Ran read(Path journal) throws Exception {
        return run("python3", SCRIPT.toString(), journal.toString());
    }

    private static boolean hasPython() {
        try {
            return run("python3", "--version").code() == 0;
        } catch (Exception _) {
            return false;
        }
    }

    private static Ran run(String... command) throws IOException, InterruptedException {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Ran(process.exitValue(), printed.lines().toList());
    }
}
