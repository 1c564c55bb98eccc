package dev.skein.store.memory;

import dev.skein.failure.AliasInUse;
import dev.skein.failure.InvalidRequest;
import dev.skein.failure.SessionNotFound;
import dev.skein.session.ForkRef;
import dev.skein.session.Ids;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionEvent.SessionOpened;
import dev.skein.session.SessionId;
import dev.skein.store.Batch;
import dev.skein.store.ListQuery;
import dev.skein.store.NewSession;
import dev.skein.store.PurgeQuery;
import dev.skein.store.SearchHit;
import dev.skein.store.SearchQuery;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionPage;
import dev.skein.store.SessionStore;
import dev.skein.store.SessionSummary;
import dev.skein.store.query.Listing;
import dev.skein.store.query.MessageSearch;
import dev.skein.store.query.PurgeSelection;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Keeps sessions in memory, as long as itself. A fork refers to its parent's events, so it costs nothing.
///
/// Safe for use by many threads. The store's own lock guards only which sessions there are and what they are called;
/// each session has its own for its events.
public final class MemorySessionStore implements SessionStore {

    private final Clock clock;
    private final Ids ids;
    private final Map<OwnedId, MemorySession> sessions = new HashMap<>();
    private final Map<OwnedId, MemorySession> trash = new HashMap<>();
    private final Map<Name, MemorySession> names = new HashMap<>();
    private boolean closed;

    public MemorySessionStore(Clock clock, Ids ids) {
        this.clock = clock;
        this.ids = ids;
    }

    /// Two owners may have the same id, of the same imported session for example.
    private record OwnedId(String owner, SessionId id) {}

    /// What must be unique about an alias.
    private record Name(Scope scope, String folded) {
        static Name of(Scope scope, SessionAlias alias) {
            return new Name(scope, alias.folded());
        }
    }

    @Override
    public synchronized SessionHandle create(NewSession session) {
        return make(session, null, MemoryJournal::of);
    }

    @Override
    public synchronized SessionHandle open(Scope scope, SessionId id) {
        return new MemoryHandle(find(scope, id));
    }

    @Override
    public synchronized SessionHandle openOrCreate(NewSession template) {
        requireOpen();
        if (template.alias() == null) {
            throw new InvalidRequest("give the name of the session to open or create");
        }
        var found = names.get(Name.of(template.scope(), template.alias()));
        return found == null ? create(template) : new MemoryHandle(found);
    }

    @Override
    public synchronized Optional<SessionId> resolve(Scope scope, SessionAlias alias) {
        requireOpen();
        return Optional.ofNullable(names.get(Name.of(scope, alias))).map(MemorySession::id);
    }

    @Override
    public synchronized Optional<Scope> locate(String owner, SessionId id) {
        requireOpen();
        return Optional.ofNullable(sessions.get(new OwnedId(owner, id))).map(MemorySession::scope);
    }

    @Override
    public synchronized SessionHandle fork(Scope scope, SessionId parent, long seq, NewSession child) {
        var journal = find(scope, parent).journal();
        var version = journal.state().version();
        if (seq < 1 || seq > version) {
            throw new InvalidRequest("session %s has events 1 to %d, not %d".formatted(parent, version, seq));
        }
        if (!child.scope().owner().equals(scope.owner())) {
            throw new InvalidRequest("a fork belongs to the owner of what it was forked from");
        }
        return make(child, new ForkRef(parent, seq), opened -> journal.fork(seq, opened));
    }

    @Override
    public synchronized void rename(Scope scope, SessionId id, @Nullable SessionAlias alias) {
        var session = find(scope, id);
        requireFree(scope, alias, session);
        remove(session);
        session.rename(alias);
        add(session);
    }

    @Override
    public synchronized boolean nameFirst(Scope scope, SessionId id, SessionAlias alias) {
        if (find(scope, id).alias() != null) {
            return false;
        }
        rename(scope, id, alias);
        return true;
    }

    @Override
    public synchronized void delete(Scope scope, SessionId id) {
        var session = find(scope, id);
        remove(session);
        session.delete();
    }

    @Override
    public SessionPage list(ListQuery query) {
        var summaries = snapshot().stream().map(MemorySession::summary).toList();
        return Listing.page(summaries, query, List.of());
    }

    @Override
    public Optional<SessionId> last(Scope scope) {
        var newest = list(ListQuery.of(scope).withLimit(1)).sessions();
        return newest.isEmpty()
                ? Optional.empty()
                : Optional.ofNullable(newest.getFirst().id());
    }

    @Override
    public void search(SearchQuery query, Consumer<SearchHit> hits) {
        var search = new MessageSearch(query.text());
        var left = query.limit();
        for (var session : newestFirst(query)) {
            var place = MessageSearch.Place.of(session.summary());
            var last = session.journal().state().version();
            for (long next = 1; next <= last; ) {
                var entries = session.journal().chunk(next, last);
                next += entries.size();
                for (var entry : entries) {
                    var hit = search.find(place, entry);
                    if (hit.isPresent()) {
                        hits.accept(hit.get());
                        left--;
                    }
                    if (left == 0) {
                        return;
                    }
                }
            }
        }
    }

    @Override
    public synchronized List<SessionSummary> purge(PurgeQuery query) {
        requireOpen();
        var candidates = new LinkedHashMap<SessionSummary, MemorySession>();
        sessions.values().forEach(session -> candidates.put(session.summary(), session));
        var chosen = PurgeSelection.select(
                candidates.keySet(),
                query,
                clock.instant(),
                summary -> isOfChannel(candidates.get(summary)),
                summary -> usedAt(summary, candidates.get(summary)));
        var moved = new ArrayList<SessionSummary>();
        for (var summary : chosen) {
            var session = candidates.get(summary);
            if (session != null && session.deleteIfStill(summary)) {
                remove(session);
                trash.put(keyOf(session), session);
                moved.add(summary);
            }
        }
        return moved;
    }

    @Override
    public synchronized void restore(Scope scope, SessionId id) {
        requireOpen();
        var key = new OwnedId(scope.owner(), id);
        var session = trash.get(key);
        if (session == null || !session.scope().equals(scope)) {
            throw SessionNotFound.named(id);
        }
        trash.remove(key);
        var alias = session.alias();
        var isFree = alias != null && !names.containsKey(Name.of(scope, alias));
        add(new MemorySession(scope, id, session.journal(), isFree ? alias : null, clock.instant()));
    }

    @Override
    public synchronized void close() {
        closed = true;
        sessions.values().forEach(MemorySession::close);
    }

    private SessionHandle make(
            NewSession wanted, @Nullable ForkRef fork, Function<SessionOpened, MemoryJournal> journal) {
        requireOpen();
        var id = wanted.id() == null ? ids.session() : wanted.id();
        var key = new OwnedId(wanted.scope().owner(), id);
        if (sessions.containsKey(key) || trash.containsKey(key)) {
            throw new InvalidRequest("there is a session " + id + " already; leave the id out to get a new one");
        }
        requireFree(wanted.scope(), wanted.alias(), null);
        var session = new MemorySession(
                wanted.scope(), id, journal.apply(wanted.opened(clock.instant(), id, fork)), wanted.alias());
        for (int i = 0; i < wanted.events().size(); i += Batch.EVENTS_MAX) {
            var events = wanted.events()
                    .subList(i, Math.min(i + Batch.EVENTS_MAX, wanted.events().size()));
            session.append(Batch.at(session.journal().state().version(), events));
        }
        add(session);
        return new MemoryHandle(session);
    }

    private MemorySession find(Scope scope, SessionId id) {
        requireOpen();
        var session = sessions.get(new OwnedId(scope.owner(), id));
        if (session == null || !session.scope().equals(scope)) {
            throw SessionNotFound.named(id);
        }
        return session;
    }

    private void requireFree(Scope scope, @Nullable SessionAlias alias, @Nullable MemorySession besides) {
        var holder = alias == null ? null : names.get(Name.of(scope, alias));
        if (alias != null && holder != null && holder != besides) {
            throw new AliasInUse(alias, holder.id());
        }
    }

    private void add(MemorySession session) {
        sessions.put(keyOf(session), session);
        var alias = session.alias();
        if (alias != null) {
            names.put(Name.of(session.scope(), alias), session);
        }
    }

    private void remove(MemorySession session) {
        sessions.remove(keyOf(session));
        var alias = session.alias();
        if (alias != null) {
            names.remove(Name.of(session.scope(), alias));
        }
    }

    private List<MemorySession> newestFirst(SearchQuery query) {
        var found = new TreeMap<SessionSummary, MemorySession>(Listing.NEWEST_FIRST);
        for (var session : snapshot()) {
            var scope = session.scope();
            if (scope.owner().equals(query.owner()) && query.agents().include(scope)) {
                found.put(session.summary(), session);
            }
        }
        return List.copyOf(found.values());
    }

    private synchronized List<MemorySession> snapshot() {
        requireOpen();
        return List.copyOf(sessions.values());
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("this store was closed");
        }
    }

    private static boolean isOfChannel(@Nullable MemorySession session) {
        return session != null && session.journal().state().opened().metadata().containsKey(PurgeSelection.CHANNEL);
    }

    private static Instant usedAt(SessionSummary summary, @Nullable MemorySession session) {
        var active = summary.lastActivityAt();
        return session != null && session.restoredAt().isAfter(active) ? session.restoredAt() : active;
    }

    private static OwnedId keyOf(MemorySession session) {
        return new OwnedId(session.scope().owner(), session.id());
    }
}
