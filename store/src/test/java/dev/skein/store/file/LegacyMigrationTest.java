package dev.skein.store.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.exchange.loki.LokiSession;
import dev.skein.failure.SkeinException;
import dev.skein.failure.UnreadableImport;
import dev.skein.session.Ids;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import dev.skein.session.SessionSettings;
import dev.skein.store.ListQuery;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionSummary;
import dev.skein.testkit.ChildJvm;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Session files of Loki and its relatives become sessions on first use, once, and are never touched.
class LegacyMigrationTest {

    private static final Scope SCOPE = Scope.LOCAL;
    private static final Scope SQL = SCOPE.withAgent("sql");
    private static final Instant LONG_AGO = Instant.parse("2024-02-29T12:00:00Z");

    /// As a person's file looks: compressed messages, agent variables, every setting.
    private static final String FULL = """
            model: openai:gpt-4o
            temperature: 0.2
            top_p: 0.9
            enabled_tools: fs,web_search
            enabled_mcp_servers: github
            save_session: true
            compression_threshold: 8000
            role_name: coder
            agent_variables:
              dsn: sqlite:///tmp/x.db
              flag: no
            agent_instructions: You query databases.
            compressed_messages:
            - role: system
              content: Be brief.
            - role: user
              content: first question
            - role: assistant
              content: first answer
            messages:
            - role: system
              content: |-
                Be brief.

                Recap text goes here
            - role: user
              content:
              - type: text
                text: what is in this picture?
              - type: image_url
                image_url:
                  url: data:image/png;base64,AAAA
            - role: tool
              content:
                tool_results:
                - call:
                    name: look
                    arguments: {at: picture}
                    id: null
                  output: null
                text: ''
                sequence: false
            - role: assistant
              content: a blank picture
            data_urls: {}
            an_unknown_key: [1, 2]
            """;
    private static final String SMALL = "model: openai:gpt-4o\nmessages:\n- role: user\n  content: hello\n";

    private final Path home = TemporaryHome.inMemory();
    private final Path sessions = home.resolve("sessions");
    private FileSessionStore store;

    @BeforeEach
    void open() {
        store = FileSessionStore.open(home);
    }

    @AfterEach
    void close() {
        store.close();
    }

    /// The smoke test of the seed's step 7, with compressed messages and agent variables.
    @Test
    void a_persons_file_becomes_a_session_with_the_same_content_and_stays_untouched() throws Exception {
        var file = put("sessions/my-project.yaml", FULL);
        var before = snapshot(file);

        var id = store.openOrCreate(NewSession.in(SCOPE).named("my-project")).id();

        assertThat(sessions.resolve("by-id").resolve(id.toString()).resolve("journal.jsonl"))
                .exists();
        assertThat(sessions.resolve("by-name/my-project")).hasContent(id.toString());
        assertThat(snapshot(file)).isEqualTo(before);
        assertThat(store.openOrCreate(NewSession.in(SCOPE).named("my-project")).id())
                .isEqualTo(id);
        reopen();
        assertThat(store.openOrCreate(NewSession.in(SCOPE).named("my-project")).id())
                .isEqualTo(id);
        assertSame(store.open(SCOPE, id), FULL);
        assertThat(sessions.resolve("by-id").resolve(id.toString()).resolve("state.yaml"))
                .content()
                .contains("my-project", "gpt-4o", "dsn: sqlite:///tmp/x.db", "You query databases.");
    }

    @Test
    void every_setting_arrives() throws Exception {
        put("sessions/full.yaml", FULL);

        var state = store.openOrCreate(NewSession.in(SCOPE).named("full")).state();

        SessionSettings settings = state.settings();
        assertThat(settings.model()).isEqualTo("gpt-4o");
        assertThat(settings.provider()).isEqualTo("openai");
        assertThat(settings.temperature()).isEqualTo(0.2);
        assertThat(settings.topP()).isEqualTo(0.9);
        assertThat(settings.tools()).containsExactly("fs", "web_search");
        assertThat(settings.mcpServers()).containsExactly("github");
        assertThat(settings.saveSession()).isTrue();
        assertThat(settings.compressionThreshold()).isEqualTo(8000);
        assertThat(settings.role()).isEqualTo("coder");
        assertThat(settings.agentVariables())
                .containsEntry("dsn", "sqlite:///tmp/x.db")
                .containsEntry("flag", "no");
        assertThat(settings.agentInstructions()).isEqualTo("You query databases.");
        assertThat(settings.extra()).containsKey("an_unknown_key");
        assertThat(state.opened().at()).isEqualTo(LONG_AGO);
        assertThat(state.lastActivityAt()).isEqualTo(LONG_AGO);
        assertThat(state.opened().origin().source()).isEqualTo("full.yaml");
    }

    @Test
    void all_three_layouts_migrate_each_in_its_scope() throws Exception {
        put("sessions/plain.yaml", SMALL);
        put("sessions/_/20260508T120838-fix-login-bug.yaml", SMALL);
        put("sessions/_/20260508T120839.yaml", SMALL);
        put("sessions/work/login.yaml", SMALL);
        put("agents/sql/sessions/plain.yaml", FULL);
        put("agents/sql/sessions/_/20260101T000000-of-agent.yaml", SMALL);

        assertThat(resolve(SCOPE, "plain")).isPresent().isNotEqualTo(resolve(SQL, "plain"));
        assertThat(resolve(SCOPE, "work-login")).isPresent();
        assertThat(resolve(SQL, "work-login")).isEmpty();
        var auto = store.open(
                        SCOPE, resolve(SCOPE, "20260508T120838-fix-login-bug").orElseThrow())
                .state();
        assertThat(auto.autoname()).isTrue();
        assertThat(store.open(SCOPE, resolve(SCOPE, "20260508T120839").orElseThrow())
                        .state()
                        .autoname())
                .isTrue();
        assertThat(resolve(SQL, "20260101T000000-of-agent")).isPresent();
        assertThat(resolve(SCOPE, "20260101T000000-of-agent")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"größe", "日本語", "😀", "a b", "a%2fb", "A.B", "x'y", "-dash", "tilde~", "dots..inside"})
    void unicode_and_odd_names_migrate(String name) throws Exception {
        var file = put("sessions/" + name + ".yaml", SMALL);
        var before = snapshot(file);

        var id = resolve(SCOPE, name).orElseThrow();

        assertThat(store.open(SCOPE, id).state().alias()).isEqualTo(new SessionAlias(name));
        assertThat(snapshot(file)).isEqualTo(before);
    }

    @Test
    void names_that_collide_by_case_give_the_name_to_one_and_lose_none() throws Exception {
        put("sessions/Work.yaml", SMALL);
        put("sessions/work.yaml", SMALL);
        put("sessions/WORK.yaml", SMALL);

        var migrated = store.migrateAll(SCOPE.owner());

        assertThat(migrated.problems()).isEmpty();
        assertThat(migrated.sessions()).hasSize(3);
        assertThat(store.list(ListQuery.of(SCOPE)).sessions()).hasSize(3).allMatch(summary -> summary.id() != null);
        assertThat(resolve(SCOPE, "wOrK")).isPresent();
    }

    @Test
    void a_reserved_name_loses_nothing() throws Exception {
        for (var name : List.of("con", "temp", "index", ".", "0198c0de-0000-7000-8000-000000000001")) {
            put("sessions/" + name + ".yaml", SMALL);
        }

        var migrated = store.migrateAll(SCOPE.owner());

        assertThat(migrated.problems()).isEmpty();
        assertThat(migrated.sessions()).hasSize(5);
        assertThat(store.migrateAll(SCOPE.owner()).sessions()).as("once").isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "not: [closed",
                "- a\n- list\n",
                "model: x\n",
                "\0\0\0",
                "messages: 7\n",
                "model: x\nmessages:\n- role: user\n  content: \"torn in the mid"
            })
    void a_file_that_cannot_be_read_is_listed_untouched_and_a_typed_failure_on_access(String content) throws Exception {
        put("sessions/good.yaml", SMALL);
        var file = put("sessions/bad.yaml", content);
        var before = snapshot(file);

        assertThat(namesListed()).containsExactlyInAnyOrder("bad", "good");
        assertThatThrownBy(() -> resolve(SCOPE, "bad")).isInstanceOf(UnreadableImport.class);
        assertThatThrownBy(() -> store.openOrCreate(NewSession.in(SCOPE).named("bad")))
                .isInstanceOf(SkeinException.class);
        assertThat(resolve(SCOPE, "good")).isPresent();
        assertThat(namesListed()).containsExactlyInAnyOrder("bad", "good");
        assertThat(snapshot(file)).isEqualTo(before);
        assertThat(sessions.resolve("by-name/bad")).doesNotExist();

        var migrated = store.migrateAll(SCOPE.owner());
        assertThat(migrated.problems()).singleElement().asString().startsWith("bad.yaml");
        assertThat(migrated.sessions()).isEmpty();
        assertThat(snapshot(file)).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "- role: assistant\n  content: \"torn in the mid",
                "- role: assist- role: user\n  content: glued\n",
                "\0\0\0\0"
            })
    void of_a_file_that_was_cut_off_all_before_the_damage_is_shown_and_the_damage_reported(String damage)
            throws Exception {
        var file = put("sessions/cut.yaml", SMALL + damage);
        put("sessions/other.yaml", SMALL + damage);
        var before = snapshot(file);

        try (var opened = store.open(SCOPE, resolve(SCOPE, "cut").orElseThrow())) {
            assertSame(opened, SMALL);
        }
        assertThat(store.migrateAll(SCOPE.owner()).problems())
                .singleElement()
                .asString()
                .startsWith("other.yaml: only what stands before the damage became session ");
        assertThat(snapshot(file)).isEqualTo(before);
    }

    @Test
    void a_renamed_session_is_not_migrated_again() throws Exception {
        put("sessions/old.yaml", SMALL);
        var id = resolve(SCOPE, "old").orElseThrow();
        store.rename(SCOPE, id, new SessionAlias("new"));
        reopen();

        assertThat(resolve(SCOPE, "old")).isEmpty();
        assertThat(resolve(SCOPE, "new")).contains(id);
        assertThat(store.list(ListQuery.of(SCOPE)).sessions()).hasSize(1);
        assertThat(store.migrateAll(SCOPE.owner()).sessions()).isEmpty();
        assertThat(store.openOrCreate(NewSession.in(SCOPE).named("old")).read(1))
                .as("a new one")
                .hasSize(1);
    }

    @Test
    void a_listing_shows_a_file_before_and_the_session_after() throws Exception {
        put("sessions/one.yaml", SMALL);
        put("agents/sql/sessions/two.yaml", SMALL);
        store.create(NewSession.in(SCOPE).named("ours"));

        var before = store.list(ListQuery.ofOwner(SCOPE.owner())).sessions();
        assertThat(before).extracting(SessionSummary::alias).containsExactlyInAnyOrder("one", "two", "ours");
        assertThat(before).filteredOn(summary -> summary.id() == null).hasSize(2);

        resolve(SCOPE, "one");
        resolve(SQL, "two");

        var after = store.list(ListQuery.ofOwner(SCOPE.owner())).sessions();
        assertThat(after).extracting(SessionSummary::alias).containsExactlyInAnyOrder("one", "two", "ours");
        assertThat(after).allMatch(summary -> summary.id() != null);
    }

    @Test
    void deleting_removes_session_and_file() throws Exception {
        var file = put("sessions/gone.yaml", SMALL);
        var nested = put("sessions/work/gone.yaml", SMALL);
        var kept = put("sessions/kept.yaml", SMALL);

        store.delete(SCOPE, resolve(SCOPE, "gone").orElseThrow());
        store.delete(SCOPE, resolve(SCOPE, "work-gone").orElseThrow());

        assertThat(file).doesNotExist();
        assertThat(nested).doesNotExist();
        assertThat(kept).exists();
        assertThat(namesListed()).containsExactly("kept");
        assertThat(resolve(SCOPE, "gone")).isEmpty();
    }

    @Test
    void the_sweep_migrates_all_and_does_nothing_the_second_time() throws Exception {
        put("sessions/a.yaml", FULL);
        put("sessions/_/20260508T120838-x.yaml", SMALL);
        put("agents/sql/sessions/b.yaml", SMALL);
        put("sessions/notes.txt", "not a session");
        var before = Damage.fingerprint(home);

        var migrated = store.migrateAll(SCOPE.owner());

        assertThat(migrated.sessions()).hasSize(3);
        assertThat(migrated.problems()).isEmpty();
        assertThat(Damage.fingerprint(home)).containsAllEntriesOf(before);
        assertThat(store.migrateAll(SCOPE.owner()).sessions()).isEmpty();
        assertThat(store.list(ListQuery.ofOwner(SCOPE.owner())).sessions()).hasSize(3);
    }

    @Test
    void a_crash_before_the_session_is_made_migrates_again() throws Exception {
        put("sessions/old.yaml", SMALL);
        var marker = Files.createDirectories(sessions.resolve("migrated")).resolve("old.yaml");
        Files.writeString(marker, "0198c0de-0000-7000-8000-000000000001\n");

        var id = resolve(SCOPE, "old");

        assertThat(id).isPresent();
        assertThat(marker).hasContent(id.orElseThrow().toString());
    }

    @Test
    void a_session_that_is_created_under_the_name_of_a_file_is_refused() throws Exception {
        put("sessions/taken.yaml", SMALL);

        assertThatThrownBy(() -> store.create(NewSession.in(SCOPE).named("taken")))
                .isInstanceOf(dev.skein.failure.AliasInUse.class);
    }

    /// A machine without a locale has no letters but ASCII in file names.
    @Test
    void a_file_with_a_unicode_name_hurts_nobody_in_a_plain_locale() throws Exception {
        put("sessions/größe.yaml", SMALL);
        put("sessions/plain.yaml", SMALL);
        store.create(NewSession.in(SCOPE).named("日本語"));

        List<String> said;
        try (var child =
                ChildJvm.start(ChildProgram.class, List.of(), Map.of("LC_ALL", "C", "LANG", "C"), "list", home)) {
            said = child.rest();
            assertThat(child.await()).as("exit of a child that said %s", said).isZero();
        }

        assertThat(said).contains("session plain", "resolved");
    }

    private void assertSame(SessionHandle handle, String yaml) {
        var ids = new Ids(Clock.systemUTC(), new Random(1));
        var expected = LokiSession.read(yaml.getBytes(StandardCharsets.UTF_8), "x", LONG_AGO, ids);
        var stored = handle.read(2);
        assertThat(stored).hasSize(expected.events().size());
        for (int i = 0; i < stored.size(); i++) {
            assertThat(withoutIds(stored.get(i).event().toString()))
                    .isEqualTo(withoutIds(expected.events().get(i).toString()));
        }
    }

    private static String withoutIds(String text) {
        return text.replaceAll("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "id");
    }

    private Path put(String path, String content) throws Exception {
        var file = home.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
        return Files.setLastModifiedTime(file, FileTime.from(LONG_AGO));
    }

    private static Map<String, Object> snapshot(Path file) throws Exception {
        return new TreeMap<>(Map.of(
                "content", Files.readString(file, StandardCharsets.ISO_8859_1),
                "modified", Files.getLastModifiedTime(file)));
    }

    private Optional<SessionId> resolve(Scope scope, String alias) {
        return store.resolve(scope, new SessionAlias(alias));
    }

    private List<String> namesListed() {
        return store.list(ListQuery.of(SCOPE)).sessions().stream()
                .map(summary -> String.valueOf(summary.alias()))
                .toList();
    }

    private void reopen() {
        store.close();
        store = FileSessionStore.open(home);
    }
}
