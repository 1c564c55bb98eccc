package dev.skein.cli.program;

import dev.skein.cli.settings.DatabaseRules;
import dev.skein.exchange.export.ExportFormat;
import dev.skein.exchange.export.SessionExport;
import dev.skein.failure.InvalidRequest;
import dev.skein.store.AdoptingStore;
import dev.skein.store.SessionHandle;
import dev.skein.store.file.Doctor;
import dev.skein.store.file.FileSessionStore;
import dev.skein.store.file.StoreOptions;
import dev.skein.store.jdbc.JdbcOptions;
import dev.skein.store.jdbc.JdbcSessionStore;
import dev.skein.store.jdbc.sql.Limits;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Clock;

/// Which parts the program is made of. The only class that knows how a store is made.
public final class Wiring implements AutoCloseable {

    /// The store that is in home.
    static final String FILES = "file";

    private final AdoptingStore store;

    private Wiring(AdoptingStore store) {
        this.store = store;
    }

    /// `place` is `file`, `sqlite:PATH` or the address of a PostgreSQL database.
    static Wiring open(Path home, String place, DatabaseRules rules, Clock clock) {
        return new Wiring(openStore(home, place, rules, clock));
    }

    /// Opens a store that the caller closes.
    static AdoptingStore openStore(Path home, String place, DatabaseRules rules, Clock clock) {
        return place.equals(FILES)
                ? FileSessionStore.open(home, StoreOptions.standard().withClock(clock))
                : JdbcSessionStore.open(place, options(rules).withClock(clock));
    }

    private static JdbcOptions options(DatabaseRules rules) {
        var limits = Limits.standard();
        return JdbcOptions.standard()
                .withLease(rules.lease(), rules.lease().dividedBy(3))
                .withLimits(new Limits(rules.connections(), limits.connect(), limits.statement()));
    }

    AdoptingStore store() {
        return store;
    }

    /// Brings in every legacy session of this owner.
    Migration migrateAll(String owner) {
        if (!(store instanceof FileSessionStore files)) {
            throw new InvalidRequest(
                    "files of other tools are migrated into the file store; run this with --store file,"
                            + " then 'skein store copy file TO'");
        }
        var migrated = files.migrateAll(owner);
        return new Migration(
                migrated.sessions().stream()
                        .map(session -> new Migration.Migrated(session.source(), session.alias(), session.id()))
                        .toList(),
                migrated.problems());
    }

    /// Looks at every file in home, whoever owns it. Needs no open store.
    static Checkup check(Path home) {
        return checkup(home, Doctor.check(home));
    }

    /// Looks, and mends what can be mended.
    static Checkup repair(Path home) {
        return checkup(home, Doctor.repair(home));
    }

    private static Checkup checkup(Path home, Doctor.Report report) {
        var root = home.toAbsolutePath().normalize();
        return new Checkup(
                report.sessionsChecked(),
                report.findings().stream()
                        .map(finding -> new Checkup.Finding(
                                switch (finding.severity()) {
                                    case NOTE -> Checkup.Severity.NOTE;
                                    case DAMAGE -> Checkup.Severity.DAMAGE;
                                },
                                root.relativize(finding.file()).toString(),
                                finding.what(),
                                finding.repaired()))
                        .toList());
    }

    @Override
    public void close() {
        store.close();
    }

    public static void export(ExportFormat format, SessionHandle session, OutputStream out) throws IOException {
        SessionExport.of(session).write(format, out);
    }
}
