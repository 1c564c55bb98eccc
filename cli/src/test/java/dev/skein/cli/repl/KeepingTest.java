package dev.skein.cli.repl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.cli.Main;
import dev.skein.cli.terminal.Streams;
import dev.skein.cli.terminal.Streams.Attached;
import dev.skein.session.Scope;
import dev.skein.session.SessionId;
import dev.skein.store.ListQuery;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionSummary;
import dev.skein.store.file.FileSessionStore;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What becomes of sessions without a name, what Up recalls, and what stands at the bottom.
class KeepingTest {

    private static final String UP = "\u001bOA";

    @TempDir
    Path home;

    @Test
    void asked_at_the_end_a_person_keeps_names_or_forgets_a_session_without_a_name() {
        for (var answer : List.of("", "n", "plums")) {
            try (var sitting = Sitting.in(home).begin("--save-session=ask")) {
                sitting.sees("skein> ");
                sitting.types("words for " + (answer.isEmpty() ? "nobody" : answer))
                        .sees("You said: words");
                sitting.sees("> ");
                sitting.types(".exit").sees("a name renames it, n forgets it");
                sitting.types(answer);
                sitting.leaves();
            }
        }

        assertThat(names()).containsExactlyInAnyOrder("words-for-nobody", "plums");
    }

    @Test
    void a_named_session_is_kept_whatever_the_settings_say() throws IOException {
        Files.writeString(home.resolve("config.yaml"), "save_session: false\n");
        try (var sitting = Sitting.in(home).begin()) {
            sitting.sees("skein> ");
            sitting.types("forget this").sees("You said: forget this");
            sitting.sees("> ");
            sitting.types(".exit session").sees("and forgot it");
            sitting.types("keep this").sees("You said: keep this");
            sitting.sees("> ");
            sitting.types(".save session kept").sees("kept> ");
            sitting.types(".session other").sees("other> ");
            sitting.types("hello").sees("You said: hello");
            sitting.sees("other> ");
        }

        assertThat(names()).containsExactlyInAnyOrder("kept", "other");
    }

    @Test
    void a_session_that_somebody_named_elsewhere_is_not_forgotten() {
        try (var sitting = Sitting.in(home).begin("--save-session=false")) {
            says(sitting, "plums");
            elsewhere("session", "rename", only(), "theirs");
            sitting.types(".exit session").sees("kept 'theirs': it was given that name elsewhere");
            says(sitting, "pears");
        }

        assertThat(names()).containsExactly("theirs");
    }

    @Test
    void a_session_in_which_somebody_else_spoke_is_not_forgotten() {
        try (var sitting = Sitting.in(home).begin("--save-session=false")) {
            says(sitting, "plums");
            elsewhere("-s", only(), "pears");
            says(sitting, "apples");
            sitting.types(".exit session").sees("somebody else worked in it");
            sitting.sees("> ");
        }

        assertThat(names()).containsExactly("plums");
    }

    @Test
    void a_session_in_which_somebody_else_spoke_is_not_forgotten_though_the_person_says_so() {
        try (var sitting = Sitting.in(home).begin("--save-session=ask")) {
            says(sitting, "plums");
            elsewhere("-s", only(), "pears");
            sitting.types(".exit").sees("n forgets it");
            sitting.types("n").sees("kept 'plums': somebody else worked in it");
            sitting.leaves();
        }

        assertThat(names()).containsExactly("plums");
    }

    @Test
    void a_session_whose_tool_call_somebody_else_decided_is_not_forgotten() {
        try (var sitting = Sitting.in(home).begin("--save-session=false")) {
            sitting.sees("skein> ");
            sitting.types("run `echo plums`").sees("[y/N/a = always shell]");
            sitting.presses(Sitting.CTRL_C).sees("a tool call waits for you");
            sitting.sees("> ");
            elsewhere("session", "approve", only());
            sitting.types(".exit session").sees("somebody else worked in it");
            sitting.sees("> ");
        }

        assertThat(names()).hasSize(1);
    }

    @Test
    void what_was_answered_elsewhere_while_the_person_was_asked_is_told() {
        try (var sitting = Sitting.in(home).begin("--save-session=false")) {
            sitting.sees("skein> ");
            sitting.types("run `echo plums`").sees("[y/N/a = always shell]");
            elsewhere("session", "approve", only());
            sitting.types("y").sees("shell was answered elsewhere meanwhile");
            sitting.sees("The tool shell answered:\nplums");
            sitting.types(".exit session").sees("somebody else worked in it");
        }
    }

    @Test
    void a_session_in_which_somebody_is_in_the_middle_of_a_turn_is_not_forgotten() {
        try (var sitting = Sitting.in(home).begin("--save-session=false");
                var store = FileSessionStore.open(home)) {
            says(sitting, "plums");
            try (var session = store.open(Scope.LOCAL, SessionId.parse(only()).orElseThrow());
                    var _ = session.lock(SessionHandle.WAIT_DEFAULT)) {
                sitting.types(".exit session").sees("somebody else is in the middle of a turn in it");
                sitting.sees("> ");
            }
        }

        assertThat(names()).hasSize(1);
    }

    @Test
    void a_session_is_forgotten_though_it_was_named_elsewhere_if_the_person_says_so() {
        try (var sitting = Sitting.in(home).begin("--save-session=ask")) {
            says(sitting, "plums");
            elsewhere("session", "rename", only(), "theirs");
            sitting.types(".exit").sees("keep 'theirs'?");
            sitting.types("n");
            sitting.leaves();
        }

        assertThat(names()).isEmpty();
    }

    @Test
    void what_was_done_here_does_not_keep_a_session() {
        try (var sitting = Sitting.in(home).begin("--save-session=false")) {
            sitting.sees("skein> ");
            sitting.types("run `echo plums`").sees("[y/N/a = always shell]");
            sitting.types("y").sees("plums\n[exit code 0]");
            sitting.sees("> ");
            sitting.types("run `echo pears`").sees("[y/N/a = always shell]");
            sitting.presses(Sitting.CTRL_C).sees("a tool call waits for you");
            sitting.sees("> ");
            sitting.types(".approve").sees("pears\n[exit code 0]");
            sitting.sees("> ");
            sitting.types(".set temperature 0.5").sees("temperature is 0.5 now");
            sitting.types(".undo").sees("took the last exchange back");
            sitting.types(".exit session").sees("and forgot it");
            sitting.sees("> ");
        }

        assertThat(names()).isEmpty();
    }

    @Test
    void a_session_that_is_opened_by_its_name_while_it_is_open_is_kept() {
        try (var sitting = Sitting.in(home).begin("--save-session=false")) {
            says(sitting, "plums");
            sitting.types(".resume " + only()).sees("messages, last used");
            says(sitting, "pears");
        }

        assertThat(names()).containsExactly("plums");
    }

    @Test
    void the_policy_can_be_set_at_the_prompt() {
        try (var sitting = Sitting.in(home).begin()) {
            sitting.sees("skein> ");
            sitting.types(".set save_session never").sees("neither true, false nor ask");
            sitting.types(".set save_session false").sees("save_session is false now");
            sitting.types("forget this").sees("You said: forget this");
            sitting.sees("> ");
        }

        assertThat(names()).isEmpty();
    }

    @Test
    void up_recalls_what_was_said_in_this_session_and_not_in_others() {
        for (var name : List.of("one", "two")) {
            try (var sitting = Sitting.in(home).begin("-s", name)) {
                sitting.sees(name + "> ");
                sitting.types("said in " + name).sees("You said: said in " + name);
                sitting.sees(name + "> ");
            }
        }
        try (var sitting = Sitting.in(home).begin("-s", "one")) {
            sitting.sees("one> ");
            sitting.presses(UP).sees("said in one");
            sitting.presses("\r").sees("You said: said in one");
            sitting.sees("one> ");
            sitting.types(".session two").sees("two> ");
            sitting.presses(UP).sees("said in two");
            sitting.presses("\r").sees("You said: said in two");
            sitting.sees("two> ");
        }
    }

    @Test
    void the_status_line_tells_session_model_and_tokens_also_after_the_window_changed() {
        try (var sitting = Sitting.in(home).colored().begin("-s", "one")) {
            sitting.sees("one · offline:skein · 0 tokens");
            sitting.sees("one> ");
            sitting.types("hello").sees("You said: hello");
            sitting.sees(" tokens");
            sitting.sees("one> ");
            sitting.resize(50);
            sitting.types("again").sees("You said: again");
            sitting.sees("one> ");
        }
    }

    @Test
    void a_session_is_chosen_from_a_list() {
        for (var name : List.of("one", "two")) {
            try (var sitting = Sitting.in(home).begin("-s", name)) {
                sitting.sees(name + "> ");
                sitting.types("said in " + name).sees("You said: said in " + name);
                sitting.sees(name + "> ");
            }
        }
        try (var sitting = Sitting.in(home).begin("-s")) {
            assertThat(sitting.sees("which one?")).contains("  1  two", "  2  one");
            sitting.types("2").sees("'one': ");
            sitting.sees("one> ");
        }
    }

    private static void says(Sitting sitting, String words) {
        sitting.sees("> ");
        sitting.types(words).sees("You said: " + words);
    }

    /// Runs the program a second time, as from another terminal.
    private void elsewhere(String... args) {
        var out = new ByteArrayOutputStream();
        var streams = new Streams(new ByteArrayInputStream(new byte[0]), out, out, Attached.PIPE);
        var env = Map.of("SKEIN_HOME", home.toString(), "HOME", "/nowhere", "PATH", "/usr/bin:/bin");

        assertThat(Main.run(args, streams, env, Clock.systemUTC()))
                .as(out.toString(StandardCharsets.UTF_8))
                .isZero();
    }

    /// The id of the only session.
    private String only() {
        try (var store = FileSessionStore.open(home)) {
            var sessions = store.list(ListQuery.of(Scope.LOCAL)).sessions();
            assertThat(sessions).hasSize(1);
            return String.valueOf(sessions.getFirst().id());
        }
    }

    private List<String> names() {
        try (var store = FileSessionStore.open(home)) {
            return store.list(ListQuery.of(Scope.LOCAL)).sessions().stream()
                    .map(SessionSummary::alias)
                    .map(String::valueOf)
                    .toList();
        }
    }
}
