package dev.skein.cli.repl;

import static dev.skein.cli.repl.Sitting.CTRL_C;
import static dev.skein.cli.repl.Sitting.CTRL_D;
import static dev.skein.cli.repl.Sitting.TAB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.cli.AskingServer;
import dev.skein.cli.program.ExitCode;
import dev.skein.message.Message;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import dev.skein.store.SessionHandle;
import dev.skein.store.file.FileSessionStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A person talks at a terminal, and a real home keeps it.
class ReplTest {

    @TempDir
    Path home;

    @Test
    void a_prompt_is_answered_and_the_next_one_waits() {
        try (var sitting = Sitting.in(home).begin("-s", "foo")) {
            sitting.sees("foo> ");
            sitting.types("hello there");
            sitting.sees("You said: hello there\n");
            sitting.sees("foo> ");
            sitting.types(".exit");

            assertThat(sitting.leaves()).isEqualTo(ExitCode.OK);
        }
        assertThat(said("foo")).containsExactly("hello there", offline("You said: hello there"));
    }

    @Test
    void the_first_time_it_greets_and_says_how_to_add_a_provider() {
        try (var sitting = Sitting.in(home).begin()) {
            var greeting = sitting.sees("skein> ");

            assertThat(greeting)
                    .contains(
                            "Welcome to Skein.",
                            "Providers found: ",
                            "offline:skein answers",
                            "OPENAI_API_KEY",
                            home.toString());
            sitting.types("hi");
            sitting.sees("You said: hi\n");
            sitting.sees("> ");
        }
        try (var sitting = Sitting.in(home).begin()) {
            assertThat(sitting.sees("skein> ")).doesNotContain("Welcome").contains("offline:skein answers");
        }
    }

    @Test
    void set_chooses_the_mcp_servers_of_a_session() throws IOException {
        var server = AskingServer.in(home.resolve("asks"));
        Files.writeString(home.resolve("mcp.json"), "{\"mcpServers\":{\"asks\":{\"command\":\"" + server + "\"}}}");
        try (var sitting = Sitting.in(home).with("PATH", "/usr/bin:/bin").begin("-s", "foo")) {
            sitting.sees("foo> ");
            sitting.types(".set mcp_servers none");
            sitting.sees("mcp_servers");
            sitting.sees("foo> ");
            sitting.types(".tools");
            assertThat(sitting.sees("foo> ")).contains("read").doesNotContain("asks__color");

            sitting.types(".set mcp_servers asks");
            sitting.sees("mcp_servers");
            sitting.sees("foo> ");
            sitting.types(".tools");
            assertThat(sitting.sees("foo> ")).contains("asks__color");

            sitting.types(".set mcp_servers nobody");
            assertThat(sitting.sees("foo> ")).contains("nobody");
            sitting.types(".exit");
            assertThat(sitting.leaves()).isEqualTo(ExitCode.OK);
        }
    }

    @Test
    void every_command_does_what_it_says() throws IOException {
        var file = Files.writeString(home.resolve("note.txt"), "a note about apples");
        var editor = Files.writeString(home.resolve("editor.sh"), "echo 'written in an editor' > \"$1\"\n");
        EveryCommand.prepare(home);
        var typed = EnumSet.noneOf(Dot.class);
        try (var sitting = Sitting.in(home).with("EDITOR", "sh " + editor).begin()) {
            sitting.sees("skein> ");
            for (var step : EveryCommand.steps(file)) {
                Dot.in(step.line()).ifPresent(call -> typed.add(call.dot()));
                sitting.presses(step.keys());
                if (!step.shows().isEmpty()) {
                    sitting.sees(step.shows());
                    sitting.sees(step.then());
                }
            }
            assertThat(sitting.leaves()).isEqualTo(ExitCode.OK);
        }
        typed.add(Dot.EXIT); // In another test.
        assertThat(typed).containsExactlyInAnyOrder(Dot.values());
    }

    @Test
    void a_session_is_named_said_in_renamed_emptied_closed_resumed_and_deleted() {
        SessionId id;
        try (var sitting = Sitting.in(home).begin()) {
            sitting.sees("skein> ");
            sitting.types(".session foo").sees("foo> ");
            id = idOf("foo");
            sitting.types("remember the plums").sees("foo> ");
            sitting.types(".save session bar").sees("bar> ");
            assertThat(idOf("bar")).isEqualTo(id);
            sitting.types(".empty session").sees("bar> ");
            sitting.types(".exit session").sees("skein> ");
        }
        try (var sitting = Sitting.in(home).begin("--session", "bar")) {
            sitting.sees("bar> ");
            assertThat(idOf("bar")).isEqualTo(id);
            sitting.types("what did I say before?").sees("you said nothing in this session");
            sitting.sees("bar> ");
            sitting.types(".delete").sees("delete 'bar' for good?");
            sitting.types("y").sees("deleted 'bar'");
            sitting.sees("skein> ");
        }
        try (var store = FileSessionStore.open(home)) {
            assertThat(store.resolve(Scope.LOCAL, new SessionAlias("bar"))).isEmpty();
        }
    }

    @Test
    void ctrl_c_stops_an_answer_and_keeps_what_was_said() {
        try (var sitting = Sitting.in(home).colored().begin("-s", "foo")) {
            sitting.sees("foo> ");
            sitting.types("count to 500 slowly").sees("1 2 3");
            sitting.presses(CTRL_C).sees("stopped");
            sitting.sees("foo> ");
            sitting.types("hello").sees("You said: hello");
            sitting.sees("foo> ");
        }
        assertThat(said("foo").getFirst()).isEqualTo("count to 500 slowly");
        assertThat(said("foo").get(1)).contains("1 2 3").doesNotContain("499");
    }

    @Test
    void ctrl_c_twice_at_an_empty_prompt_leaves_and_once_does_not() {
        try (var sitting = Sitting.in(home).begin()) {
            sitting.sees("skein> ");
            sitting.presses("unfinished").sees("unfinished");
            sitting.presses(CTRL_C).sees("Ctrl-C again leaves");
            sitting.sees("skein> ");
            sitting.presses(CTRL_C).sees("Ctrl-C again leaves");
            sitting.sees("skein> ");
            sitting.presses(CTRL_C);

            assertThat(sitting.leaves()).isEqualTo(ExitCode.OK);
        }
    }

    @Test
    void ctrl_d_leaves() {
        try (var sitting = Sitting.in(home).begin()) {
            sitting.sees("skein> ");
            sitting.presses(CTRL_D);

            assertThat(sitting.leaves()).isEqualTo(ExitCode.OK);
        }
    }

    @Test
    void what_is_not_a_command_is_named_with_the_nearest_that_is() {
        try (var sitting = Sitting.in(home).begin()) {
            sitting.sees("skein> ");
            sitting.types(".sesion foo").sees("there is no command '.sesion'; did you mean '.session'?");
            sitting.types(".emty session").sees("did you mean '.empty session'?");
            sitting.types(".volt").sees("there is no command '.volt'");
            sitting.types(".set temprature 1").sees("did you mean 'temperature'?");
            sitting.types(".set temperature 9").sees("'9' is not a number from 0 to 2");
            sitting.types(".model gpt").sees("a model is named provider:model");
            sitting.types(".model openai:gpt-4o").sees("OPENAI_API_KEY");
        }
    }

    @Test
    void a_command_in_the_wrong_place_says_what_it_needs_and_what_it_found() {
        try (var sitting = Sitting.in(home).begin()) {
            sitting.sees("skein> ");
            sitting.types(".undo").sees("'.undo' needs an open session, and none is open");
            sitting.types(".session foo").sees("foo> ");
            sitting.types(".regenerate").sees("needs something that was said, and this session is empty");
            sitting.types(".approve").sees("needs a tool call that waits for you, and none does");
            sitting.types(".show").sees("no tool ran");
            sitting.types(".copy").sees("there is no answer to copy yet");
        }
    }

    @Test
    void a_line_goes_on_after_a_backslash_and_between_colons() {
        try (var sitting = Sitting.in(home).begin("-s", "foo")) {
            sitting.sees("foo> ");
            sitting.types("one \\").types("two").sees("You said: one");
            sitting.sees("foo> ");
            sitting.types(":::")
                    .types(".help is not a command here")
                    .types("three")
                    .types(":::")
                    .sees("You said:");
            sitting.sees("three\n");
            sitting.sees("foo> ");
        }
        assertThat(said("foo")).contains("one \ntwo", ".help is not a command here\nthree");
    }

    @Test
    void tab_completes_commands_models_sessions_settings_and_files() throws IOException {
        Files.writeString(home.resolve("plums.txt"), "plums");
        try (var sitting = Sitting.in(home).begin("-s", "apple-tree")) {
            sitting.sees("apple-tree> ");
            sitting.presses(".compr" + TAB + TAB).sees("session");
            sitting.presses("\u0015.model off" + TAB).sees("offline:skein");
            sitting.presses("\u0015.resume app" + TAB).sees("apple-tree");
            sitting.presses("\u0015.set temp" + TAB).sees("temperature");
            sitting.presses("\u0015.file " + home + "/plu" + TAB).sees("plums.txt");
            sitting.presses("\u0015");
        }
    }

    @Test
    void the_history_is_private_and_leaves_out_lines_that_begin_with_a_blank() throws IOException {
        try (var sitting = Sitting.in(home).begin()) {
            sitting.sees("skein> ");
            sitting.types("a line to find again").sees("You said: a line");
            sitting.sees("> ");
            sitting.types(" a secret").sees("You said: a secret");
            sitting.sees("> ");
        }
        var history = home.resolve("history");
        assertThat(Files.readString(history)).contains("a line to find again").doesNotContain("secret");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(history)))
                .isEqualTo("rw-------");
    }

    @Test
    void a_tool_call_is_asked_about_once_or_always() {
        try (var sitting = Sitting.in(home).begin("-s", "foo")) {
            sitting.sees("foo> ");
            sitting.types("run `echo first`").sees("[y/N/a = always shell]");
            sitting.types("n").sees("foo> ");
            sitting.types("run `echo second`").sees("[y/N/a = always shell]");
            sitting.types("y").sees("▸ shell {\"command\":\"echo second\"}");
            sitting.sees("foo> ");
            sitting.types("run `echo third`").sees("[y/N/a = always shell]");
            sitting.types("a").sees("▸ shell");
            sitting.sees("foo> ");
            sitting.types("run `echo fourth`").sees("▸ shell {\"command\":\"echo fourth\"}");
            sitting.sees("foo> ");
        }
    }

    @Test
    void a_call_that_waits_is_offered_when_its_session_is_taken_up_again() {
        try (var sitting = Sitting.in(home).begin("-s", "foo")) {
            sitting.sees("foo> ");
            sitting.types("run `echo waited`").sees("[y/N/a = always shell]");
            sitting.presses(CTRL_C).sees("foo> ");
        }
        try (var sitting = Sitting.in(home).begin("-c")) {
            assertThat(sitting.sees("decide now? [y/N] ")).contains("'foo': ", "run `echo waited`");
            sitting.types("y").sees("[y/N/a = always shell]");
            sitting.types("y").sees("▸ shell {\"command\":\"echo waited\"}");
            sitting.sees("foo> ");
        }
    }

    @Test
    void what_was_written_in_the_editor_stays_in_its_file_until_it_was_said() throws IOException {
        var editor = Files.writeString(
                home.resolve("editor.sh"), "printf 'a caf\\351' > \"$1\"; echo \"$1\" > '" + home + "/file'\n");
        try (var sitting =
                Sitting.in(home).with("EDITOR", "sh " + editor).columns(300).begin("-s", "foo")) {
            sitting.sees("foo> ");
            sitting.types("run `echo waits`").sees("[y/N/a = always shell]");
            sitting.presses(CTRL_C).sees("foo> ");
            sitting.types(".edit").sees("what you wrote is in ");
            var told = sitting.sees("waits for a decision");
            var file = Path.of(Files.readString(home.resolve("file")).strip());
            assertThat(told).contains(file.toString());
            assertThat(file).hasBinaryContent("a caf\u00e9".getBytes(StandardCharsets.ISO_8859_1));
            Files.delete(file);

            sitting.sees("foo> ");
            sitting.types(".deny").sees("foo> ");
            sitting.types(".edit").sees("You said: a caf\ufffd");
            sitting.sees("foo> ");
            assertThat(Path.of(Files.readString(home.resolve("file")).strip())).doesNotExist();
        }
    }

    @Test
    void what_an_editor_left_when_it_broke_stays_in_its_file() throws IOException {
        var editor = Files.writeString(
                home.resolve("editor.sh"), "echo words >> \"$1\"; echo \"$1\" > '" + home + "/file'; exit 3\n");
        try (var sitting =
                Sitting.in(home).with("EDITOR", "sh " + editor).columns(300).begin("-s", "foo")) {
            sitting.sees("foo> ");
            sitting.types(".edit some").sees("what you wrote is in ");
            sitting.sees("ended with 3");
            sitting.sees("foo> ");
        }
        var file = Path.of(Files.readString(home.resolve("file")).strip());
        assertThat(file).hasContent("somewords\n");
        Files.delete(file);
    }

    @Test
    void what_was_said_cannot_command_the_terminal() throws IOException {
        var file = Files.writeString(home.resolve("evil.txt"), "before \u001b]0;title\u0007\u001b[2J after");
        try (var sitting = Sitting.in(home).colored().begin("-s", "foo")) {
            sitting.sees("foo> ");
            sitting.types(".file " + file).sees("after");
            sitting.sees("foo> ");
            assertThat(sitting.raw()).doesNotContain("\u001b]0;title").doesNotContain("\u001b[2J");
        }
    }

    @Test
    void answers_fit_a_narrow_terminal_also_after_it_changed() {
        var words = "alpha beta gamma delta epsilon zeta eta theta iota kappa";
        try (var sitting = Sitting.in(home).columns(80).begin("-s", "foo")) {
            sitting.sees("foo> ");
            sitting.resize(30);
            sitting.types(words).sees("\nThis is Skein's offline");
            var shown = sitting.sees("foo> ");

            assertThat(Arrays.stream(shown.split("\n")).map(String::length)).allMatch(length -> length <= 30);
        }
    }

    @Test
    void a_line_that_is_being_typed_is_drawn_where_it_was_when_the_window_changes() {
        var words = "alpha beta gamma delta epsilon zeta eta theta iota kappa";
        try (var sitting = Sitting.in(home).columns(80).begin("-s", "foo")) {
            sitting.sees("foo> ");
            sitting.presses(words).sees("kappa");
            var before = sitting.raw().length();
            sitting.resize(30);
            sitting.sees("zeta");

            // 61 columns are three rows of 30, so the prompt is two rows above the cursor.
            assertThat(sitting.raw().substring(before)).startsWith("\u001b[A\u001b[A\r\u001b[J");
            sitting.types("").sees("said: alpha");
        }
    }

    @Test
    void nothing_is_kept_if_nothing_should_be() {
        try (var sitting = Sitting.in(home).begin("--no-session")) {
            sitting.sees("skein> ");
            sitting.types("between us").sees("You said: between us");
            sitting.sees("> ");
            sitting.types(".resume").sees("this sitting keeps nothing");
        }
        try (var store = FileSessionStore.open(home)) {
            assertThat(store.last(Scope.LOCAL)).isEmpty();
        }
    }

    @Test
    void the_page_about_the_prompt_has_every_command_and_no_other() throws IOException {
        var expected = Arrays.stream(Dot.values())
                .map(dot -> "| `" + (dot.typed() + " " + dot.arguments).strip().replace("|", "\\|") + "` | "
                        + dot.summary + " |")
                .toList();

        var page = Files.readAllLines(Path.of("../docs/repl.md"));

        assertThat(page.stream().filter(line -> line.startsWith("| `.")).toList())
                .isEqualTo(expected);
    }

    private List<String> said(String name) {
        return with(
                name,
                session -> session.context(100).messages().stream()
                        .map(Message::text)
                        .toList());
    }

    private SessionId idOf(String name) {
        return with(name, SessionHandle::id);
    }

    private <T> T with(String name, Function<SessionHandle, T> use) {
        try (var store = FileSessionStore.open(home);
                var session = store.open(
                        Scope.LOCAL,
                        store.resolve(Scope.LOCAL, new SessionAlias(name)).orElseThrow())) {
            return use.apply(session);
        }
    }

    private static String offline(String answer) {
        return "This is Skein's offline model, not a language model. " + answer;
    }
}
