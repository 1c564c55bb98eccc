package dev.skein.cli.repl;

import static dev.skein.cli.repl.Sitting.CTRL_C;
import static dev.skein.cli.repl.Sitting.CTRL_D;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.skein.cli.pty.Pty;
import dev.skein.cli.pty.Skein;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The whole program in a process of its own, on a pseudo-terminal of the system's.
@Timeout(300)
class ReplProcessTest {

    @TempDir
    Path home;

    private final Map<String, String> env = new HashMap<>(Map.of("NO_COLOR", "1", "OLLAMA_HOST", "127.0.0.1:9"));

    @BeforeEach
    void a_pseudo_terminal_can_be_had() {
        assumeTrue(Pty.isPossible(), "nothing opens a pseudo-terminal here (apt-get install bsdutils)");
        env.put("SKEIN_HOME", home.toString());
    }

    @Test
    void every_command_does_what_it_says() throws Exception {
        var file = Files.writeString(home.resolve("note.txt"), "a note about apples");
        var editor = Files.writeString(home.resolve("editor.sh"), "echo 'written in an editor' > \"$1\"\n");
        EveryCommand.prepare(home);
        env.put("EDITOR", "sh " + editor);
        try (var sitting = begin()) {
            sitting.sees("skein> ");
            for (var step : EveryCommand.steps(file)) {
                sitting.presses(step.keys());
                if (!step.shows().isEmpty()) {
                    sitting.sees(step.shows());
                    sitting.sees(step.then());
                }
            }
            sitting.ends();
        }
    }

    /// What an earlier design of sessions asked people to try by hand.
    @Test
    void a_session_lives_from_its_first_word_to_its_deletion() throws Exception {
        String id;
        try (var sitting = begin()) {
            sitting.sees("skein> ");
            sitting.types(".session foo").sees("foo> ");
            id = Files.readString(named("foo")).strip();
            assertThat(journal(id)).exists();
            for (var words : List.of("one", "two", "three")) {
                var before = Files.size(journal(id));
                sitting.types(words).sees("You said: " + words);
                sitting.sees("foo> ");
                assertThat(Files.size(journal(id))).isGreaterThan(before);
            }
            sitting.types(".save session bar").sees("bar> ");
            assertThat(Files.readString(named("bar")).strip()).isEqualTo(id);
            assertThat(named("foo")).doesNotExist();
            sitting.types(".empty session").sees("begins afresh");
            sitting.sees("bar> ");
            assertThat(journal(id)).exists();
            sitting.types(".exit session").sees("closed 'bar'");
            sitting.sees("skein> ");
            sitting.types(".exit");
            sitting.ends();
        }
        try (var sitting = begin("--session", "bar")) {
            sitting.sees("bar> ");
            sitting.types(".info").sees(id);
            sitting.sees("bar> ");
            sitting.types(".delete").sees("delete 'bar' for good? [y/N] ");
            sitting.types("y").sees("deleted 'bar'");
            sitting.sees("skein> ");
            assertThat(named("bar")).doesNotExist();
            assertThat(journal(id)).doesNotExist();
            sitting.presses(CTRL_D);
            sitting.ends();
        }
    }

    @Test
    void ctrl_c_stops_an_answer_and_the_window_may_change_at_any_time() throws Exception {
        env.remove("NO_COLOR");
        try (var sitting = begin("-s", "foo")) {
            assertThat(sitting.sees("foo> "))
                    .contains("Welcome to Skein.", "foo · offline:skein · 0 tokens")
                    .doesNotContainIgnoringCase("warning");
            sitting.types("count to 300 slowly").sees("1 2 3");
            sitting.resize(70);
            sitting.presses(CTRL_C).sees("what was said is kept");
            sitting.sees("foo> ");
            sitting.resize(40);
            sitting.types("alpha beta gamma delta epsilon zeta eta theta iota kappa")
                    .sees("This is Skein's offline");
            var shown = sitting.sees("kappa\n");
            assertThat(Arrays.stream(shown.split("\n")).map(String::length)).allMatch(length -> length <= 40);
            sitting.sees("foo> ");
            sitting.presses(CTRL_C).sees("Ctrl-C again leaves");
            sitting.sees("foo> ");
            sitting.presses(CTRL_C);
            sitting.ends();
        }
    }

    @Test
    void a_run_that_was_killed_in_mid_turn_is_offered_and_goes_on() throws Exception {
        try (var first = begin("-s", "foo")) {
            first.sees("foo> ");
            first.types("count to 300 slowly").sees("1 2 3");
            first.kill();
        }
        try (var second = begin("-c")) {
            assertThat(second.sees("continue it? [y/N] "))
                    .contains("'foo': ", "count to 300 slowly", "was not finished");
            second.types("y").sees("1 2 3");
            second.presses(CTRL_C).sees("what was said is kept");
            second.sees("foo> ");
            second.types(".exit");
            second.ends();
        }
    }

    private Pty begin(String... args) throws IOException {
        return new Pty(100, env, Skein.command(args));
    }

    private Path named(String name) {
        return home.resolve("sessions/by-name").resolve(name);
    }

    private Path journal(String id) {
        return home.resolve("sessions/by-id").resolve(id).resolve("journal.jsonl");
    }
}
