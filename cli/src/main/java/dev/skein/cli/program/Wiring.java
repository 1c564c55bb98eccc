package dev.skein.cli.program;

import dev.skein.exchange.export.ExportFormat;
import dev.skein.exchange.export.SessionExport;
import dev.skein.session.Scope;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionStore;
import dev.skein.store.file.FileSessionStore;
import dev.skein.store.file.StoreOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Clock;

/// Which parts the program is made of. The only class that knows how a store is made.
public final class Wiring implements AutoCloseable {

    private final FileSessionStore store;

    private Wiring(FileSessionStore store) {
        this.store = store;
    }

    static Wiring open(Path home, Clock clock) {
        return new Wiring(FileSessionStore.open(home, StoreOptions.standard().withClock(clock)));
    }

    SessionStore store() {
        return store;
    }

    /// Brings in every legacy session of this owner.
    Migration migrateAll(String owner) {
        var migrated = store.migrateAll(owner);
        return new Migration(
                migrated.sessions().stream()
                        .map(session -> new Migration.Migrated(session.source(), session.alias(), session.id()))
                        .toList(),
                migrated.problems());
    }

    Checkup check() {
        return Checkup.of(
                store, store.scopes().stream().map(Scope::owner).distinct().toList());
    }

    /// The store cannot mend journals yet; says so where there is something to mend.
    Checkup repair() {
        var found = check();
        return found.findings().stream().noneMatch(Checkup.Finding::isOpen)
                ? found
                : found.plusNote(
                        "nothing was mended, this Skein cannot do it yet; 'skein session export' saves what is left");
    }

    @Override
    public void close() {
        store.close();
    }

    public static void export(ExportFormat format, SessionHandle session, OutputStream out) throws IOException {
        SessionExport.of(session).write(format, out);
    }
}
