package dev.skein.store.file;

import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The names of one scope's sessions: small files, each holding the id of the session it names.
///
/// A file that holds anything else names nothing: it is reported, left where it is, and replaced when somebody
/// takes the name. Changing names is serialised by the caller.
final class Aliases {

    private static final int SIZE_MAX = 4096;

    private final Disk disk;
    private final Layout layout;
    private final DurableNames names;

    Aliases(Disk disk, Layout layout, DurableNames names) {
        this.disk = disk;
        this.layout = layout;
        this.names = names;
    }

    /// The id this name's file holds.
    Optional<SessionId> find(SessionAlias alias) throws IOException {
        return read(layout.name(alias));
    }

    void put(SessionAlias alias, SessionId id) throws IOException {
        names.replace(layout.name(alias), (id + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    /// Frees the name if it names this session.
    void remove(SessionAlias alias, SessionId id) throws IOException {
        if (find(alias).filter(id::equals).isPresent()) {
            names.deleteIfThere(layout.name(alias));
        }
    }

    /// All names by session, as far as file names tell them. A session found under two names keeps the first.
    Map<SessionId, String> all() throws IOException {
        var found = new HashMap<SessionId, String>();
        for (var fileName : disk.list(layout.byName()).stream().sorted().toList()) {
            if (!fileName.startsWith(DurableNames.TEMPORARY)) {
                read(layout.byName().resolve(fileName)).ifPresent(id -> found.putIfAbsent(id, fileName));
            }
        }
        return found;
    }

    private Optional<SessionId> read(Path file) throws IOException {
        if (!names.isDirectory(layout.byName()) || disk.stat(file) == null) {
            return Optional.empty();
        }
        var bytes = names.read(file, SIZE_MAX);
        var id = bytes == null
                ? Optional.<SessionId>empty()
                : SessionId.parse(new String(bytes, StandardCharsets.UTF_8).strip());
        if (id.isEmpty()) {
            log().warn("{} does not hold a session id and is ignored; `skein doctor` tells more", file);
        }
        return id;
    }

    private static Logger log() {
        return LoggerFactory.getLogger(Aliases.class);
    }
}
