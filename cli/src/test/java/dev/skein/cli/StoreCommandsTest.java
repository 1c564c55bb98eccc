package dev.skein.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.failure.KeyConflict;
import dev.skein.session.Entry;
import dev.skein.session.Exchange;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionId;
import dev.skein.store.AdoptingStore;
import dev.skein.store.Appended;
import dev.skein.store.Batch;
import dev.skein.store.ListQuery;
import dev.skein.store.NewSession;
import dev.skein.store.SessionSummary;
import dev.skein.store.file.FileSessionStore;
import dev.skein.store.jdbc.JdbcOptions;
import dev.skein.store.jdbc.JdbcSessionStore;
import dev.skein.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Where sessions are kept, and how they get elsewhere.
class StoreCommandsTest {

    private static final Instant NOW = Instant.parse("2026-02-03T04:05:06.789Z");

    @TempDir
    Path directory;

    private Cli cli;
    private String sqlite = "";

    @BeforeEach
    void home() {
        cli = new Cli(directory.resolve("home"));
        sqlite = "sqlite:" + directory.resolve("sessions.db");
    }

    @Test
    void a_conversation_is_kept_where_the_option_says() {
        var said = cli.run("--store", sqlite, "-s", "garden", "--no-stream", "hello");

        assertThat(said.code()).as(said.err()).isZero();
        assertThat(cli.session("list", "--store", sqlite).out()).contains("garden");
        assertThat(cli.session("list").out()).doesNotContain("garden");
    }

    @Test
    void the_environment_and_the_settings_say_so_too_and_the_option_is_heard_first() throws IOException {
        cli.run("--store", sqlite, "-s", "garden", "--no-stream", "hello");
        Files.createDirectories(cli.home);
        Files.writeString(cli.home.resolve("config.yaml"), "store: " + sqlite + "\n");

        assertThat(cli.session("list").out()).contains("garden");
        cli.env.put("SKEIN_STORE", "file");
        assertThat(cli.session("list").out()).doesNotContain("garden");
        assertThat(cli.session("list", "--store", sqlite).out()).contains("garden");
    }

    @Test
    void what_is_no_store_is_refused_without_repeating_what_may_be_a_password() {
        var refused = cli.session("list", "--store", "postgresql:/ann:s3cret@host");

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("sqlite:PATH").doesNotContain("s3cret");
    }

    @Test
    void a_database_that_is_not_there_is_a_sentence_and_shows_no_password() {
        var failed = cli.session("list", "--store", "postgresql://ann:s3cret@127.0.0.1:1/db", "--debug");

        assertThat(failed.code()).isEqualTo(7);
        assertThat(failed.err()).contains("postgresql://ann@127.0.0.1:1/db").doesNotContain("s3cret");
    }

    @Test
    void files_of_other_tools_are_migrated_into_files_only() {
        var refused = cli.run("migrate", "--store", sqlite);

        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("skein store copy file");
    }

    @Test
    void a_copy_there_and_back_is_the_same() {
        cli.withStore(store -> fill((AdoptingStore) store));
        var before = contentOf(cli.home);
        var other = new Cli(directory.resolve("other"));

        assertThat(cli.run("store", "copy", "file", sqlite).code()).isZero();
        assertThat(other.run("store", "copy", sqlite, "file").code()).isZero();

        try (var store = sqlite()) {
            assertThat(contentOf(store)).isEqualTo(before);
        }
        assertThat(contentOf(other.home)).isEqualTo(before);
        assertThat(other.run("doctor").code()).isZero();
    }

    @Test
    void a_copied_key_is_still_a_key_and_an_unknown_field_still_there() {
        cli.withStore(store -> fill((AdoptingStore) store));
        cli.run("store", "copy", "file", sqlite);

        try (var store = sqlite()) {
            var keyed = store.openOrCreate(NewSession.in(Scope.LOCAL).named("renamed"));
            assertThat(keyed.append(Batch.at(1, described("two", "events")).withKey("k1")))
                    .isEqualTo(new Appended(8, 9, true));
            assertThatThrownBy(() -> keyed.append(Batch.at(1, described("two")).withKey("k1")))
                    .isInstanceOf(KeyConflict.class);
            assertThat(keyed.read(1))
                    .anyMatch(entry -> entry.raw() != null
                            && entry.raw().path("mood").asString("").equals("good"));
        }
    }

    @Test
    void a_copy_made_again_adds_what_is_new_and_nothing_else() {
        var id = cli.having("talk", "one", "1");
        assertThat(cli.run("store", "copy", "file", sqlite, "--json")
                        .json()
                        .path("copied")
                        .asInt())
                .isEqualTo(1);

        var again = cli.run("store", "copy", "file", sqlite, "--json").json();
        cli.withStore(store -> Cli.say(store.open(Scope.LOCAL, id), "two", "2"));
        var more = cli.run("store", "copy", "file", sqlite, "--json").json();

        assertThat(again.path("unchanged").asInt()).isEqualTo(1);
        assertThat(again.path("events").asInt()).isZero();
        assertThat(more.path("events").asInt()).isEqualTo(6);
        try (var store = sqlite()) {
            assertThat(contentOf(store)).isEqualTo(contentOf(cli.home));
        }
    }

    @Test
    void a_session_that_went_on_elsewhere_is_told_and_left_alone() {
        var id = cli.having("talk", "one", "1");
        cli.having("other", "hello", "hi");
        cli.run("store", "copy", "file", sqlite);
        try (var store = sqlite()) {
            Cli.say(store.open(Scope.LOCAL, id), "there", "yes");
        }
        cli.withStore(store -> Cli.say(store.open(Scope.LOCAL, id), "here", "no"));

        var copied = cli.run("store", "copy", "file", sqlite);

        assertThat(copied.code()).isEqualTo(4);
        assertThat(copied.err()).contains(id.toString()).contains("other events");
        try (var store = sqlite()) {
            assertThat(store.open(Scope.LOCAL, id).context(10).messages())
                    .anyMatch(message -> message.text().equals("there"));
        }
    }

    private AdoptingStore sqlite() {
        return JdbcSessionStore.open(sqlite, JdbcOptions.standard());
    }

    /// Sessions of several scopes and owners: renamed, forked, forked from what was deleted, with keys and with
    /// what only a later version knows.
    static void fill(AdoptingStore store) {
        var plain = store.create(NewSession.in(Scope.LOCAL).named("plain").withEvents(exchange("first")));
        store.rename(Scope.LOCAL, plain.id(), new SessionAlias("renamed"));
        plain.append(Batch.at(7, described("two", "events")).withKey("k1"));
        var body = Json.MAPPER
                .createObjectNode()
                .put("type", "session_described")
                .put("at", NOW.toString())
                .put("description", "from the future")
                .put("mood", "good");
        plain.append(List.of(
                new SessionEvent.Opaque(NOW, "session_described", body),
                new SessionEvent.Opaque(
                        NOW, "session_teleported", body.deepCopy().put("type", "session_teleported"))));
        var fork = store.fork(Scope.LOCAL, plain.id(), 7, NewSession.in(Scope.LOCAL.withAgent("coder")));
        fork.append(described("in the fork"));
        store.create(NewSession.in(Scope.ofOwner("ann")).named("renamed").withEvents(exchange("hers")));

        var doomed = store.create(NewSession.in(Scope.LOCAL).named("doomed").withEvents(exchange("doomed")));
        doomed.append(described("shared", "not shared"));
        var child = store.fork(Scope.LOCAL, doomed.id(), 8, NewSession.in(Scope.LOCAL));
        child.append(described("child"));
        store.fork(Scope.LOCAL, child.id(), 10, NewSession.in(Scope.LOCAL).named("grandchild"));
        store.delete(Scope.LOCAL, doomed.id());
        store.delete(Scope.LOCAL, child.id());
    }

    /// Everything about every session.
    record Content(Scope scope, SessionSummary summary, List<Entry> entries) {}

    static Map<SessionId, Content> contentOf(Path home) {
        try (var store = FileSessionStore.open(home)) {
            return contentOf(store);
        }
    }

    static Map<SessionId, Content> contentOf(AdoptingStore store) {
        var content = new java.util.TreeMap<SessionId, Content>();
        for (var scope : store.scopes()) {
            for (var summary : store.list(ListQuery.of(scope).withLimit(500)).sessions()) {
                content.put(
                        summary.id(),
                        new Content(
                                scope, summary, store.open(scope, summary.id()).read(1)));
            }
        }
        assertThat(content).isNotEmpty();
        return content;
    }

    private static List<SessionEvent> described(String... texts) {
        var events = new ArrayList<SessionEvent>();
        for (var text : texts) {
            events.add(new SessionEvent.SessionDescribed(NOW, text));
        }
        return events;
    }

    private static List<? extends SessionEvent> exchange(String prompt) {
        return Exchange.of(Cli.IDS, NOW, null, prompt, "answer");
    }
}
