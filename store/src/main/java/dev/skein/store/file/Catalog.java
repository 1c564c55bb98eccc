package dev.skein.store.file;

import dev.skein.failure.SkeinException;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import dev.skein.store.SessionSummary;
import dev.skein.store.file.SessionIndex.Content;
import dev.skein.store.file.SessionIndex.Row;
import dev.skein.store.query.PurgeSelection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What there is in one scope's directory: the index, checked against the directory and brought up to date.
///
/// A row is right as long as the journal has the size it was made at, so an unchanged session costs one look at
/// its directory entry and no journal is opened.
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
    record Found(List<SessionSummary> sessions, Set<SessionId> channels, List<String> problems) {}

    Found find() throws IOException {
        if (!tree.exists()) {
            return new Found(List.of(), Set.of(), List.of());
        }
        tree.requireInside();
        var known = tree.index().load();
        var problems = new ArrayList<String>();
        var rows = new HashMap<SessionId, Row>();
        var changed = false;
        for (var name : tree.disk().list(tree.layout().byId())) {
            var id = SessionId.parse(name).orElse(null);
            if (id == null) {
                if (!name.startsWith(DurableNames.TEMPORARY)) {
                    problems.add(tree.layout().byId().resolve(name) + " is not a session");
                }
                continue;
            }
            var row = row(id, known.sessions().get(id), problems);
            if (row != null) {
                rows.put(id, row);
                changed |= !row.equals(known.sessions().get(id));
            }
        }
        var names = names(known);
        changed |= rows.size() != known.sessions().size() || names.modified() != known.namesModified();
        if (changed) {
            tree.index().save(new Content(1, names.modified(), names.byId(), rows));
        }
        return result(rows, names.byId(), problems);
    }

    private Found result(Map<SessionId, Row> rows, Map<SessionId, String> names, List<String> problems)
            throws IOException {
        var summaries = new ArrayList<SessionSummary>(rows.size());
        var channels = new HashSet<SessionId>();
        rows.forEach((id, row) -> {
            summaries.add(named(row.summary(), names.get(id)));
            if (row.channel()) {
                channels.add(id);
            }
        });
        legacy.pending().forEach(file -> summaries.add(legacy.summary(file)));
        return new Found(summaries, channels, problems);
    }

    private @Nullable Row row(SessionId id, @Nullable Row known, List<String> problems) throws IOException {
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
        if (known != null && known.size() == stat.size() && stat.kind() == Disk.Kind.FILE) {
            return known;
        }
        try {
            var state = sessions.apply(id).state();
            var channel = state.opened().metadata().containsKey(PurgeSelection.CHANNEL);
            return new Row(stat.size(), channel, SessionSummary.of(state));
        } catch (SkeinException e) {
            problems.add(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            problems.add(String.valueOf(Problems.of("read session " + id, e).getMessage()));
        }
        return null;
    }

    private record Names(Map<SessionId, String> byId, long modified) {}

    private Names names(Content known) throws IOException {
        var stat = tree.disk().stat(tree.layout().byName());
        var modified = stat == null ? 0 : stat.modifiedNanos();
        if (modified == known.namesModified()) {
            return new Names(known.names(), modified);
        }
        var now = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
        return new Names(tree.aliases().all(), now - modified > TICK_NANOS ? modified : -1);
    }

    /// The summary under the name that finds the session. A file name does not tell upper from lower case; the
    /// session's own word for it does, if it is the same name.
    private static SessionSummary named(SessionSummary summary, @Nullable String fileName) {
        var own = summary.alias();
        if (fileName == null
                ? own == null
                : own != null && fileName.equals(Layout.escape(new SessionAlias(own).folded()))) {
            return summary;
        }
        return summary.named(fileName == null ? null : Layout.unescape(fileName));
    }
}
