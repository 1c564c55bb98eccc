package dev.skein.store.file;

import dev.skein.failure.SessionDamaged;
import dev.skein.failure.SessionLocked;
import dev.skein.failure.SessionNotFound;
import dev.skein.failure.UnsupportedVersion;
import dev.skein.session.ForkRef;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import dev.skein.store.PurgeQuery;
import dev.skein.store.SessionSummary;
import dev.skein.store.query.PurgeSelection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Where purged sessions wait until they are restored or removed for good.
final class Trash {

    private static final Logger LOG = LoggerFactory.getLogger(Trash.class);
    private static final String PURGED_AT = "purged_at";

    private final SessionTree tree;
    private final Function<SessionId, LiveSession> sessions;
    private final Consumer<LiveSession> gone;

    Trash(SessionTree tree, Function<SessionId, LiveSession> sessions, Consumer<LiveSession> gone) {
        this.tree = tree;
        this.sessions = sessions;
        this.gone = gone;
    }

    /// Moves what the query selects here, each after a second look.
    List<SessionSummary> purge(PurgeQuery query, Catalog.Found found, Clock clock) throws IOException {
        var moved = new ArrayList<SessionSummary>();
        var sessions = found.sessions();
        var restored = new Restored(tree).among(sessions);
        var selected = PurgeSelection.select(
                sessions,
                query,
                clock.instant(),
                summary -> found.channels().contains(summary.id()),
                summary -> restored.getOrDefault(summary.id(), summary.lastActivityAt()));
        for (var summary : selected) {
            if (summary.id() != null && moveAwayIfSound(summary.id(), summary, clock.instant())) {
                moved.add(summary);
            }
        }
        return moved;
    }

    /// What is damaged stays where it is, and does not keep the others here.
    private boolean moveAwayIfSound(SessionId id, SessionSummary asListed, Instant now) throws IOException {
        try {
            return moveAway(id, asListed, now);
        } catch (SessionDamaged | UnsupportedVersion e) {
            LOG.warn("session {} is not purged: {}", id, e.getMessage());
            return false;
        }
    }

    /// Brings a session back, under its old name if that is free.
    void restore(SessionId id, Instant now) throws IOException {
        tree.naming(() -> {
            var trashed = tree.layout().trashed(id);
            if (tree.disk().stat(trashed) == null) {
                throw SessionNotFound.named(id);
            }
            var name = nameOf(id, trashed);
            var free = name != null && tree.resolve(name).isEmpty();
            if (name != null && free) {
                // First, as for a new session: until the move it names nothing.
                tree.putAlias(name, id);
            }
            new Restored(tree).note(id, now);
            tree.names().move(trashed, tree.layout().session(id));
            sessions.apply(id).name().set(free ? name : null);
            tree.names().deleteIfThere(tree.layout().session(id).resolve(PURGED_AT));
            return id;
        });
    }

    /// What a session in the trash was called last.
    private @Nullable SessionAlias nameOf(SessionId id, Path trashed) throws IOException {
        var stored = StateFile.read(tree.names(), Layout.state(trashed), id);
        if (stored != null) {
            return stored.state().alias();
        }
        var opened = History.openingOf(tree.disk(), Layout.journal(trashed));
        return opened == null ? null : opened.alias();
    }

    /// Removes for good what was purged before `limit`. Returns how many that were.
    int empty(Instant limit) throws IOException {
        var removed = 0;
        for (var name : tree.disk().list(tree.layout().trash())) {
            var id = SessionId.parse(name).orElse(null);
            if (id != null && purgedAt(id).isBefore(limit)) {
                removed += remove(id, limit) ? 1 : 0;
            }
        }
        return removed;
    }

    private record Removed(@Nullable ForkRef parent) {}

    /// Looks again once it is alone: somebody else may have restored or removed it since.
    private boolean remove(SessionId id, Instant limit) throws IOException {
        var removed = tree.naming(() -> {
            if (!purgedAt(id).isBefore(limit)) {
                return Optional.<Removed>empty();
            }
            noteGone(id);
            return Optional.of(new Removed(tree.remove(id, tree.layout().trashed(id))));
        });
        if (removed.isPresent()) {
            tree.releaseParent(removed.get().parent(), id);
        }
        return removed.isPresent();
    }

    /// Else the file that the session was made from would be offered as if it were new.
    private void noteGone(SessionId id) throws IOException {
        var journal = Layout.journal(tree.layout().trashed(id));
        var opened = tree.disk().stat(journal) == null ? null : History.openingOf(tree.disk(), journal);
        if (opened != null && opened.origin() != null) {
            new LegacyFiles(tree).noteGone(opened.origin(), id);
        }
    }

    /// The rules may no longer hold, and nobody must be in the middle of a turn.
    private boolean moveAway(SessionId id, SessionSummary asListed, Instant now) throws IOException {
        var session = sessions.apply(id);
        if (session.turnstile().isMine()) {
            return false;
        }
        try (var _ = session.turnstile().enter(Duration.ZERO)) {
            var state = session.state();
            if (state.lastActivityAt().isAfter(asListed.lastActivityAt())) {
                return false;
            }
            session.writer().settle();
            session.writeState();
            return tree.naming(() -> {
                tree.createDirectories(tree.layout().trash());
                tree.names()
                        .replace(
                                tree.layout().session(id).resolve(PURGED_AT),
                                (now + "\n").getBytes(StandardCharsets.US_ASCII));
                tree.names().move(tree.layout().session(id), tree.layout().trashed(id));
                gone.accept(session);
                // A name without a session is free, a session without its name would be half purged.
                var alias = state.alias();
                if (alias != null) {
                    tree.aliases().remove(alias, id);
                }
                return true;
            });
        } catch (SessionLocked | SessionNotFound _) {
            return false;
        }
    }

    private Instant purgedAt(SessionId id) throws IOException {
        var bytes = tree.names().read(tree.layout().trashed(id).resolve(PURGED_AT), 4096);
        var at = bytes == null ? null : Restored.timeIn(bytes);
        return at == null ? Instant.MAX : at;
    }
}
