package dev.skein.store.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.session.Scope;
import dev.skein.store.NewSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HomeTest {

    @TempDir
    Path home;

    /// Whenever a directory is found missing, somebody else makes it at that moment.
    private static final class SharedDisk extends ForwardingDisk {

        SharedDisk() {
            super(new RealDisk());
        }

        @Override
        public boolean isDirectory(Path path) throws IOException {
            var found = super.isDirectory(path);
            if (!found && path.endsWith(Path.of("sessions", "by-id"))) {
                Files.createDirectories(path);
            }
            return found;
        }
    }

    @Test
    void a_directory_that_another_makes_at_the_same_time_is_a_directory() {
        try (var store = FileSessionStore.open(new SharedDisk(), home, StoreOptions.standard());
                var session = store.create(NewSession.in(Scope.LOCAL))) {
            assertThat(store.locate(Scope.LOCAL.owner(), session.id())).isPresent();
        }
    }
}
