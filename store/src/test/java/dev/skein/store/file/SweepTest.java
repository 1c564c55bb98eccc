package dev.skein.store.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.store.ListQuery;
import dev.skein.store.NewSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// What crashes left behind goes before the first change. Whoever only looks neither sees it nor waits for that.
class SweepTest {

    private final Path home = TemporaryHome.make();
    private final Layout layout = Layout.of(home, Scope.LOCAL);

    @Test
    void a_listing_leaves_it_and_does_not_show_it_and_the_first_change_removes_it() throws Exception {
        try (var store = FileSessionStore.open(home)) {
            store.create(NewSession.in(Scope.LOCAL).named("one")).close();
        }
        var file = leftover(layout.sessions(), Instant.EPOCH);
        var session = leftover(layout.byId(), Instant.EPOCH);
        var fresh = leftover(layout.byName(), Clock.systemUTC().instant().plus(Duration.ofHours(1)));

        try (var store = FileSessionStore.open(home)) {
            var page = store.list(ListQuery.of(Scope.LOCAL));
            assertThat(page.sessions()).hasSize(1);
            assertThat(page.problems()).isEmpty();
            assertThat(file).exists();
            assertThat(session).exists();

            var one = store.resolve(Scope.LOCAL, new SessionAlias("one")).orElseThrow();
            store.open(Scope.LOCAL, one).close();
            assertThat(file).doesNotExist();
            assertThat(session).doesNotExist();
            assertThat(fresh).as("may be in use").exists();
        }
    }

    private static Path leftover(Path directory, Instant modified) throws IOException {
        var left = Files.createDirectory(directory.resolve(DurableNames.TEMPORARY + "left"));
        Files.createFile(left.resolve("journal.jsonl"));
        return Files.setLastModifiedTime(left, FileTime.from(modified));
    }
}
