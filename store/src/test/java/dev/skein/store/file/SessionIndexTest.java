package dev.skein.store.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.session.Scope;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionId;
import dev.skein.store.Batch;
import dev.skein.store.ListQuery;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionSummary;
import dev.skein.wire.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/// `index.json` saves work and never changes what a listing says.
class SessionIndexTest {

    private final Path home = TemporaryHome.make();
    private final Layout layout = Layout.of(home, Scope.LOCAL);

    @Test
    void a_listing_is_the_same_with_the_index_without_it_and_with_an_old_one() throws Exception {
        for (var name : List.of("one", "Käse 2", "three \"quoted\"")) {
            create(name);
        }
        var fresh = listed();
        assertThat(listed()).isEqualTo(fresh);

        for (var other :
                List.of("", "{}", "{\"crc\":\"00000000\",\"index\":{\"version\":1,\"names\":{},\"sessions\":{}}}")) {
            Files.writeString(layout.index(), other);
            assertThat(listed()).as("with %s for an index", other).isEqualTo(fresh);
        }
        Files.delete(layout.index());
        assertThat(listed()).isEqualTo(fresh);
    }

    @Test
    void the_index_is_json_with_one_session_in_each_line() throws Exception {
        var id = create("one");
        create("two");
        listed();

        var lines = Files.readAllLines(layout.index());
        var read = Json.MAPPER.readTree(layout.index().toFile()).get("index");

        assertThat(lines).hasSize(4);
        assertThat(read.get("version").asInt()).isEqualTo(2);
        assertThat(read.get("sessions")).hasSize(2).anySatisfy(row -> {
            assertThat(row.get("id").asString()).isEqualTo(id.toString());
            assertThat(row.get("name").asString()).isEqualTo("one");
            assertThat(row.get("size").asLong()).isEqualTo(Files.size(Layout.journal(layout.session(id))));
            assertThat(row.get("length").asInt())
                    .isEqualTo(row.get("summary").toString().getBytes(StandardCharsets.UTF_8).length);
        });
    }

    @Test
    void a_session_that_grew_is_read_again_and_keeps_its_name() throws Exception {
        var id = create("one");
        create("two");
        listed();

        try (var store = FileSessionStore.open(home);
                var session = store.open(Scope.LOCAL, id);
                var guard = session.lock(SessionHandle.WAIT_DEFAULT)) {
            guard.append(Batch.at(
                    guard.state().version(), List.of(new SessionEvent.SessionDescribed(Instant.EPOCH, "grown"))));
        }

        assertThat(listed()).anySatisfy(each -> {
            assertThat(each.alias()).isEqualTo("one");
            assertThat(each.description()).isEqualTo("grown");
        });
    }

    @Test
    void a_strange_file_among_the_names_spoils_no_listing() throws Exception {
        var id = create("one");
        var odd = create(null);
        Files.writeString(layout.byName().resolve("odd \"}\n,"), odd + "\n");

        for (int again = 0; again < 2; again++) {
            assertThat(listed()).extracting(SessionSummary::id).containsExactlyInAnyOrder(id, odd);
            assertThat(listed()).extracting(SessionSummary::alias).contains("one");
        }
    }

    private SessionId create(String name) throws IOException {
        try (var store = FileSessionStore.open(home)) {
            var made = NewSession.in(Scope.LOCAL);
            return store.create(name == null ? made : made.named(name)).id();
        }
    }

    private List<SessionSummary> listed() {
        try (var store = FileSessionStore.open(home)) {
            var page = store.list(ListQuery.of(Scope.LOCAL));
            assertThat(page.problems()).isEmpty();
            return page.sessions();
        }
    }
}
