package dev.skein.store.jdbc.sql;

import dev.skein.failure.StorageFailed;
import dev.skein.failure.UnsupportedVersion;
import java.sql.SQLException;

/// Brings the tables to the version that this program knows. Of several programs that start at once, one does it.
final class Schema {

    private static final String TABLE =
            "CREATE TABLE IF NOT EXISTS skein_schema (one int PRIMARY KEY, version int NOT NULL)";
    private static final String FIRST =
            "INSERT INTO skein_schema (one, version) VALUES (1, 0) ON CONFLICT (one) DO NOTHING";

    private static final int TRIES_MAX = 10;

    private final Database database;

    Schema(Database database) {
        this.database = database;
    }

    /// @throws UnsupportedVersion if a newer program was here before
    void migrate() {
        var migrations = database.dialect().migrations();
        if (newest() == migrations.size()) {
            return;
        }
        prepare();
        database.transaction("migrate the tables", link -> {
            // Whoever has this row migrates; the others wait here and find it done.
            var version = link.first(
                            "SELECT version FROM skein_schema WHERE one = 1"
                                    + database.dialect().exclusive(),
                            row -> row.getInt(1))
                    .orElse(0);
            requireKnown(version, migrations.size());
            for (var migration : migrations.subList(version, migrations.size())) {
                for (var statement : migration) {
                    link.update(statement);
                }
            }
            return link.update("UPDATE skein_schema SET version = ? WHERE one = 1", migrations.size());
        });
    }

    /// Several that do this at once may refuse each other, "if not exists" or not.
    private void prepare() {
        for (int tries = 1; ; tries++) {
            try {
                database.transaction("prepare the tables", link -> {
                    link.update(TABLE);
                    return link.update(FIRST);
                });
                return;
            } catch (Database.Duplicate | StorageFailed e) {
                if (tries == TRIES_MAX) {
                    throw e;
                }
            }
        }
    }

    /// The version that is there, or 0.
    private int newest() {
        return database.read("look at the tables", link -> {
            try {
                var version = link.first("SELECT version FROM skein_schema WHERE one = 1", row -> row.getInt(1))
                        .orElse(0);
                requireKnown(version, database.dialect().migrations().size());
                return version;
            } catch (SQLException e) {
                if (database.dialect().isUnknownTable(e)) {
                    return 0;
                }
                throw e;
            }
        });
    }

    private static void requireKnown(int version, int newest) {
        if (version > newest) {
            throw new UnsupportedVersion("the database", version, newest);
        }
    }
}
