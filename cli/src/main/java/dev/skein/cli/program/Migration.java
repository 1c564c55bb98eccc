package dev.skein.cli.program;

import dev.skein.session.SessionId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The sessions that were made from files of other tools, and, in sentences, what could not be read.
public record Migration(List<Migrated> migrated, List<String> problems) {

    /// A session, and the file it was made from.
    public record Migrated(String source, @Nullable String alias, SessionId id) {}

    public Migration {
        migrated = List.copyOf(migrated);
        problems = List.copyOf(problems);
    }
}
