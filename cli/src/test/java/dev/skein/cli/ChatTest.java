package dev.skein.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.engine.Approvals;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.store.ListQuery;
import dev.skein.store.SessionHandle;
import dev.skein.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `skein "prompt"`, with the offline model and the real store.
class ChatTest {

    @TempDir
    Path home;

    private Cli cli;

    @BeforeEach
    void program() {
        cli = new Cli(home);
    }

    @Test
    void a_prompt_is_answered_and_kept_under_a_name_of_its_own() {
        var ran = cli.run("Name", "a", "fruit");

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).endsWith("You said: Name a fruit\n");
        assertThat(cli.session("list").out()).contains("name-a-fruit");
    }

    @Test
    void the_last_session_is_continued() {
        cli.run("My name is Ada.");

        var ran = cli.run("-c", "What did I say before?");

        assertThat(ran.out()).contains("My name is Ada.");
        assertThat(sessions()).hasSize(1);
    }

    @Test
    void a_named_session_is_made_once_and_found_again() {
        cli.run("-s", "work", "one");
        cli.run("--session", "work", "two");

        assertThat(sessions()).containsExactly("work");
        inSession("work", session -> assertThat(session.load().path()).hasSize(2));
    }

    @Test
    void without_a_session_nothing_is_kept() {
        assertThat(cli.run("--no-session", "secret things").code()).isZero();

        assertThat(sessions()).isEmpty();
    }

    @Test
    void a_session_without_a_name_is_forgotten_if_the_settings_or_the_command_line_say_so() throws IOException {
        cli.run("--save-session=false", "secret things");
        Files.writeString(home.resolve("config.yaml"), "save_session: false");
        cli.run("more of them");
        cli.run("--save-session", "keep this");
        cli.run("-s", "work", "and this");

        assertThat(sessions()).containsExactlyInAnyOrder("keep-this", "work");
        assertThat(cli.run("--save-session=perhaps", "x").err()).contains("neither true, false nor ask");
    }

    @Test
    void whoever_is_asked_and_says_no_keeps_no_session() {
        cli.typing("n").run("--save-session=ask", "forget this");
        cli.typing("").run("--save-session=ask", "keep this");

        assertThat(sessions()).containsExactly("keep-this");
    }

    @Test
    void a_session_in_which_somebody_else_spoke_while_one_was_asked_is_kept() {
        cli.meanwhile = () -> new Cli(home).run("-s", "forget-this", "something else");

        var ran = cli.typing("n").run("--save-session=ask", "forget this");

        assertThat(ran.err()).contains("the session is kept: somebody else worked in it");
        inSession("forget-this", session -> assertThat(session.load().path()).hasSize(2));
    }

    @Test
    void only_the_code_of_an_answer_is_told_if_nothing_else_is_wanted() {
        var ran = cli.run("--code", "this\n```sh\nls -l\n```\nand\n~~~\npwd\n~~~\n");

        assertThat(ran.out()).isEqualTo("ls -l\npwd\n");
        assertThat(cli.run("--code", "no code").out()).isEmpty();
        assertThat(cli.run("--code", "no code").err()).contains("no code block in the answer");
    }

    @Test
    void a_session_is_chosen_only_at_a_terminal() {
        assertThat(cli.run("-s").err()).contains("-s needs a name here");
    }

    @Test
    void there_is_no_last_session_to_continue_on_an_empty_home() {
        var ran = cli.run("-c", "go on");

        assertThat(ran.code()).isEqualTo(3);
        assertThat(ran.err()).contains("leave -c out");
    }

    @Test
    void what_is_piped_in_goes_with_the_prompt() {
        cli.typed = "a poem about rain";

        assertThat(cli.run("explain").out()).contains("a poem about rain").contains("explain");
    }

    @Test
    void what_is_piped_in_alone_is_the_prompt() {
        cli.typed = "just this";

        assertThat(cli.run().out()).endsWith("You said: just this\n");
    }

    @Test
    void files_go_with_the_prompt_and_pictures_as_pictures() throws IOException {
        Files.writeString(home.resolve("a.txt"), "apples");
        Files.write(home.resolve("b.png"), new byte[] {1, 2, 3});

        var ran = cli.run(
                "-f",
                home.resolve("a.txt").toString(),
                "-f",
                home.resolve("b.png").toString(),
                "what is this?");

        assertThat(ran.out()).contains("apples").contains("pictures, which it cannot see");
    }

    @Test
    void a_file_that_is_not_there_or_not_text_is_named() throws IOException {
        Files.write(home.resolve("x.bin"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});

        assertThat(cli.run("-f", "nowhere.txt", "x").err()).contains("there is no file 'nowhere.txt'");
        assertThat(cli.run("-f", home.toString(), "x").err()).contains("is not a file");
        assertThat(cli.run("-f", home.resolve("x.bin").toString(), "x").err()).contains("neither text");
        assertThat(sessions()).as("nothing was made for what was never said").isEmpty();
    }

    @Test
    void events_come_as_json_lines_that_end_with_the_outcome() {
        var ran = cli.run("--json", "hello");

        var events = ran.out().lines().map(Json.MAPPER::readTree).toList();
        assertThat(events)
                .first()
                .satisfies(event -> assertThat(event.path("event").asString()).isEqualTo("started"));
        var finished = events.stream()
                .filter(event -> event.path("event").asString().equals("finished"))
                .findFirst()
                .orElseThrow();
        assertThat(finished.path("status").asString()).isEqualTo("completed");
        assertThat(finished.path("final_message").asString()).contains("You said: hello");
        assertThat(finished.path("usage").path("output_tokens").asInt()).isPositive();
        assertThat(events).allSatisfy(event -> {
            assertThat(event.path("request_id").asString()).isNotEmpty();
            assertThat(event.path("session_id").asString()).isNotEmpty();
        });
    }

    @Test
    void without_streaming_no_fragments_are_told() {
        var ran = cli.run("--json", "--no-stream", "hello");

        assertThat(ran.out()).doesNotContain("assistant_delta").contains("assistant_message_end");
    }

    @Test
    void a_dry_run_shows_what_would_be_asked_and_leaves_nothing_behind() {
        var ran = cli.run("--dry-run", "--system", "Be brief.", "--tools", "read,list", "hello");

        assertThat(ran.json().path("model").asString()).isEqualTo("offline:skein");
        assertThat(ran.json().path("system").asString()).isEqualTo("Be brief.");
        assertThat(ran.json().path("messages")).hasSize(1);
        assertThat(ran.json().path("tools")).hasSize(2);
        assertThat(sessions()).isEmpty();
    }

    @Test
    void a_dry_run_in_a_session_shows_its_history_and_does_not_change_it() {
        cli.run("-s", "work", "one");

        var ran = cli.run("-s", "work", "--dry-run", "two");

        assertThat(ran.json().path("messages")).hasSize(3);
        inSession("work", session -> assertThat(session.load().path()).hasSize(1));
    }

    @Test
    void a_tool_that_reads_runs_at_once() throws IOException {
        var ran = cli.run("read pom.xml");

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("<artifactId>skein-cli</artifactId>");
        assertThat(ran.err()).contains("> read");
    }

    @Test
    void a_tool_that_acts_waits_for_a_yes_which_may_come_from_another_process() {
        var ran = cli.run("-s", "work", "run `echo it ran`");
        assertThat(ran.code()).isEqualTo(13);
        assertThat(ran.err()).contains("skein session approve work");
        inSession("work", session -> assertThat(Approvals.waiting(session)).hasSize(1));

        var approved = cli.session("approve", "work");

        assertThat(approved.code()).isZero();
        assertThat(approved.out()).contains("it ran");
    }

    @Test
    void a_no_is_told_to_the_model() {
        cli.run("-s", "work", "run `echo it ran`");

        var denied = cli.session("approve", "work", "--deny", "--answer", "not on a Sunday");

        assertThat(denied.out()).contains("not on a Sunday").doesNotContain("it ran\n");
    }

    @Test
    void a_yes_can_be_given_now_and_the_run_go_on_later() {
        cli.run("-s", "work", "run `echo it ran`");
        assertThat(cli.session("approve", "work", "--no-run").code()).isZero();

        var ran = cli.run("-s", "work");

        assertThat(ran.out()).contains("it ran");
    }

    @Test
    void at_a_terminal_the_person_is_asked() {
        cli.typing("y");

        var ran = cli.run("-s", "work", "run `echo it ran`");

        assertThat(ran.code()).isZero();
        assertThat(ran.err()).contains("run shell").contains("[y/N]");
        assertThat(ran.out()).contains("it ran");
    }

    @Test
    void what_was_answered_elsewhere_while_the_person_was_asked_is_told() {
        for (var how : List.of("--deny", "--no-run")) {
            cli.meanwhile = () -> new Cli(home).session("approve", "work", how);

            var ran = cli.typing("y").run("-s", "work", "run `echo ran`");

            assertThat(ran.code()).as(ran.err()).isZero();
            assertThat(ran.err()).contains("shell was answered elsewhere meanwhile");
            assertThat(ran.out()).contains(how.equals("--deny") ? "The tool shell failed" : "ran\n[exit code 0]");
        }
    }

    @Test
    void where_nothing_is_kept_and_nobody_sits_a_tool_that_acts_is_denied() {
        var ran = cli.run("--no-session", "run `echo it ran`");

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("nobody can be asked here");
    }

    @Test
    void nothing_waits_in_a_session_at_rest() {
        cli.run("-s", "work", "hello");

        assertThat(cli.session("approve", "work").err()).contains("no tool call waits in 'work'");
    }

    @Test
    void the_last_exchange_is_taken_back_and_a_long_conversation_summarised() {
        for (int i = 0; i < 8; i++) {
            cli.run("-s", "work", "question " + i);
        }
        cli.session("undo", "work");
        inSession("work", session -> assertThat(session.load().path()).hasSize(7));

        var compressed = cli.session("compress", "work");
        assertThat(compressed.out()).contains("--remove ");
        inSession("work", session -> assertThat(session.context(100).messages()).hasSizeLessThan(14));
        var id = compressed.out().strip().replaceAll(".*--remove ", "");

        cli.session("compress", "work", "--remove", id);
        inSession("work", session -> assertThat(session.context(100).messages()).hasSize(14));
    }

    @Test
    void a_session_is_begun_afresh() {
        cli.run("-s", "work", "My name is Ada.");

        var ran = cli.run("-s", "work", "--empty-session", "What did I say before?");

        assertThat(ran.out()).doesNotContain("Ada");
    }

    @Test
    void a_model_that_cannot_be_had_says_what_to_do_and_leaves_no_session() {
        var ran = cli.run("-m", "openai:gpt-4o", "hi");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("set OPENAI_API_KEY");
        assertThat(cli.run("-m", "gpt-4o", "hi").err()).contains("provider:model");
        assertThat(cli.run("--tools", "fly", "hi").err()).contains("there is no tool 'fly'");
        assertThat(sessions()).isEmpty();
    }

    @Test
    void models_are_listed_and_with_a_key_there_are_more() {
        assertThat(cli.run("models").out()).contains("offline:skein").doesNotContain("anthropic:");
        assertThat(cli.run("models", "--all").out()).contains("anthropic:").contains("needs a key");

        cli.env.put("ANTHROPIC_API_KEY", "sk-ant-not-a-real-one");

        assertThat(cli.run("models", "--json").json().path("default_model").asString())
                .startsWith("anthropic:");
    }

    @Test
    void a_slip_in_a_command_is_not_sent_to_a_model() {
        var ran = cli.run("sesion", "list");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("did you mean 'session'?").contains("skein -- sesion list");
        assertThat(cli.run("--", "sesion", "list").out()).contains("You said: sesion list");
    }

    @Test
    void settings_are_read_and_what_is_wrong_with_them_is_told() throws IOException {
        Files.writeString(home.resolve("config.yaml"), """
                model: offline:skein
                temprature: 0.5
                messages_max: many
                permissions:
                  allow: ["shell(echo *)"]
                limits:
                  turns: 3
                """);

        var ran = cli.run("run `echo it ran`");

        assertThat(ran.out()).contains("it ran");
        assertThat(ran.err())
                .contains("temprature: is no setting; did you mean 'temperature'?")
                .contains("messages_max: is a whole number from 1 to 100000, not \"many\"");
    }

    @Test
    void the_settings_in_the_docs_are_all_understood() throws IOException {
        var page = Files.readString(Path.of("../docs/settings.md"));
        var example = page.substring(page.indexOf("```yaml\n") + 8, page.indexOf("```\n\nA test"));
        Files.writeString(home.resolve("config.yaml"), example);

        var ran = cli.run("run `git status`");

        assertThat(ran.err()).doesNotContain("warning").doesNotContain("waits");
    }

    @Test
    void settings_that_are_no_yaml_are_told_with_their_line() throws IOException {
        Files.writeString(home.resolve("config.yaml"), "model: offline:skein\nlimits: [1, 2\n");

        var ran = cli.run("hello");

        assertThat(ran.code()).isZero();
        assertThat(ran.err()).contains("config.yaml, line");
    }

    @Test
    void a_secret_of_the_environment_is_never_kept() {
        cli.env.put("MY_API_KEY", "hunter2-hunter2");

        cli.run("-s", "work", "my key is hunter2-hunter2, keep it");

        inSession(
                "work",
                session -> assertThat(session.context(10).messages().getFirst().text())
                        .isEqualTo("my key is [REDACTED:MY_API_KEY], keep it"));
    }

    private List<String> sessions() {
        var names = new ArrayList<String>();
        cli.withStore(store -> store.list(ListQuery.of(Scope.LOCAL))
                .sessions()
                .forEach(summary -> names.add(String.valueOf(summary.alias()))));
        return names;
    }

    private void inSession(String name, Consumer<SessionHandle> use) {
        cli.withStore(store -> {
            var id = store.resolve(Scope.LOCAL, new SessionAlias(name)).orElseThrow();
            try (var session = store.open(Scope.LOCAL, id)) {
                use.accept(session);
            }
        });
    }
}
