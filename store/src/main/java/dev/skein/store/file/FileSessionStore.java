package dev.skein.store.file;

import dev.skein.failure.InvalidRequest;
import dev.skein.failure.StorageFailed;
import dev.skein.session.Entry;
import dev.skein.session.ForkRef;
import dev.skein.session.Ids;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
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
import dev.skein.store.query.Listing;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Keeps sessions as readable files below one directory. Many processes may use the same directory.
///
/// Safe for use by many threads.
public final class FileSessionStore implements AdoptingStore {

    private final Home home;
    private final StoreOptions options;
    private final Ids ids;
    private final Committer committer = new Committer();
    private final Housekeeper housekeeper;
    private final SessionCache cache;
    private final Retention retention;
    final Lookout lookout;
    private final AtomicBoolean open = new AtomicBoolean(true);

    private FileSessionStore(Disk disk, Home home, StoreOptions options) {
        this.home = home;
        this.options = options;
        this.ids = new Ids(options.clock(), options.random());
        this.housekeeper = new Housekeeper(options.durability());
        this.cache = new SessionCache(committer, options.durability(), housekeeper::looksAfter);
        this.retention = new Retention(this, options.retention());
        this.lookout = new Lookout(disk);
        housekeeper.every(options.retention().every(), retention::run);
    }

    /// Opens the store in this directory, which is made when the first session is.
    public static FileSessionStore open(Path directory) {
        return open(directory, StoreOptions.standard());
    }

    public static FileSessionStore open(Path directory, StoreOptions options) {
        return open(new RealDisk(), directory, options);
    }

    static FileSessionStore open(Disk disk, Path directory, StoreOptions options) {
        var home = new Home(disk, directory.toAbsolutePath().normalize());
        try {
            home.check();
        } catch (IOException e) {
            throw Problems.of("open the store in " + directory, e);
        }
        return new FileSessionStore(disk, home, options);
    }

    @Override
    public SessionHandle create(NewSession session) {
        var tree = changing(session.scope());
        return tree.writing("create a session", () -> {
            var id = session.id() == null ? ids.session() : session.id();
            var alias = session.alias();
            if (alias == null) {
                tree.makeNamesLock();
                tree.create(id, session, null, Frame.NO_CRC, now());
            } else {
                tree.naming(() -> {
                    migration(tree).of(alias);
                    tree.create(id, session, null, Frame.NO_CRC, now());
                    return id;
                });
            }
            return made(tree, id, alias);
        });
    }

    @Override
    public SessionHandle open(Scope scope, SessionId id) {
        var tree = changing(scope);
        return tree.writing("open session " + id, () -> {
            tree.require(id);
            return handle(tree, id);
        });
    }

    @Override
    public SessionHandle openOrCreate(NewSession template) {
        beginChange();
        var alias = template.alias();
        if (alias == null) {
            throw new InvalidRequest("give the name of the session to open or create");
        }
        var tree = home.tree(template.scope());
        return tree.writing("open session '" + alias + "'", () -> {
            var there = tree.resolve(alias);
            if (there.isPresent()) {
                return handle(tree, there.get());
            }
            var id = template.id() == null ? ids.session() : template.id();
            var opened = tree.naming(() -> {
                var found = migration(tree).resolve(alias);
                if (found.isEmpty()) {
                    tree.create(id, template, null, Frame.NO_CRC, now());
                }
                return found.orElse(id);
            });
            return made(tree, opened, alias);
        });
    }

    @Override
    public Optional<SessionId> resolve(Scope scope, SessionAlias alias) {
        requireOpen();
        var tree = home.tree(scope);
        return tree.writing("look up '" + alias + "'", () -> {
            var there = tree.resolve(alias);
            return there.isPresent() || new LegacyFiles(tree).pending(alias).isEmpty()
                    ? there
                    : tree.naming(() -> migration(tree).resolve(alias));
        });
    }

    @Override
    public Optional<Scope> locate(String owner, SessionId id) {
        requireOpen();
        return home.reading("look up session " + id, () -> {
            for (var tree : home.trees(owner)) {
                if (tree.has(id)) {
                    return Optional.of(tree.scope());
                }
            }
            return Optional.empty();
        });
    }

    @Override
    public SessionHandle fork(Scope scope, SessionId parent, long seq, NewSession child) {
        beginChange();
        if (!child.scope().owner().equals(scope.owner())) {
            throw new InvalidRequest("a fork belongs to the owner of what it was forked from");
        }
        var tree = home.tree(scope);
        var childTree = home.tree(child.scope());
        return tree.writing("fork session " + parent, () -> {
            var snapshot = cache.session(tree, parent).refresh();
            if (seq < 1 || seq > snapshot.state().version()) {
                throw new InvalidRequest("session %s has events 1 to %d, and no event %d to fork at"
                        .formatted(parent, snapshot.state().version(), seq));
            }
            var prev = seq == snapshot.position().seq() ? snapshot.position().crc() : tree.crcOf(parent, seq);
            var id = child.id() == null ? ids.session() : child.id();
            SessionTree.namingBoth(tree, childTree, () -> {
                tree.require(parent);
                tree.noteFork(parent, id);
                childTree.create(id, child, new ForkRef(parent, seq), prev, now());
                return id;
            });
            if (seq == snapshot.state().version()) {
                cache.session(childTree, id).continueFrom(snapshot.state());
            }
            return made(childTree, id, child.alias());
        });
    }

    @Override
    public void rename(Scope scope, SessionId id, @Nullable SessionAlias alias) {
        name(scope, id, alias, false);
    }

    @Override
    public boolean nameFirst(Scope scope, SessionId id, SessionAlias alias) {
        return name(scope, id, alias, true);
    }

    private boolean name(Scope scope, SessionId id, @Nullable SessionAlias alias, boolean first) {
        var tree = changing(scope);
        return tree.writing(
                "rename session " + id,
                () -> tree.naming(() -> {
                    tree.require(id);
                    if (alias != null) {
                        migration(tree).of(alias);
                    }
                    return cache.session(tree, id).rename(alias, first);
                }));
    }

    @Override
    public void delete(Scope scope, SessionId id) {
        var tree = changing(scope);
        tree.writing("delete session " + id, () -> {
            var parent = tree.naming(() -> Optional.ofNullable(delete(tree, id)));
            tree.releaseParent(parent.orElse(null), id);
            return id;
        });
    }

    @Override
    public SessionPage list(ListQuery query) {
        requireOpen();
        return home.reading("list sessions", () -> {
            var all = new ArrayList<Listing.Listed>();
            var problems = new ArrayList<String>();
            for (var tree : home.trees(query.owner())) {
                if (query.agents().include(tree.scope())) {
                    find(tree, all, problems);
                }
            }
            return Listing.pageOf(all, query, problems);
        });
    }

    /// What is wrong with one directory does not hide the others.
    private void find(SessionTree tree, List<Listing.Listed> all, List<String> problems) {
        try {
            var found = tree.writing("list sessions", () -> catalog(tree).find());
            all.addAll(found.listed());
            problems.addAll(found.problems());
        } catch (StorageFailed e) {
            problems.add(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public Optional<SessionId> last(Scope scope) {
        requireOpen();
        var tree = home.tree(scope);
        return home.reading("find the last session", () -> {
            var recent = housekeeper.lastIn(tree).map(LiveSession::id);
            var last = recent.isPresent() && tree.has(recent.get()) ? recent : tree.last();
            return last.isPresent() ? last : newest(scope);
        });
    }

    @Override
    public void search(SearchQuery query, Consumer<SearchHit> hits) {
        requireOpen();
        var listed = list(new ListQuery(query.owner(), query.agents(), null, null, ListQuery.LIMIT_MAX, null));
        new Search(this, query).run(listed.sessions(), hits);
    }

    @Override
    public List<SessionSummary> purge(PurgeQuery query) {
        var tree = changing(query.scope());
        return tree.writing(
                "purge sessions", () -> trash(tree).purge(query, catalog(tree).find(), options.clock()));
    }

    @Override
    public void restore(Scope scope, SessionId id) {
        var tree = changing(scope);
        tree.writing("restore session " + id, () -> {
            trash(tree).restore(id, now());
            return id;
        });
    }

    /// Makes sessions of all files of other tools that lie in an owner's directories. Files that cannot be read are
    /// told as problems and left as they are.
    public Migrated migrateAll(String owner) {
        beginChange();
        return home.reading("migrate sessions", () -> Migration.every(home.trees(owner), this::migration));
    }

    @Override
    public SessionHandle adopt(@Nullable SessionAlias alias, List<Entry> entries) {
        beginChange();
        return new Adoption(home, this::made).adopt(alias, entries);
    }

    @Override
    public List<Scope> scopes() {
        requireOpen();
        return home.reading("list scopes", home::scopes);
    }

    /// Applies the retention rules now.
    public void applyRetention() {
        requireOpen();
        retention.run();
    }

    @Override
    public void close() {
        if (open.compareAndSet(true, false)) {
            lookout.close();
            housekeeper.close();
            cache.close();
            committer.close();
        }
    }

    void requireOpen() {
        if (!open.get()) {
            throw new IllegalStateException("this store was closed");
        }
    }

    /// Whoever only looks need not wait for the sweep.
    private void beginChange() {
        requireOpen();
        home.sweepOnce();
    }

    private SessionTree changing(Scope scope) {
        beginChange();
        return home.tree(scope);
    }

    void changed(SessionTree tree, LiveSession session) {
        housekeeper.changed(tree, session);
    }

    void emptyTrash(Scope scope) {
        var tree = home.tree(scope);
        tree.writing("empty the trash", () -> trash(tree).empty(now().minus(options.trashGrace())));
    }

    private Trash trash(SessionTree tree) {
        return new Trash(tree, id -> cache.session(tree, id), session -> {
            housekeeper.forget(session);
            cache.forget(session);
        });
    }

    private Catalog catalog(SessionTree tree) {
        return new Catalog(tree, new LegacyFiles(tree), id -> cache.session(tree, id));
    }

    private Migration migration(SessionTree tree) {
        return new Migration(tree, ids, options.clock(), id -> housekeeper.made(cache.session(tree, id)));
    }

    private Instant now() {
        return options.clock().instant();
    }

    private @Nullable ForkRef delete(SessionTree tree, SessionId id) throws IOException {
        tree.require(id);
        var session = cache.session(tree, id);
        var state = session.stateIfReadable();
        var parent = tree.remove(id, tree.layout().session(id));
        housekeeper.forget(session);
        cache.forget(session);
        if (state != null && state.alias() != null) {
            tree.aliases().remove(state.alias(), id);
        }
        if (state != null && state.opened().origin() != null) {
            new LegacyFiles(tree).deleteSource(state.opened().origin(), id);
        }
        return parent;
    }

    private SessionHandle handle(SessionTree tree, SessionId id) {
        var session = cache.session(tree, id);
        session.occupancy().enter();
        return new FileSessionHandle(this, tree, session);
    }

    /// What is written down may be a session that is gone; then activity decides.
    private Optional<SessionId> newest(Scope scope) {
        return list(ListQuery.of(scope)).sessions().stream()
                .map(SessionSummary::id)
                .filter(Objects::nonNull)
                .findFirst();
    }

    private SessionHandle made(SessionTree tree, SessionId id, @Nullable SessionAlias alias) {
        var session = cache.session(tree, id);
        session.name().set(alias);
        housekeeper.changed(tree, session);
        return handle(tree, id);
    }
}
