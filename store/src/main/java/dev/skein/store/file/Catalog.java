package dev.skein.store.file;

import dev.skein.failure.SkeinException;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import dev.skein.store.SessionSummary;
import dev.skein.store.file.SessionIndex.Content;
import dev.skein.store.query.Cursor;
import dev.skein.store.query.Listing.Listed;
import dev.skein.store.query.PurgeSelection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What there is in one scope's directory: the index, checked against the directory and brought up to date.
///
/// A row is right as long as the journal has the size it was made at, so an unchanged session costs one look at
/// its directory entry and no journal is opened. What is not shown is not even read from the index.
final class Catalog {

    private static final long TICK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final SessionTree tree;
    private final LegacyFiles legacy;
    private final Function<SessionId, LiveSession> sessions;

    Catalog(SessionTree tree, LegacyFiles legacy, Function<SessionId, LiveSession> sessions) {
        this.tree = tree;
        this.legacy = legacy;
        this.sessions = sessions;
    }

    /// Everything in the directory. `channels` are the sessions that belong to chats.
    record Found(List<Listed> listed, Set<SessionId> channels, List<String> problems) {

        /// All of them, read.
        List<SessionSummary> sessions() {
            return listed.stream()
                    .map(each -> each.summary().get())
                    .filter(Objects::nonNull)
                    .toList();
        }
    }

    Found find() throws IOException {
        if (!tree.exists()) {
            return new Found(List.of(), Set.of(), List.of());
        }
        tree.requireInside();
        var known = tree.index().load();
        var problems = new ArrayList<String>();
        var rows = new LinkedHashMap<String, IndexRow>();
        var changed = false;
        var byId = tree.layout().byId();
        for (var name : tree.disk().list(byId)) {
            var before = known.sessions().get(name);
            var row = before != null && isTrue(before, byId) ? before : row(name, problems);
            if (row != null) {
                rows.put(row.id(), row);
                changed |= row != before;
            }
        }
        changed |= rows.size() != known.sessions().size();
        var modified = namesModified();
        if (changed || modified != known.namesModified()) {
            modified = modified == known.namesModified() ? known(rows, known) : name(rows, modified);
            tree.index().save(new Content(modified, rows));
        }
        return result(rows, problems);
    }

    private boolean isTrue(IndexRow row, Path byId) throws IOException {
        return tree.disk().fileSize(Layout.journal(byId.resolve(row.id()))) == row.size();
    }

    private Found result(Map<String, IndexRow> rows, List<String> problems) throws IOException {
        var listed = new ArrayList<Listed>(rows.size());
        var channels = new HashSet<SessionId>();
        rows.forEach((id, row) -> {
            listed.add(new Listed(new Cursor(row.active(), id), () -> summary(row)));
            if (row.channel()) {
                channels.add(SessionId.of(id));
            }
        });
        legacy.pending().forEach(file -> listed.add(Listed.of(legacy.summary(file))));
        return new Found(listed, channels, problems);
    }

    /// Null if the session cannot be read any more.
    private @Nullable SessionSummary summary(IndexRow row) {
        var summary = row.summary();
        if (summary == null) {
            var anew = row(SessionId.of(row.id()), row.size(), new ArrayList<>());
            summary = anew == null ? null : anew.summary();
        }
        return summary == null ? null : named(summary, row.name());
    }

    private @Nullable IndexRow row(String name, List<String> problems) throws IOException {
        var id = SessionId.parse(name).orElse(null);
        if (id == null) {
            if (!name.startsWith(DurableNames.TEMPORARY)) {
                problems.add(tree.layout().byId().resolve(name) + " is not a session");
            }
            return null;
        }
        if (!tree.names().isDirectory(tree.layout().session(id))) {
            if (tree.disk().stat(tree.layout().session(id)) != null) {
                problems.add(tree.layout().session(id) + " is not a directory");
            }
            return null;
        }
        var stat = tree.disk().stat(Layout.journal(tree.layout().session(id)));
        if (stat == null) {
            if (tree.has(id)) {
                problems.add("session " + id + " has no journal");
            }
            return null;
        }
        return row(id, stat.size(), problems);
    }

    private @Nullable IndexRow row(SessionId id, long size, List<String> problems) {
        try {
            var state = sessions.apply(id).state();
            var channel = state.opened().metadata().containsKey(PurgeSelection.CHANNEL);
            return IndexRow.of(id.toString(), size, channel, SessionSummary.of(state));
        } catch (SkeinException e) {
            problems.add(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            problems.add(String.valueOf(Problems.of("read session " + id, e).getMessage()));
        }
        return null;
    }

    private long namesModified() throws IOException {
        var stat = tree.disk().stat(tree.layout().byName());
        return stat == null ? 0 : stat.modifiedNanos();
    }

    /// Gives rows that were made anew the names they had.
    private static long known(Map<String, IndexRow> rows, Content known) {
        rows.replaceAll((id, row) -> {
            var before = known.sessions().get(id);
            return before == null || before == row ? row : row.named(before.name());
        });
        return known.namesModified();
    }

    /// Reads all names again. A directory may change twice within a tick of its clock, so one that changed just now is
    /// read
    /// again the next time.
    private long name(Map<String, IndexRow> rows, long modified) throws IOException {
        var names = tree.aliases().all();
        rows.replaceAll((id, row) -> row.named(names.get(SessionId.of(id))));
        var now = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
        return now - modified > TICK_NANOS ? modified : -1;
    }

    /// The summary under the name that finds the session. A file name does not tell upper from lower case; the
    /// session's own word for it does, if it is the same name.
    private static SessionSummary named(SessionSummary summary, @Nullable String fileName) {
        var own = summary.alias();
        if (fileName == null ? own == null : own != null && fileName.equals(Layout.escape(SessionAlias.folded(own)))) {
            return summary;
        }
        return summary.named(fileName == null ? null : Layout.unescape(fileName));
    }
}
