package dev.skein.cli.repl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.session.Scope;
import dev.skein.store.ListQuery;
import dev.skein.store.SessionSummary;
import dev.skein.store.file.FileSessionStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

    private List<String> names() {
        try (var store = FileSessionStore.open(home)) {
            return store.list(ListQuery.of(Scope.LOCAL)).sessions().stream()
                    .map(SessionSummary::alias)
                    .map(String::valueOf)
                    .toList();
        }
    }
}
