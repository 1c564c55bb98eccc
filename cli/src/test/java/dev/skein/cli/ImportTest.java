package dev.skein.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Sessions of other tools, and exported ones, brought in through the real program.
class ImportTest {

    private static final String CHAT = """
            {"session_id": "telegram_42", "channel": "telegram", "chat_id": "42", "created_at": "2026-02-14T10:30:00Z",
             "last_accessed": "2026-02-14T15:45:10Z", "messages": [
             {"role": "user", "content": "first", "timestamp": "2026-02-14T15:45:00Z"},
             {"role": "assistant", "content": "one", "timestamp": "2026-02-14T15:45:05Z"}%s]}
            """;
    private static final String MORE = """
            , {"role": "user", "content": "second", "timestamp": "2026-02-14T16:45:00Z"},
             {"role": "assistant", "content": "two", "timestamp": "2026-02-14T16:45:05Z"}""";

    @TempDir
    Path directory;

    private Cli cli() {
        return new Cli(directory.resolve("home"));
    }

    private String file(String name, String content) throws IOException {
        var path = directory.resolve(name);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, content).toString();
    }

    @Test
    void a_directory_is_imported_once_and_what_is_new_later() throws IOException {
        var cli = cli();
        file("chats/telegram_42.json", CHAT.formatted(""));
        file("chats/index.json", "{}");
        file("chats/other.json", "{\"a\": 1}");
        var chats = directory.resolve("chats").toString();

        var dry = cli.run("import", "--dry-run", chats);
        assertThat(dry.out()).contains("would import 'telegram_42', 2 messages of miniclaw");
        assertThat(cli.session("list", "--json").json().path("sessions")).isEmpty();

        var first = cli.run("import", chats);
        assertThat(first.code()).isZero();
        assertThat(first.out()).contains("imported 'telegram_42', 2 messages", "1 session imported");
        assertThat(first.err()).contains("1 file left out");
        assertThat(cli.session("show", "telegram_42").out()).contains("created     2026-02-14", "first", "one");

        assertThat(cli.run("import", chats).out()).contains("0 sessions imported, 0 continued, 1 as before");

        file("chats/telegram_42.json", CHAT.formatted(MORE));
        assertThat(cli.run("import", chats).out()).contains("continued 'telegram_42'", "1 continued");
        assertThat(cli.session("show", "telegram_42").out()).contains("first", "second", "two");
        assertThat(cli.session("list", "--json").json().path("sessions")).hasSize(1);
    }

    @Test
    void a_session_that_went_on_here_is_not_overwritten_and_can_be_imported_as_another() throws IOException {
        var cli = cli();
        var chat = file("telegram_42.json", CHAT.formatted(""));
        cli.run("import", chat);
        cli.run("-s", "telegram_42", "third");
        file("telegram_42.json", CHAT.formatted(MORE));

        var refused = cli.run("import", chat);

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("telegram_42.json", "is here already", "--again");
        assertThat(cli.session("show", "telegram_42").out()).contains("third").doesNotContain("second");
        assertThat(cli.run("import", "--again", chat).out()).contains("imported 'telegram_42-2', 4 messages");
        assertThat(cli.session("show", "telegram_42-2").out()).contains("second");
    }

    @Test
    void an_imported_session_goes_on() throws IOException {
        var cli = cli();
        cli.run("import", file("telegram_42.json", CHAT.formatted("")));

        assertThat(cli.run("-s", "telegram_42", "What did I say before?").out()).contains("1. first");
        assertThat(cli.run("doctor").code()).isZero();
    }

    @Test
    void an_export_moves_to_another_home_with_its_fork_and_its_tree() throws IOException {
        var here = cli();
        here.run("-s", "fruit", "plum");
        here.run("-s", "fruit", "pear");
        here.session("fork", "fruit", "--name", "other");
        here.run("-s", "other", "cherry");
        var there = new Cli(directory.resolve("there"));

        var exported = file(
                "other.json",
                here.session("export", "other", "--format", "json").out());
        var ran = there.run("import", exported, "--json");

        assertThat(ran.code()).isZero();
        var line = ran.json().path("sessions").path(0);
        assertThat(line.path("outcome").asString()).isEqualTo("imported");
        assertThat(line.path("id").asString())
                .isEqualTo(here.session("show", "other", "--json")
                        .json()
                        .path("id")
                        .asString());
        assertThat(there.run("-s", "other", "What did I say before?").out())
                .contains("1. plum", "2. pear", "3. cherry");
        assertThat(there.run("doctor").code()).isZero();
        assertThat(here.run("import", exported).out()).as("it is there already").contains("1 as before");
    }

    /// Attack 37.
    @Test
    void a_yes_in_a_file_is_nobodys_yes() throws IOException {
        var here = cli();
        here.run("-s", "work", "run `touch " + directory.resolve("touched") + "`");
        here.session("approve", "work", "--no-run");
        var exported = here.session("export", "work", "--format", "json").out();
        assertThat(exported).contains("approval_given");
        var there = new Cli(directory.resolve("there"));

        there.run("import", file("work.json", exported));
        assertThat(there.session("export", "work", "--format", "json")
                        .json()
                        .path("events")
                        .values())
                .extracting(event -> event.path("type").asString())
                .contains("imported_approval_given")
                .doesNotContain("approval_given", "approval_requested");
        var went = there.merged("-s", "work", "go on");
        var asked = there.session("approve", "work");

        assertThat(went).doesNotContain("touched\n");
        assertThat(asked.out()).doesNotContain("exit code 0");
        assertThat(directory.resolve("touched")).doesNotExist();
    }

    @Test
    void a_bad_file_is_told_and_the_others_are_imported() throws IOException {
        var cli = cli();
        file("chats/a.json", "{ not json");
        file("chats/telegram_42.json", CHAT.formatted(""));

        var ran = cli.run("import", directory.resolve("chats").toString());

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.out()).contains("1 session imported");
        assertThat(ran.err()).contains("a.json", "is not JSON (line 1)");
    }

    @Test
    void what_is_no_plain_file_of_a_known_tool_is_refused() throws Exception {
        var cli = cli();
        var link = Files.createSymbolicLink(directory.resolve("link.json"), Path.of("/etc/hostname"));
        var pipe = directory.resolve("pipe.json");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        for (var each : List.of(
                List.of(link.toString(), "is a link"),
                List.of(pipe.toString(), "is not a plain file"),
                List.of("/dev/zero", "is not a plain file"),
                List.of("/proc/self/mem", "/proc/self/mem"),
                List.of("nowhere.json", "is not there"),
                List.of(file("a.json", "{}"), "is not a session of a tool that is known here"))) {
            var ran = cli.run("import", each.getFirst());

            assertThat(ran.code()).as(each.getFirst()).isEqualTo(2);
            assertThat(ran.err()).contains(each.getLast());
            assertThat(ran.out()).isEmpty();
        }
    }

    @Test
    void without_a_path_it_says_where_sessions_of_other_tools_are() throws IOException {
        var cli = cli();
        assertThat(cli.run("import").out()).contains("skein import PATH");
        file("person/.claude/projects/-home-ann/x.jsonl", "");
        cli.env.put("HOME", directory.resolve("person").toString());

        assertThat(cli.run("import").out())
                .contains("claude-code", "skein import " + directory.resolve("person/.claude/projects"));
    }

    @Test
    void files_of_an_agent_become_its_sessions() throws IOException {
        var cli = cli();
        file("loki/agents/sql/sessions/work.yaml", "model: m\nmessages:\n- role: user\n  content: tables\n");

        assertThat(cli.run("import", directory.resolve("loki").toString()).out())
                .contains("imported 'work' of sql");
        assertThat(cli.run("--agent", "sql", "session", "list").out()).contains("tables");
    }
}
