package dev.skein.store.file;

import dev.skein.session.SessionId;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What a migration made of which files, and what it could not read.
public record Migrated(List<Session> sessions, List<String> problems) {

    public Migrated {
        sessions = List.copyOf(sessions);
        problems = List.copyOf(problems);
    }

    /// A session made from a file. Without an alias if another session has the name.
    public record Session(String source, @Nullable String alias, SessionId id) {}

    Migrated plus(Migrated more) {
        return new Migrated(
                Stream.concat(sessions.stream(), more.sessions.stream()).toList(),
                Stream.concat(problems.stream(), more.problems.stream()).toList());
    }
}
