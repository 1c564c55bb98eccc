package dev.skein.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.session.Scope;
import dev.skein.store.NewSession;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {

    @TempDir
    Path home;

    private Cli cli;

    @BeforeEach
    void start() {
        cli = new Cli(home);
    }

    @Test
    void the_version_is_told_without_touching_the_disk() {
        cli.env.put("SKEIN_HOME", home.resolve("none").toString());

        assertThat(cli.run("--version").out()).startsWith("skein ");
        assertThat(cli.run("-V").code()).isZero();
        assertThat(home.resolve("none")).doesNotExist();
    }

    @Test
    void help_lists_the_commands_and_so_does_no_command_at_all() {
        assertThat(cli.run("--help").out()).contains("session", "migrate", "doctor", "--home");
        assertThat(cli.run().out()).isEqualTo(cli.run("--help").out());
        assertThat(cli.run("session", "--help").out()).contains("list", "tree", "export");
        assertThat(cli.run("session", "list", "--help").out()).contains("--all-agents", "--cursor");
        assertThat(cli.run("session", "list", "--help").code()).isZero();
    }

    @Test
    void a_slip_is_answered_with_what_was_probably_meant() {
        assertThat(cli.run("sesion").err())
                .isEqualTo("skein: 'skein' has no command 'sesion'; did you mean 'session'? "
                        + "To say it to a model: skein -- sesion\n");
        assertThat(cli.run("session", "lsit").err()).contains("did you mean 'list'?");
        assertThat(cli.run("session", "list", "--jsno").err()).contains("did you mean '--json'?");
        assertThat(cli.run("session", "list", "--limt=3").err()).contains("'--limt'; did you mean '--limit'?");
        assertThat(cli.run("session", "zzz").err()).contains("see 'skein session --help'");
        assertThat(cli.run("session", "show").err()).contains("'NAME'").contains("skein session show --help");
        assertThat(cli.run("session", "describe", "a", "two", "words").err()).contains("in quotes");
        assertThat(cli.run("session").code()).isEqualTo(2);
        assertThat(cli.run("session", "zzz").code()).isEqualTo(2);
    }

    @Test
    void a_wrong_command_line_is_told_in_json_when_json_was_asked_for() {
        var ran = cli.run("session", "list", "--json", "--nonsense");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.errorJson().get("error").get("code").asString()).isEqualTo("request.invalid");
    }

    @Test
    void home_is_an_option_an_environment_variable_or_the_users_configuration() {
        cli.having("here");
        cli.env.clear();
        cli.env.put("HOME", "/nowhere");

        assertThat(cli.run("--home", home.toString(), "session", "list").out()).contains("here");
        assertThat(cli.run("session", "list", "--home=" + home).out()).contains("here");
        cli.env.put("SKEIN_HOME", home.toString());
        assertThat(cli.run("session", "list").out()).contains("here");
    }

    @Test
    void what_was_stored_never_commands_the_terminal() {
        var evil = "a\u001b]0;owned\u0007b\u001b[31mc\u009b2Jd\u0000e\u202Ef\u001b]8;;http://x";
        cli.having("evil", evil, evil);
        cli.session("describe", "evil", evil);
        cli.env.put("NO_COLOR", "1");
        cli.onTerminal();

        for (var args : new String[][] {
            {"session", "list"},
            {"session", "list", "--json"},
            {"session", "show", "evil"},
            {"session", "show", "evil", "--json", "--messages", "9"},
            {"session", "tree", "evil"},
            {"session", "tree", "evil", "--json"},
            {"session", "search", "d"},
            {"session", "search", "d", "--json"},
            {"session", "export", "evil", "--format", "md"},
            {"session", "show", "no" + evil},
        }) {
            var ran = cli.run(args);

            assertThat((ran.out() + ran.err()).codePoints())
                    .as(String.join(" ", args))
                    .noneMatch(c -> (Character.isISOControl(c) && c != '\n') || c == 0x202E);
        }
        assertThat(cli.session("show", "evil").out()).contains("a·b·c·d·e·f·]8;;http://x");
    }

    @Test
    void colors_are_for_terminals_that_want_them() {
        cli.having("first");

        assertThat(cli.session("list").out()).doesNotContain("\u001b");
        cli.onTerminal();
        assertThat(cli.session("list").out()).contains("\u001b[");
        assertThat(cli.session("list", "--no-color").out()).doesNotContain("\u001b");
        cli.env.put("TERM", "dumb");
        assertThat(cli.session("list").out()).doesNotContain("\u001b");
        cli.env.put("TERM", "xterm");
        cli.env.put("NO_COLOR", "1");
        assertThat(cli.session("list").out()).doesNotContain("\u001b");
    }

    @Test
    void a_reader_that_went_away_ends_the_program_quietly() {
        cli.having("first");

        var ran = cli.run(failing("Broken pipe"), "session", "list").apply(new ByteArrayOutputStream());

        assertThat(ran.code()).isZero();
        assertThat(ran.err()).isEmpty();
        assertThat(cli.run(failing("Broken pipe"), "--help")
                        .apply(new ByteArrayOutputStream())
                        .code())
                .isZero();
    }

    @Test
    void output_that_cannot_be_written_is_a_failure() {
        cli.having("first");

        for (var args :
                new String[][] {{"session", "list"}, {"session", "export", "first", "--format", "json"}, {"--help"}}) {
            var ran = cli.run(failing("No space left on device"), args).apply(new ByteArrayOutputStream());

            assertThat(ran.code()).isEqualTo(7);
            assertThat(ran.err()).contains("No space left on device");
        }
    }

    @Test
    void debug_shows_where_a_failure_came_from() {
        assertThat(cli.session("show", "first").err()).doesNotContain("\tat ");
        assertThat(cli.session("show", "first", "--debug").err()).contains("\tat dev.skein.cli.session.Names");
    }

    @Test
    void migrating_an_empty_home_says_that_there_is_nothing_to_do() {
        for (var args : new String[][] {{"migrate"}, {"migrate", "sessions"}, {"session", "migrate"}}) {
            assertThat(cli.run(args).out()).isEqualTo("nothing to migrate\n");
        }
        assertThat(cli.run("migrate", "sessions", "--json").out()).isEqualTo("{\"migrated\":[],\"problems\":[]}\n");
    }

    @Test
    void the_doctor_finds_nothing_wrong_with_a_healthy_home() {
        cli.having("first", "Hello", "Hi");

        var ran = cli.run("doctor");

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).endsWith("checked, no damage\n");
        assertThat(cli.run("doctor", "--json").json().propertyNames()).contains("sessions_checked", "findings");
    }

    @Test
    void the_doctor_finds_a_damaged_journal_and_ends_in_7() throws IOException {
        var id = cli.having("first", "Hello", "Hi", "More?", "Yes");
        var journal = home.resolve("sessions/by-id/" + id + "/journal.jsonl");
        Files.writeString(journal, Files.readString(journal).replace("Hello", "Hullo"));
        Files.deleteIfExists(journal.resolveSibling("state.yaml"));

        var ran = cli.run("doctor");

        assertThat(ran.code()).isEqualTo(7);
        assertThat(ran.out())
                .contains("damage  sessions/by-id/" + id + "/journal.jsonl: lost 1 events from number")
                .contains("'skein doctor --repair' mends what it can");
        assertThat(cli.run("doctor", "--json")
                        .json()
                        .get("findings")
                        .get(0)
                        .get("severity")
                        .asString())
                .isEqualTo("damage");
    }

    @Test
    void a_damaged_session_is_mended_and_the_original_is_kept() throws IOException {
        var id = cli.having("first", "Hello", "Hi", "More?", "Yes");
        var journal = home.resolve("sessions/by-id/" + id + "/journal.jsonl");
        var damaged = Files.readString(journal).replace("Hello", "Hullo");
        Files.writeString(journal, damaged);

        assertThat(cli.session("describe", "first", "words").code()).isEqualTo(7);
        var ran = cli.run("doctor", "--repair");

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).contains("mended");
        assertThat(journal.resolveSibling("journal.jsonl.damaged-1")).hasContent(damaged);
        assertThat(cli.session("show", "first").out())
                .contains("Hi", "More?", "Yes")
                .doesNotContain("Hullo");
        assertThat(cli.session("describe", "first", "words").code()).isZero();
        assertThat(cli.run("doctor").code()).isZero();
    }

    @Test
    void migrating_brings_in_what_another_tool_left() throws IOException {
        Files.createDirectories(home.resolve("sessions"));
        Files.writeString(home.resolve("sessions/old.yaml"), """
                model: openai:gpt-4o
                messages:
                - role: user
                  content: Hello from before
                - role: assistant
                  content: Welcome
                """);

        assertThat(cli.session("list").out()).contains("old", "(legacy)");
        assertThat(cli.run("migrate").out()).contains(" as 'old' (").contains("1 session migrated");
        assertThat(cli.session("show", "old").out()).contains("Hello from before");
        assertThat(cli.run("migrate").out()).isEqualTo("nothing to migrate\n");
    }

    @Test
    void a_session_without_a_name_is_listed_by_its_id() {
        cli.withStore(store -> store.create(NewSession.in(Scope.LOCAL)).close());

        assertThat(cli.session("list").out().lines().toList().get(1)).matches("- +[0-9a-f]{8}-[0-9a-f]{4} .*");
    }

    private static OutputStream failing(String message) {
        return new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException(message);
            }
        };
    }
}
