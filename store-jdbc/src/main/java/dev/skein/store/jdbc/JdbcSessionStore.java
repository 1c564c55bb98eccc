package dev.skein.store.jdbc;

import dev.skein.failure.AliasInUse;
import dev.skein.failure.InvalidRequest;
import dev.skein.failure.SessionNotFound;
import dev.skein.session.Entry;
import dev.skein.session.ForkRef;
import dev.skein.session.Ids;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionId;
import dev.skein.store.AdoptingStore;
import dev.skein.store.ListQuery;
import dev.skein.store.NewSession;
import dev.skein.store.PurgeQuery;
import dev.skein.store.SearchHit;
import dev.skein.store.SearchQuery;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionPage;
import dev.skein.store.SessionSummary;
import dev.skein.store.jdbc.Names.Birth;
import dev.skein.store.jdbc.Names.Branch;
import dev.skein.store.jdbc.sql.Database;
import dev.skein.store.jdbc.sql.Dialect.Body;
import dev.skein.store.jdbc.sql.StoreUrl;
import dev.skein.store.query.PurgeSelection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Keeps sessions in a database, which any number of programs may share.
///
/// Safe for use by many threads. Nothing here is true but what the database says; what is remembered only saves
/// asking.
public final class JdbcSessionStore implements AdoptingStore {

    private static final int OPENING_TRIES = 20;
    private static final Duration TELL = Duration.ofMillis(20);

    private final JdbcOptions options;
    private final Database database;
    private final Ids ids;
    private final Heads heads;
    private final Names names;
    private final LiveSessions sessions;
    private final Leases leases;
    private final Appender appender;
    private final Catalog catalog;
    private final SearchIndex index;
    private final Sweeper sweeper;
    private final Retention retention;
    private final Tailer tailer;
    private final Housekeeper housekeeper;
    private final AtomicBoolean open = new AtomicBoolean(true);

    private JdbcSessionStore(Database database, JdbcOptions options) {
        this.options = options;
        this.database = database;
        this.ids = new Ids(options.clock(), options.random());
        this.heads = new Heads(database);
        this.names = new Names(database, ids::session);
        this.sessions = new LiveSessions(database);
        this.leases = new Leases(database, ids.request(), options.lease());
        this.appender = new Appender(database, heads, this::changed);
        this.catalog = new Catalog(database, sessions);
        this.index = new SearchIndex(database, sessions);
        this.sweeper = new Sweeper(database);
        this.retention = new Retention(catalog, options.clock(), this::trash);
        this.tailer = new Tailer(database, heads);
        this.housekeeper = new Housekeeper(options.rest(), this::derive);
        housekeeper.every(options.heartbeat(), leases::renew);
        housekeeper.every(TELL, tailer::tell);
        housekeeper.every(options.terms().every(), () -> {
            retention.run(options.terms());
            emptyTrash();
        });
    }

    /// Opens the store in a database, which gets its tables if it has none.
    ///
    /// @throws InvalidRequest if the text is not the address of a database
    /// @throws dev.skein.failure.UnsupportedVersion if a newer program made the tables
    /// @throws dev.skein.failure.StorageFailed if the database does not answer
    public static JdbcSessionStore open(String url, JdbcOptions options) {
        return new JdbcSessionStore(Database.open(StoreUrl.parse(url), options.limits()), options);
    }

    @Override
    public SessionHandle create(NewSession session) {
        requireOpen();
        return make(session, null, null);
    }

    @Override
    public SessionHandle open(Scope scope, SessionId id) {
        requireOpen();
        return new JdbcHandle(this, sessions.get(names.require(scope, id), scope, id));
    }

    @Override
    public SessionHandle openOrCreate(NewSession template) {
        requireOpen();
        var alias = template.alias();
        if (alias == null) {
            throw new InvalidRequest("give the name of the session to open or create");
        }
        for (int tries = 1; ; tries++) {
            try {
                var found = names.resolve(template.scope(), alias);
                return found.isPresent() ? open(template.scope(), found.get()) : create(template);
            } catch (AliasInUse | SessionNotFound e) {
                // Somebody was quicker, either way.
                if (tries == OPENING_TRIES) {
                    throw e;
                }
            }
        }
    }

    @Override
    public Optional<SessionId> resolve(Scope scope, SessionAlias alias) {
        requireOpen();
        return names.resolve(scope, alias);
    }

    @Override
    public Optional<Scope> locate(String owner, SessionId id) {
        requireOpen();
        return names.locate(owner, id);
    }

    @Override
    public SessionHandle fork(Scope scope, SessionId parent, long seq, NewSession child) {
        requireOpen();
        var session = names.require(scope, parent);
        var version = heads.require(session, parent).version();
        if (seq < 1 || seq > version) {
            throw new InvalidRequest("session %s has events 1 to %d, not %d".formatted(parent, version, seq));
        }
        if (!child.scope().owner().equals(scope.owner())) {
            throw new InvalidRequest("a fork belongs to the owner of what it was forked from");
        }
        return make(child, new ForkRef(parent, seq), new Branch(session, seq));
    }

    @Override
    public void rename(Scope scope, SessionId id, @Nullable SessionAlias alias) {
        requireOpen();
        names.rename(scope, id, alias);
    }

    @Override
    public boolean nameFirst(Scope scope, SessionId id, SessionAlias alias) {
        requireOpen();
        return names.nameFirst(scope, id, alias);
    }

    @Override
    public void delete(Scope scope, SessionId id) {
        requireOpen();
        var session = names.require(scope, id);
        if (sweeper.hasForks(session)) {
            // They are found by what they share, and nobody indexes that later.
            derive(sessions.get(session, scope, id));
        }
        sweeper.delete(session, id);
        sessions.find(session).ifPresent(LiveSession::alarm);
    }

    @Override
    public SessionPage list(ListQuery query) {
        requireOpen();
        return catalog.page(query);
    }

    @Override
    public Optional<SessionId> last(Scope scope) {
        requireOpen();
        return catalog.last(scope);
    }

    @Override
    public void search(SearchQuery query, Consumer<SearchHit> hits) {
        requireOpen();
        index.search(query, hits);
    }

    @Override
    public List<SessionSummary> purge(PurgeQuery query) {
        requireOpen();
        var known = new LinkedHashMap<SessionSummary, Catalog.Known>();
        catalog.all(query.scope()).forEach(each -> known.put(each.summary(), each));
        var chosen = PurgeSelection.select(
                known.keySet(),
                query,
                options.clock().instant(),
                summary -> isOfChannel(known.get(summary)),
                summary -> Catalog.usedAt(summary, known.get(summary)));
        var moved = new ArrayList<SessionSummary>();
        for (var summary : chosen) {
            var each = known.get(summary);
            if (each != null && trash(each)) {
                moved.add(summary);
            }
        }
        emptyTrash();
        return moved;
    }

    private boolean trash(Catalog.Known known) {
        var row = known.listed();
        var session = sessions.get(row.session(), row.scope(), row.id());
        if (session.turnstile().isMine()) {
            return false;
        }
        if (sweeper.hasForks(row.session())) {
            derive(session);
        }
        var moved = sweeper.trash(row.session(), row.version(), options.clock().instant());
        session.alarm();
        return moved;
    }

    @Override
    public void restore(Scope scope, SessionId id) {
        requireOpen();
        var session = names.findTrashed(scope, id).orElseThrow(() -> SessionNotFound.named(id));
        sweeper.restore(session, id, options.clock().instant());
    }

    @Override
    public List<Scope> scopes() {
        requireOpen();
        return names.scopes();
    }

    @Override
    public SessionHandle adopt(@Nullable SessionAlias alias, List<Entry> entries) {
        requireOpen();
        if (entries.isEmpty() || !(entries.getFirst().event() instanceof SessionEvent.SessionOpened opened)) {
            throw new InvalidRequest("a session begins with session_opened");
        }
        var fork = opened.fork();
        var branch = fork == null
                ? null
                : new Branch(
                        names.require(
                                names.locate(opened.owner(), fork.session()).orElseThrow(() -> noParent(fork)),
                                fork.session()),
                        fork.seq());
        return make(
                opened.scope(),
                opened.session(),
                alias,
                branch,
                entries.stream().map(Entry::whole).toList());
    }

    private static InvalidRequest noParent(ForkRef fork) {
        return new InvalidRequest(
                "session " + fork.session() + ", which it was forked from, is not here; copy that first");
    }

    @Override
    public void close() {
        if (!open.compareAndSet(true, false)) {
            return;
        }
        housekeeper.close();
        leases.releaseAll();
        tailer.close();
        database.close();
        sessions.all().forEach(LiveSession::alarm);
    }

    void requireOpen() {
        if (!open.get()) {
            throw new IllegalStateException("this store was closed");
        }
    }

    Heads heads() {
        return heads;
    }

    Leases leases() {
        return leases;
    }

    Appender appender() {
        return appender;
    }

    Tailer tailer() {
        return tailer;
    }

    /// Ends a turn; if the store was closed, that has happened.
    void giveBack(Leases.Lease lease) {
        if (open.get()) {
            leases.release(lease);
        }
    }

    private SessionHandle make(NewSession wanted, @Nullable ForkRef fork, @Nullable Branch branch) {
        var id = wanted.id() == null ? ids.session() : wanted.id();
        var events = new ArrayList<SessionEvent>();
        events.add(wanted.opened(options.clock().instant(), id, fork));
        events.addAll(wanted.events());
        return make(wanted.scope(), id, wanted.alias(), branch, events);
    }

    private SessionHandle make(
            Scope scope,
            SessionId id,
            @Nullable SessionAlias alias,
            @Nullable Branch branch,
            List<SessionEvent> events) {
        var bodies = new ArrayList<Body>(events.size());
        for (var body : Bodies.of(events)) {
            bodies.add(new Body(body, null, bodies.isEmpty() ? events.size() : null));
        }
        var session = names.make(new Birth(scope, id, alias, branch, events, bodies));
        var live = sessions.get(session, scope, id);
        live.saw((branch == null ? 0 : branch.base()) + events.size());
        housekeeper.changed(live);
        return new JdbcHandle(this, live);
    }

    private void changed(LiveSession session, long version) {
        housekeeper.changed(session);
        tailer.appended(session, version);
    }

    /// Writes down what opening and searching would otherwise have to read.
    private void derive(LiveSession session) {
        var head = heads.find(session.session());
        if (head.isPresent()) {
            session.catchUp(head.get().version());
            session.save();
            index.catchUp(session, head.get().version());
        }
    }

    private void emptyTrash() {
        sweeper.empty(options.clock().instant().minus(options.trashGrace()));
    }

    private static boolean isOfChannel(Catalog.@Nullable Known known) {
        return known != null && known.state().opened().metadata().containsKey(PurgeSelection.CHANNEL);
    }
}
