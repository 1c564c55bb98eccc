package dev.skein.store.file;

import dev.skein.failure.AliasInUse;
import dev.skein.failure.InvalidRequest;
import dev.skein.failure.SessionNotFound;
import dev.skein.failure.StorageFailed;
import dev.skein.session.Entry;
import dev.skein.session.ForkRef;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.store.file.Disk.Access;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One scope's directory: makes, names, forks and removes sessions in it.
///
/// What changes names happens under one lock per directory, held across processes. Each change has one step
/// that makes it true (a rename), and whatever a crash leaves before it is invisible and swept later.
final class SessionTree implements History.Places {

    private static final long SWEEP_AGE = TimeUnit.MINUTES.toNanos(1);

    private final Home home;
    private final Disk disk;
    private final Path directory;
    private final Scope scope;
    private final Layout layout;
    private final List<Path> way;
    private final Aliases aliases;
    private final DurableNames names;
    private final Turnstile naming;
    private final SessionIndex index;

    SessionTree(Home home, Disk disk, Path directory, Scope scope) {
        this.home = home;
        this.disk = disk;
        this.directory = directory;
        this.scope = scope;
        this.layout = Layout.of(directory, scope);
        this.way = home.wayTo(layout.byId());
        this.names = new DurableNames(disk);
        this.aliases = new Aliases(disk, layout, names);
        this.naming = new Turnstile("the names of " + layout.sessions(), layout.namesLock());
        this.index = new SessionIndex(disk, layout);
    }

    Disk disk() {
        return disk;
    }

    Scope scope() {
        return scope;
    }

    Layout layout() {
        return layout;
    }

    Aliases aliases() {
        return aliases;
    }

    SessionIndex index() {
        return index;
    }

    DurableNames names() {
        return names;
    }

    /// Makes a directory in this tree and all it needs above it.
    void createDirectories(Path wanted) throws IOException {
        names.createDirectories(wanted, directory);
    }

    boolean exists() throws IOException {
        return disk.stat(layout.sessions()) != null;
    }

    boolean has(SessionId id) throws IOException {
        return home.isReal(way) && names.isDirectory(layout.session(id));
    }

    void require(SessionId id) throws IOException {
        if (!has(id)) {
            throw SessionNotFound.named(id);
        }
    }

    /// Links could lead anywhere, so nothing is read or written through them.
    void requireInside() throws IOException {
        if (!home.isReal(way)) {
            throw StorageFailed.unsafe("something on the way from " + home.directory() + " to " + layout.byId()
                    + " is not a directory; put a real directory there");
        }
    }

    /// Runs what changes something and turns I/O trouble into failures.
    <T> T writing(String doing, Committer.Task<T> task) {
        try {
            return task.run();
        } catch (IOException e) {
            throw Problems.of(doing, e);
        }
    }

    /// Runs what changes names, alone.
    <T> T naming(Committer.Task<T> task) throws IOException {
        requireInside();
        createDirectories(layout.sessions());
        try (var _ = naming.enter(SessionHandle.WAIT_DEFAULT)) {
            return task.run();
        }
    }

    /// Makes the lock of the names while there is room for it, so that a session can be deleted when there is none.
    void makeNamesLock() throws IOException {
        if (disk.stat(layout.namesLock()) == null) {
            naming(() -> layout);
        }
    }

    /// Runs what changes names in two trees, alone in both. Always taken in the same order, so that two never
    /// wait for each other.
    static <T> T namingBoth(SessionTree one, SessionTree other, Committer.Task<T> task) throws IOException {
        if (one.equals(other)) {
            return one.naming(task);
        }
        var first = one.layout.sessions().compareTo(other.layout.sessions()) < 0 ? one : other;
        var second = first.equals(one) ? other : one;
        return first.naming(() -> second.naming(task));
    }

    /// The session with this alias, if the alias names one that is there.
    Optional<SessionId> resolve(SessionAlias alias) throws IOException {
        var id = aliases.find(alias);
        return id.isPresent() && has(id.get()) ? id : Optional.empty();
    }

    /// Which session was used last, if it is still there.
    Optional<SessionId> last() throws IOException {
        var stat = disk.stat(layout.lastSession());
        var bytes = stat == null || stat.kind() != Disk.Kind.FILE ? null : names.read(layout.lastSession(), 4096);
        var id = bytes == null
                ? Optional.<SessionId>empty()
                : SessionId.parse(new String(bytes, StandardCharsets.UTF_8).strip());
        return id.isPresent() && has(id.get()) ? id : Optional.empty();
    }

    void writeLast(SessionId id) throws IOException {
        if (has(id) && !last().equals(Optional.of(id))) {
            names.replace(layout.lastSession(), (id + "\n").getBytes(StandardCharsets.US_ASCII));
        }
    }

    /// Makes a session. The caller is alone in here if the session has an alias.
    void create(SessionId id, NewSession session, @Nullable ForkRef fork, int prev, Instant now) throws IOException {
        var opened = session.opened(openedAt(session, now), id, fork);
        var first = fork == null ? 1 : fork.seq() + 1;
        var entries = new ArrayList<>(List.of(Entry.of(first, opened)));
        for (var event : session.events()) {
            entries.add(Entry.of(first + entries.size(), event));
        }
        make(id, session.alias(), SessionWriter.firstLines(entries, prev));
    }

    /// Makes a session whose journal begins with these lines. The caller is alone in here if it has an alias.
    void make(SessionId id, @Nullable SessionAlias alias, byte[] lines) throws IOException {
        requireInside();
        if (home.treeOf(scope.owner(), id) != null) {
            throw new InvalidRequest("there already is a session " + id + "; give another id");
        }
        if (alias != null) {
            requireFree(alias, id);
        }
        createDirectories(layout.byId());
        createDirectories(layout.byName());
        var prepared = DurableNames.temporaryIn(layout.byId());
        disk.createDirectory(prepared);
        try {
            write(Layout.journal(prepared), lines);
            write(Layout.lock(prepared), new byte[0]);
            disk.syncDirectory(prepared);
            if (alias != null) {
                putAlias(alias, id);
            }
            names.move(prepared, layout.session(id));
        } catch (IOException e) {
            try {
                names.deleteTree(prepared);
            } catch (IOException again) {
                e.addSuppressed(again);
            }
            throw e;
        }
    }

    /// Lets a name find a session. The caller is alone in here.
    void putAlias(SessionAlias alias, SessionId id) throws IOException {
        createDirectories(layout.byName());
        aliases.put(alias, id);
    }

    /// Gives a session an alias, or takes it away. The caller is alone in here.
    void rename(SessionId id, @Nullable SessionAlias old, @Nullable SessionAlias alias) throws IOException {
        if (alias != null) {
            requireFree(alias, id);
            // First: whatever happens then, the session knows which name to look for.
            names.replace(Layout.named(layout.session(id)), (alias + "\n").getBytes(StandardCharsets.UTF_8));
            putAlias(alias, id);
        }
        if (old != null && (alias == null || !old.folded().equals(alias.folded()))) {
            aliases.remove(old, id);
        }
    }

    /// Removes what crashes left behind. Temporary names that another process may be using right now are younger
    /// than a minute and stay.
    void sweep() throws IOException {
        for (var directory : List.of(layout.sessions(), layout.byId(), layout.byName())) {
            sweep(directory);
        }
    }

    private void sweep(Path directory) throws IOException {
        var now = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
        for (var name : disk.list(directory)) {
            if (name.startsWith(DurableNames.TEMPORARY)) {
                var stat = disk.stat(directory.resolve(name));
                if (stat != null && now - stat.modifiedNanos() > SWEEP_AGE) {
                    names.deleteTree(directory.resolve(name));
                }
            }
        }
    }

    /// Removes a session's directory, or puts it aside if forks still read from it. The caller is alone in here, and
    /// calls [#releaseParent] afterwards with what is returned.
    @Nullable
    ForkRef remove(SessionId id, Path directory) throws IOException {
        if (mayHaveForks(directory)) {
            createDirectories(DurableNames.parent(layout.forkedFrom(id)));
            names.move(directory, layout.forkedFrom(id));
            return null;
        }
        var parent = forkedFrom(id, directory);
        var doomed = DurableNames.temporaryIn(layout.byId());
        names.move(directory, doomed);
        names.deleteTree(doomed);
        return parent;
    }

    /// A fork is gone: a deleted parent that nobody else reads from goes too, and so on upwards. The caller holds no
    /// lock.
    void releaseParent(@Nullable ForkRef fork, SessionId child) throws IOException {
        var gone = child;
        for (var at = fork; at != null; ) {
            var tree = home.treeOf(scope.owner(), at.session());
            var parent = at.session();
            var released = gone;
            gone = parent;
            at = tree == null
                    ? null
                    : tree.naming(() -> new Released(tree.release(parent, released)))
                            .parent();
        }
    }

    private record Released(@Nullable ForkRef parent) {}

    /// Takes the note of a fork away; returns where this session's own parent is if it was removed with it.
    private @Nullable ForkRef release(SessionId id, SessionId child) throws IOException {
        for (var directory : List.of(layout.session(id), layout.forkedFrom(id), layout.trashed(id))) {
            names.deleteIfThere(Layout.forks(directory).resolve(child.toString()));
        }
        var kept = layout.forkedFrom(id);
        return disk.stat(kept) == null || mayHaveForks(kept) ? null : remove(id, kept);
    }

    /// Notes on the parent that a fork reads from it. Done before the fork exists, so that no deletion can come
    /// between.
    void noteFork(SessionId parent, SessionId child) throws IOException {
        var forks = Layout.forks(layout.session(parent));
        createDirectories(forks);
        names.replace(forks.resolve(child.toString()), new byte[0]);
    }

    /// The checksum of a session's event `seq`.
    int crcOf(SessionId id, long seq) throws IOException {
        var history = History.of(disk, this, id);
        var segment = history.holding(seq);
        if (segment == null) {
            throw new InvalidRequest("session " + id + " has no event " + seq);
        }
        try (var file = history.open(segment)) {
            var frame = new Journal(file).find(seq);
            if (frame == null) {
                throw new InvalidRequest("session " + id + " has no event " + seq);
            }
            return frame.crc();
        }
    }

    private @Nullable ForkRef forkedFrom(SessionId id, Path directory) {
        try {
            return History.forkOf(disk, Layout.journal(directory), id);
        } catch (IOException _) {
            return null;
        }
    }

    /// Where the session's directory is in this tree: in use, put aside for forks, or in the trash; null if nowhere.
    @Nullable
    Path directoryOf(SessionId id) throws IOException {
        if (!home.isReal(way)) {
            return null;
        }
        for (var directory : List.of(layout.session(id), layout.forkedFrom(id), layout.trashed(id))) {
            var there = names.isDirectory(DurableNames.parent(directory)) && names.isDirectory(directory);
            if (there && disk.stat(Layout.journal(directory)) != null) {
                return directory;
            }
        }
        return null;
    }

    @Override
    public Path journalOf(SessionId id) throws IOException {
        var tree = directoryOf(id) != null ? this : home.treeOf(scope.owner(), id);
        var directory = tree == null ? null : tree.directoryOf(id);
        return Layout.journal(directory == null ? layout.session(id) : directory);
    }

    /// When the notes cannot be read, better keep what a fork may need.
    private boolean mayHaveForks(Path directory) throws IOException {
        var forks = disk.stat(Layout.forks(directory));
        return forks != null
                && (forks.kind() != Disk.Kind.DIRECTORY || !liveForks(directory).isEmpty());
    }

    private List<SessionId> liveForks(Path directory) throws IOException {
        var live = new ArrayList<SessionId>();
        for (var name : disk.list(Layout.forks(directory))) {
            var fork = SessionId.parse(name);
            if (fork.isPresent() && home.treeOf(scope.owner(), fork.get()) != null) {
                live.add(fork.get());
            }
        }
        return live;
    }

    private void requireFree(SessionAlias alias, SessionId id) throws IOException {
        var holder = resolve(alias);
        if (holder.isPresent() && !holder.get().equals(id)) {
            throw new AliasInUse(alias, holder.get());
        }
        var stat = disk.stat(layout.name(alias));
        if (stat != null && stat.kind() != Disk.Kind.FILE) {
            throw StorageFailed.unsafe(
                    layout.name(alias) + " is in the way of the name '" + alias + "' and is no file; move it away");
        }
    }

    private void write(Path path, byte[] bytes) throws IOException {
        try (var file = disk.open(path, Access.CREATE)) {
            file.write(ByteBuffer.wrap(bytes), 0);
            file.sync();
        }
    }

    /// An imported session is as old as the first thing in it.
    private static Instant openedAt(NewSession session, Instant now) {
        return session.origin() != null && !session.events().isEmpty()
                ? session.events().getFirst().at()
                : now;
    }
}
