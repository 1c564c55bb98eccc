package dev.skein.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.store.NewSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionCommandsTest {

    @TempDir
    Path home;

    private Cli cli;

    @BeforeEach
    void start() {
        cli = new Cli(home);
    }

    @Test
    void an_empty_home_says_that_there_are_no_sessions_yet_and_what_to_do() {
        var ran = cli.session("list");

        assertThat(ran.code()).isZero();
        assertThat(ran.out()).startsWith("no sessions yet in " + home).contains("skein migrate");
    }

    @Test
    void a_list_has_a_line_for_each_session_the_last_used_first() {
        cli.having("first", "Hello", "Hi");
        cli.having("second", "Good day", "Good day");

        var lines = cli.session("list").out().lines().toList();

        assertThat(lines.getFirst()).matches("NAME +ID +STATUS +MESSAGES +LAST USED +ABOUT");
        assertThat(lines.get(1)).startsWith("second ").contains("just now").endsWith("Good day");
        assertThat(lines.get(2)).startsWith("first ").endsWith("Hello");
    }

    @Test
    void a_listing_in_json_has_the_documented_shape() {
        var id = cli.having("first", "Hello", "Hi");

        var json = cli.session("list", "--json").json();

        assertThat(json.propertyNames()).containsExactly("sessions");
        var session = json.get("sessions").get(0);
        assertThat(session.propertyNames())
                .contains("id", "alias", "owner", "status", "created_at", "last_activity_at", "message_count")
                .contains("loop_count", "first_message", "usage", "cost", "autoname");
        assertThat(session.get("id").asString()).isEqualTo(id.toString());
        assertThat(session.get("message_count").asInt()).isEqualTo(2);
    }

    @Test
    void the_cursor_of_a_page_leads_to_the_next() {
        cli.having("first");
        cli.having("second");

        var page = cli.session("list", "--limit", "1", "--json").json();
        var next = cli.session(
                        "list",
                        "--limit",
                        "1",
                        "--json",
                        "--cursor",
                        page.get("next_cursor").asString())
                .json();

        assertThat(page.get("sessions").get(0).get("alias").asString()).isEqualTo("second");
        assertThat(next.get("sessions").get(0).get("alias").asString()).isEqualTo("first");
        assertThat(next.has("next_cursor")).isFalse();
    }

    @Test
    void a_list_can_be_narrowed_by_name_text_and_agent() {
        cli.having("apples", "Tell me of fruit", "Yes");
        cli.having("pears");
        cli.having(new Scope("local", "coder"), "plums");

        assertThat(cli.session("list", "--alias", "app").out())
                .contains("apples")
                .doesNotContain("pears");
        assertThat(cli.session("list", "--text", "FRUIT").out())
                .contains("apples")
                .doesNotContain("pears");
        assertThat(cli.session("list", "--agent", "coder").out())
                .contains("plums")
                .doesNotContain("pears");
        assertThat(cli.session("list").out()).doesNotContain("plums");
        assertThat(cli.session("list", "--all-agents").out()).contains("plums", "pears", "AGENT", "coder");
        assertThat(cli.session("list", "--alias", "zebra").out()).isEqualTo("no session matches\n");
        assertThat(cli.session("list", "--agent", "coder", "--all-agents").code())
                .isEqualTo(2);
    }

    @Test
    void a_list_fits_the_terminal() {
        cli.having("a-rather-long-name-for-a-session", "日本語".repeat(40), "Yes");
        cli.env.put("COLUMNS", "80");

        assertThat(cli.session("list").out().lines())
                .allSatisfy(line ->
                        assertThat(dev.skein.cli.terminal.TextWidth.of(line)).isLessThanOrEqualTo(80));
    }

    @Test
    void a_session_is_shown_by_name_by_id_and_by_the_beginning_of_its_id() {
        var id = cli.having("first", "Hello", "Hi there").toString();

        for (var name :
                new String[] {"first", "FIRST", id, id.toUpperCase(java.util.Locale.ROOT), id.substring(0, 9)}) {
            var ran = cli.session("show", name);

            assertThat(ran.err()).isEmpty();
            assertThat(ran.out())
                    .contains("id          " + id, "1 loop, 1 turn, 2 messages", "user just now", "  Hi there");
        }
    }

    @Test
    void the_beginning_of_two_ids_is_not_enough() {
        try (var store = dev.skein.store.file.FileSessionStore.open(home)) {
            store.create(NewSession.in(Scope.LOCAL)
                            .withId(dev.skein.session.SessionId.of("abcdef00-0000-7000-8000-000000000001")))
                    .close();
            store.create(NewSession.in(Scope.LOCAL)
                            .withId(dev.skein.session.SessionId.of("abcdef00-0000-7000-8000-000000000002")))
                    .close();
        }

        var ran = cli.session("show", "abcdef");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).contains("begins the ids of 2 sessions");
        assertThat(cli.session("show", "abcdef00-0000-7000-8000-000000000002").code())
                .isZero();
    }

    @Test
    void an_agents_session_needs_its_agent_by_name_but_not_by_id() {
        var id = cli.having(new Scope("local", "coder"), "plums", "Hello", "Hi");

        assertThat(cli.session("show", id.toString()).out()).contains("agent       coder");
        assertThat(cli.run("--agent", "coder", "session", "show", "plums").code())
                .isZero();
        assertThat(cli.session("show", "plums", "--agent", "coder").code()).isZero();
        assertThat(cli.session("show", "plums").err()).contains("agent 'coder' has one: add --agent coder");
        assertThat(cli.session("show", id.toString(), "--agent", "other").code())
                .isEqualTo(3);
    }

    @Test
    void showing_in_json_gives_the_session_and_messages_when_asked() {
        cli.having("first", "Hello", "Hi", "More?", "Yes");

        var plain = cli.session("show", "first", "--json").json();
        var withMessages =
                cli.session("show", "first", "--json", "--messages", "2").json();

        assertThat(plain.get("alias").asString()).isEqualTo("first");
        assertThat(plain.has("messages")).isFalse();
        assertThat(withMessages.get("messages")).hasSize(2);
        assertThat(withMessages
                        .get("messages")
                        .get(1)
                        .get("parts")
                        .get(0)
                        .get("text")
                        .asString())
                .isEqualTo("Yes");
    }

    @Test
    void a_session_that_is_not_there_ends_in_3_with_what_was_probably_meant() {
        cli.having("deploy");

        var ran = cli.session("show", "depoly");

        assertThat(ran.code()).isEqualTo(3);
        assertThat(ran.err()).isEqualTo("skein: there is no session 'depoly'; did you mean 'deploy'?\n");
    }

    @Test
    void renaming_keeps_the_session_and_its_id() {
        var id = cli.having("first", "Hello", "Hi");

        var ran = cli.session("rename", "first", "second");

        assertThat(ran.out()).isEqualTo("'first' is now called 'second'\n");
        assertThat(cli.session("show", "second", "--json").json().get("id").asString())
                .isEqualTo(id.toString());
        assertThat(cli.session("show", "first").code()).isEqualTo(3);
    }

    @Test
    void a_name_that_is_taken_or_not_allowed_is_refused() {
        cli.having("first");
        cli.having("second");

        assertThat(cli.session("rename", "first", "second").code()).isEqualTo(4);
        assertThat(cli.session("rename", "first", "../x").code()).isEqualTo(2);
        var error =
                cli.session("rename", "first", "second", "--json").errorJson().get("error");
        assertThat(error.get("code").asString()).isEqualTo("session.alias_in_use");
        assertThat(error.get("message").asString()).contains("choose another name");
    }

    @Test
    void a_description_is_kept_and_an_empty_one_takes_it_back() {
        cli.having("first");

        assertThat(cli.session("describe", "first", "about apples").out())
                .isEqualTo("'first' is about: about apples\n");
        assertThat(cli.session("list").out()).contains("about apples");
        assertThat(cli.session("describe", "first", "").out()).isEqualTo("'first' has no description now\n");
        assertThat(cli.session("show", "first", "--json").json().has("description"))
                .isFalse();
    }

    @Test
    void deleting_needs_a_yes() {
        cli.having("first");

        var inPipe = cli.session("delete", "first");
        var declined = cli.typing("n").session("delete", "first");
        var confirmed = cli.typing("yes").session("delete", "first");

        assertThat(inPipe.code()).isEqualTo(2);
        assertThat(inPipe.err()).contains("add --yes");
        assertThat(declined.code()).isEqualTo(130);
        assertThat(declined.err()).contains("delete 'first' for good? [y/N]");
        assertThat(confirmed.code()).isZero();
        assertThat(cli.session("show", "first").code()).isEqualTo(3);
    }

    @Test
    void one_wrong_name_among_several_deletes_nothing() {
        cli.having("first");

        assertThat(cli.session("delete", "first", "frist-of-all", "--yes").code())
                .isEqualTo(3);
        assertThat(cli.session("show", "first").code()).isZero();
    }

    @Test
    void deleting_in_json_names_what_is_gone() {
        var id = cli.having("first");

        var json = cli.session("delete", "first", "FIRST", "--yes", "--json").json();

        assertThat(json.get("deleted")).hasSize(1);
        assertThat(json.get("deleted").get(0).asString()).isEqualTo(id.toString());
    }

    @Test
    void a_fork_shares_the_history_up_to_where_it_leaves() {
        var id = cli.having("first", "Hello", "Hi");
        cli.withStore(store -> {
            try (var session = store.open(Scope.LOCAL, id)) {
                var before = session.state().version();
                Cli.say(session, "More?", "Yes");

                var whole = cli.session("fork", "first", "--json").json();
                var part = cli.session("fork", "first", "--at", "" + before, "--name", "second", "--json")
                        .json();

                assertThat(whole.get("message_count").asInt()).isEqualTo(4);
                assertThat(part.get("message_count").asInt()).isEqualTo(2);
                assertThat(part.get("fork").get("session").asString()).isEqualTo(id.toString());
                assertThat(store.resolve(Scope.LOCAL, new SessionAlias("second")))
                        .isPresent();
            }
        });
        assertThat(cli.session("fork", "first", "--at", "9999").code()).isEqualTo(2);
    }

    @Test
    void an_export_goes_to_standard_output_or_into_a_file() throws Exception {
        cli.having("first", "Hello", "Hi");
        var file = home.resolve("first.md");

        var json = cli.session("export", "first", "--format", "json");
        var ran = cli.session("export", "first", "--format", "md", "-o", file.toString());

        assertThat(json.json().isObject()).isTrue();
        assertThat(ran.out()).isEmpty();
        assertThat(file).content().contains("Hello", "Hi");
        assertThat(cli.session("export", "first", "--format", "yaml").out()).contains("Hello");
        assertThat(cli.session("export", "first", "--format", "docx").err()).contains("none of json, yaml and md");
        assertThat(cli.session("export", "first").err()).contains("--format");
        try (var files = Files.list(home)) {
            assertThat(files.filter(path -> path.toString().endsWith(".tmp"))).isEmpty();
        }
    }

    @Test
    void an_export_into_a_missing_directory_fails_with_7() {
        cli.having("first", "Hello", "Hi");

        var ran = cli.session(
                "export",
                "first",
                "--format",
                "md",
                "-o",
                home.resolve("no/such/file").toString());

        assertThat(ran.code()).isEqualTo(7);
        assertThat(ran.err()).startsWith("skein: could not write ");
    }

    @Test
    void a_search_shows_where_the_words_are() {
        cli.having("first", "Where do apples grow?", "On trees");
        cli.having("second", "Hello", "Hi");

        var plain = cli.session("search", "APPLES");
        var colored = cli.onTerminal().session("search", "apples");

        assertThat(plain.out()).startsWith("first\n  user, just now, at ").contains("    Where do apples grow?");
        assertThat(colored.out()).contains("\u001b[1;33mapples\u001b[0m");
        assertThat(cli.session("search", "zebra").out()).isEqualTo("no message contains 'zebra'\n");
        assertThat(cli.session("search", " ").code()).isEqualTo(2);
    }

    @Test
    void a_search_in_json_lists_the_hits() {
        var id = cli.having("first", "apples", "pears and apples");

        var hits =
                cli.session("search", "apples", "--json", "--limit", "1").json().get("hits");

        assertThat(hits).hasSize(1);
        assertThat(hits.get(0).get("session").asString()).isEqualTo(id.toString());
        assertThat(hits.get(0).propertyNames())
                .contains("alias", "loop", "seq", "role", "at", "snippet", "start", "end");
    }

    @Test
    void purging_moves_the_oldest_to_the_trash_and_says_how_to_undo_it() {
        var id = cli.having("first");
        cli.having("second");

        var dry = cli.session("purge", "--keep", "1", "--dry-run");
        var unconfirmed = cli.session("purge", "--keep", "1");
        var purged = cli.session("purge", "--keep", "1", "--yes");

        assertThat(dry.out()).contains("would move " + id);
        assertThat(unconfirmed.code()).isEqualTo(2);
        assertThat(purged.out()).contains("moved " + id + "  first").contains("to undo: skein session restore UUID");
        assertThat(cli.session("show", "first").code()).isEqualTo(3);

        assertThat(cli.session("restore", id.toString()).out()).isEqualTo("restored 'first' (" + id + ")\n");
        assertThat(cli.session("show", "first").code()).isZero();
    }

    @Test
    void purging_by_idle_time_leaves_what_was_used_lately() {
        cli.having("first");

        assertThat(cli.session("purge", "--idle", "30d", "--yes").out()).isEqualTo("nothing to purge\n");
        var dry = cli.later(Duration.ofDays(31))
                .session("purge", "--idle", "30d", "--dry-run", "--json")
                .json();
        assertThat(dry.get("dry_run").asBoolean()).isTrue();
        assertThat(dry.get("sessions")).hasSize(1);
    }

    @Test
    void purging_wants_exactly_one_rule() {
        assertThat(cli.session("purge", "--yes").code()).isEqualTo(2);
        assertThat(cli.session("purge", "--keep", "1", "--idle", "30d").code()).isEqualTo(2);
        assertThat(cli.session("purge", "--keep", "-1", "--yes").code()).isEqualTo(2);
        assertThat(cli.session("purge", "--idle", "soon").err()).contains("'soon' is not a time like 30d");
    }

    @Test
    void only_a_purged_session_can_be_restored() {
        assertThat(cli.session("restore", "0198a3f2-7c1e-7000-8000-000000000000")
                        .code())
                .isEqualTo(3);
        assertThat(cli.session("restore", "first").err()).contains("is not a session id");
    }
}
