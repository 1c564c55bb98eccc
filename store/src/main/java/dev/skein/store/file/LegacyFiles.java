package dev.skein.store.file;

import dev.skein.exchange.loki.LokiFileName;
import dev.skein.exchange.loki.LokiSession;
import dev.skein.message.Cost;
import dev.skein.message.Usage;
import dev.skein.session.Ids;
import dev.skein.session.Origin;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import dev.skein.session.SessionStatus;
import dev.skein.store.NewSession;
import dev.skein.store.SessionSummary;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Session files of Loki and its relatives that lie in a scope's directory, and what became of them.
///
/// They are only ever read. A file that was migrated has a marker that holds the session's id, so that it is
/// migrated once, whatever the session is called later. When a purged session leaves the trash, the marker
/// remembers what the file was like: it stays where it is, and is not offered again unless somebody changes it.
final class LegacyFiles {

    /// The tool that sessions migrated from here say they come from.
    static final String TOOL = "loki";

    private static final int DEPTH_MAX = 8;
    private static final Set<String> OURS =
            Set.of("by-id", "by-name", "forked", "trash", "migrated", "index.json", "last_session", "lock");

    private final SessionTree tree;
    private final Disk disk;

    LegacyFiles(SessionTree tree) {
        this.tree = tree;
        this.disk = tree.disk();
    }

    /// A file that was not migrated yet. `path` is relative to the scope's directory.
    record Legacy(String path, LokiFileName name, Disk.Stat stat) {

        Instant modified() {
            return Instant.ofEpochSecond(0, stat.modifiedNanos());
        }
    }

    /// All files that were not migrated yet, in the order of their paths.
    List<Legacy> pending() throws IOException {
        var found = new ArrayList<Legacy>();
        collect(tree.layout().sessions(), Path.of(""), 0, found);
        found.sort((one, other) -> one.path().compareTo(other.path()));
        return found;
    }

    /// The file that would get this alias.
    Optional<Legacy> pending(SessionAlias alias) throws IOException {
        if (disk.stat(tree.layout().sessions()) == null) {
            return Optional.empty();
        }
        return pending().stream()
                .filter(legacy -> legacy.name().alias() != null
                        && legacy.name().alias().folded().equals(alias.folded()))
                .findFirst();
    }

    /// The session to make of a file, and what is wrong with the file if that is only a part of it.
    record Content(NewSession session, @Nullable String damage) {}

    /// What is in a file, under this alias.
    Content read(Legacy legacy, @Nullable SessionAlias alias, Ids ids, Instant now) throws IOException {
        var file = tree.layout().sessions().resolve(legacy.path());
        var bytes = tree.names().read(file, LokiSession.BYTES_MAX);
        if (bytes == null) {
            bytes = new byte[0];
        }
        var content = LokiSession.read(bytes, legacy.path(), legacy.modified(), ids);
        var session = NewSession.in(tree.scope())
                .named(alias)
                .from(new Origin(TOOL, legacy.path(), now))
                .withEvents(content.events());
        return new Content(legacy.name().autoname() ? session.autonamed() : session, content.damage());
    }

    void markMigrated(Legacy legacy, SessionId id) throws IOException {
        var marker = tree.layout().migrated(legacy.path());
        tree.createDirectories(DurableNames.parent(marker));
        tree.names().replace(marker, (id + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    /// A session that was purged is removed for good. The file it was made from is a person's, so it stays; its
    /// marker says that it has had its day.
    void noteGone(Origin origin, SessionId id) throws IOException {
        var source = origin.source();
        if (!origin.tool().equals(TOOL)
                || source == null
                || source.isEmpty()
                || !markedFor(source).filter(id::equals).isPresent()) {
            return;
        }
        var file = tree.layout().sessions().resolve(source).normalize();
        var stat = isInside(file) ? disk.stat(file) : null;
        if (stat != null) {
            tree.names()
                    .replace(
                            tree.layout().migrated(source),
                            (id + "\n" + likeness(stat) + "\n").getBytes(StandardCharsets.US_ASCII));
        }
    }

    /// What a file is like: enough to notice that somebody wrote to it.
    private static String likeness(Disk.Stat stat) {
        return "gone size=" + stat.size() + " modified=" + stat.modifiedNanos();
    }

    /// Removes the file that a session was migrated from, and its marker. Without the marker it was imported from
    /// elsewhere, and a file of the same name here is not its own.
    void deleteSource(Origin origin, SessionId id) throws IOException {
        var source = origin.source();
        if (!origin.tool().equals(TOOL)
                || source == null
                || source.isEmpty()
                || !markedFor(source).filter(id::equals).isPresent()) {
            return;
        }
        var sessions = tree.layout().sessions();
        var file = sessions.resolve(source).normalize();
        var stat = disk.stat(file);
        if (isInside(file) && stat != null && stat.kind() == Disk.Kind.FILE) {
            tree.names().deleteIfThere(file);
        }
        tree.names().deleteIfThere(tree.layout().migrated(source));
    }

    /// Whether only real directories lead from the scope's directory to the file.
    private boolean isInside(Path file) throws IOException {
        var sessions = tree.layout().sessions();
        if (!file.startsWith(sessions)) {
            return false;
        }
        for (var above = DurableNames.parent(file); !above.equals(sessions); above = DurableNames.parent(above)) {
            if (!tree.names().isDirectory(above)) {
                return false;
            }
        }
        return true;
    }

    /// How a listing shows a file.
    SessionSummary summary(Legacy legacy) {
        var name = legacy.name();
        return new SessionSummary(
                null,
                name.alias() == null ? name.name() : name.alias().text(),
                tree.scope().owner(),
                tree.scope().agent(),
                name.title(),
                SessionStatus.IDLE,
                null,
                null,
                null,
                null,
                legacy.modified(),
                legacy.modified(),
                0,
                0,
                null,
                Usage.NONE,
                Cost.NONE,
                name.autoname(),
                new Origin(TOOL, legacy.path(), null),
                null,
                legacy.path());
    }

    private void collect(Path directory, Path relative, int depth, List<Legacy> found) throws IOException {
        for (var fileName : disk.list(directory)) {
            if ((depth == 0 && OURS.contains(fileName)) || fileName.startsWith(DurableNames.TEMPORARY)) {
                continue;
            }
            var path = directory.resolve(fileName);
            var below = relative.resolve(fileName);
            var stat = disk.stat(path);
            if (stat != null && stat.kind() == Disk.Kind.DIRECTORY && depth < DEPTH_MAX) {
                collect(path, below, depth + 1, found);
            } else if (stat != null && stat.kind() == Disk.Kind.FILE) {
                var name = LokiFileName.of(below);
                if (name.isPresent() && !isMigrated(below.toString(), stat)) {
                    found.add(new Legacy(below.toString(), name.get(), stat));
                }
            }
        }
    }

    private Optional<SessionId> markedFor(String path) throws IOException {
        var marker = marker(path);
        return marker.isEmpty() ? Optional.empty() : SessionId.parse(marker.getFirst());
    }

    private List<String> marker(String path) throws IOException {
        var marker = tree.names().read(tree.layout().migrated(path), 4096);
        return marker == null
                ? List.of()
                : new String(marker, StandardCharsets.UTF_8).strip().lines().toList();
    }

    private boolean isMigrated(String path, Disk.Stat stat) throws IOException {
        var marker = marker(path);
        if (marker.size() > 1 && marker.get(1).equals(likeness(stat))) {
            return true;
        }
        var id = marker.isEmpty() ? Optional.<SessionId>empty() : SessionId.parse(marker.getFirst());
        return id.isPresent() && (tree.has(id.get()) || disk.stat(tree.layout().trashed(id.get())) != null);
    }
}
