package dev.skein.cli.program;

import dev.skein.exchange.export.ExportFormat;
import dev.skein.exchange.export.SessionExport;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionStore;
import dev.skein.store.file.Doctor;
import dev.skein.store.file.FileSessionStore;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;

/// Which parts the program is made of. The only class that knows how a store is made.
public final class Wiring implements AutoCloseable {

    private final FileSessionStore store;

    private Wiring(FileSessionStore store) {
        this.store = store;
    }

    static Wiring open(Path home) {
        return new Wiring(FileSessionStore.open(home));
    }

    SessionStore store() {
        return store;
    }

    /// Brings in every legacy session of this owner.
    List<FileSessionStore.Migrated> migrateAll(String owner) {
        return store.migrateAll(owner);
    }

    @Override
    public void close() {
        store.close();
    }

    public static Doctor.Report check(Path home) {
        return Doctor.check(home);
    }

    public static Doctor.Report repair(Path home) {
        return Doctor.repair(home);
    }

    public static void export(ExportFormat format, SessionHandle session, OutputStream out) throws IOException {
        SessionExport.of(session).write(format, out);
    }
}
