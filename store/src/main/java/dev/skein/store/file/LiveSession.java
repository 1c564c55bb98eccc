package dev.skein.store.file;

import dev.skein.failure.SessionDamaged;
import dev.skein.failure.SessionNotFound;
import dev.skein.failure.SkeinException;
import dev.skein.failure.StorageFailed;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import dev.skein.session.SessionState;
import dev.skein.store.file.Disk.Access;
import dev.skein.store.file.Disk.DiskFile;
import dev.skein.store.file.Disk.Stat;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One session in use: what all its handles in this process share.
///
/// Holds the newest snapshot known here and brings it up to date from the journal when that has grown, which is
/// how other processes' appends are seen. Reading opens a file of its own and takes no lock. Safe for use by
/// many threads; the writing half is [SessionWriter], used under the turnstile.
final class LiveSession {

    private static final Logger LOG = LoggerFactory.getLogger(LiveSession.class);

    private final Disk disk;
    private final SessionTree tree;
    private final Scope scope;
    private final SessionId id;
    private final Path directory;
    private final Path journal;
    private final Turnstile turnstile;
    private final DurableNames names;
    private final ReentrantLock mutex = new ReentrantLock();
    private final Condition grown = mutex.newCondition();
    private final AtomicLong alarms = new AtomicLong();
    private final CurrentName name;
    private final SessionWriter writer;
    private final Occupancy occupancy;
    private @Nullable History history;
    private @Nullable Snapshot snapshot;

    /// A session that nobody else in this process uses.
    LiveSession(SessionTree tree, SessionId id, Committer committer, Durability durability) {
        this(tree, id, committer, durability, ConcurrentHashMap.newKeySet(), _ -> false);
    }

    /// `staysOpen` tells whether the journal is left open for a while when the last handle is closed; whoever says so
    /// closes it later.
    LiveSession(
            SessionTree tree,
            SessionId id,
            Committer committer,
            Durability durability,
            Set<LiveSession> inDoubt,
            Predicate<LiveSession> staysOpen) {
        this.disk = tree.disk();
        this.tree = tree;
        this.scope = tree.scope();
        this.id = id;
        this.directory = tree.layout().session(id);
        this.journal = Layout.journal(directory);
        this.names = new DurableNames(disk);
        this.turnstile = new Turnstile("session " + id, Layout.lock(directory));
        this.name = new CurrentName(tree, id);
        this.writer = new SessionWriter(this, committer, durability, inDoubt);
        this.occupancy = new Occupancy(mutex, writer, () -> staysOpen.test(this));
    }

    SessionId id() {
        return id;
    }

    Scope scope() {
        return scope;
    }

    Disk disk() {
        return disk;
    }

    Turnstile turnstile() {
        return turnstile;
    }

    Path directory() {
        return directory;
    }

    Path journal() {
        return journal;
    }

    History history() throws IOException {
        mutex.lock();
        try {
            if (history == null) {
                history = History.of(disk, tree, id);
            }
            return history;
        } finally {
            mutex.unlock();
        }
    }

    /// What is at the journal's path: a plain file with one name, or a failure.
    Stat journalStat() throws IOException {
        var stat = names.isDirectory(directory()) ? disk.stat(journal()) : null;
        if (stat == null) {
            throw SessionNotFound.named(id);
        }
        if (stat.kind() != Disk.Kind.FILE) {
            throw new SessionDamaged(id, "its journal is not a plain file");
        }
        if (stat.links() != 1) {
            throw StorageFailed.unsafe(
                    "the journal of session " + id + " has a second name elsewhere; remove the hard link");
        }
        return stat;
    }

    SessionWriter writer() {
        return writer;
    }

    CurrentName name() {
        return name;
    }

    Occupancy occupancy() {
        return occupancy;
    }

    /// The session as it is now.
    Snapshot refresh() throws IOException {
        var stat = journalStat();
        mutex.lock();
        try {
            var known = snapshot;
            if (known != null && (occupancy.isWritten() || known.position().offset() == stat.size())) {
                return known;
            }
            try (var file = disk.open(journal(), Access.READ)) {
                return catchUp(file, stat).snapshot();
            } catch (NoSuchFileException e) {
                throw disk.stat(journal()) == null ? SessionNotFound.named(id) : Problems.of("read session " + id, e);
            }
        } finally {
            mutex.unlock();
        }
    }

    /// What bringing the snapshot up to date found: the snapshot, and how many bytes of torn tail follow it.
    record CaughtUp(Snapshot snapshot, long torn, boolean changed) {}

    /// Reads what is new in the file.
    CaughtUp catchUp(DiskFile file, Stat stat) throws IOException {
        mutex.lock();
        try {
            var known = snapshot;
            var from = known != null && known.position().offset() <= stat.size() ? known : stored(file, stat);
            var result = from == null ? replayAll(file) : advance(file, from);
            snapshot = result.snapshot();
            if (known == null
                    || known.position().seq() != result.snapshot().position().seq()) {
                grown.signalAll();
            }
            return result;
        } finally {
            mutex.unlock();
        }
    }

    /// Takes over what the writer made.
    void advanceTo(Snapshot next) {
        mutex.lock();
        try {
            snapshot = next;
            grown.signalAll();
        } finally {
            mutex.unlock();
        }
    }

    /// Forgets what is known, because the file can no longer be trusted to agree with it.
    void forget() {
        mutex.lock();
        try {
            snapshot = null;
            alarms.incrementAndGet();
            grown.signalAll();
        } finally {
            mutex.unlock();
        }
    }

    @Nullable
    Snapshot known() {
        mutex.lock();
        try {
            return snapshot;
        } finally {
            mutex.unlock();
        }
    }

    /// Whoever waits has a reason to look again.
    void alarm() {
        mutex.lock();
        try {
            alarms.incrementAndGet();
            grown.signalAll();
        } finally {
            mutex.unlock();
        }
    }

    /// How often there was a reason to look again.
    long alarms() {
        return alarms.get();
    }

    /// Waits until this process sees the session grow beyond `version`, or there were more alarms than `known`, at most
    /// for so many nanoseconds.
    void awaitBeyond(long version, long known, long nanos) throws InterruptedException {
        mutex.lockInterruptibly();
        try {
            var left = nanos;
            while (left > 0
                    && alarms.get() == known
                    && (snapshot == null || snapshot.state().version() <= version)) {
                left = grown.awaitNanos(left);
            }
        } finally {
            mutex.unlock();
        }
    }

    /// The session as it is now, under its current name.
    SessionState state() throws IOException {
        return name.on(refresh().state());
    }

    /// The session as those see it who are through the turnstile: nobody else changes it.
    SessionState stateInTurn() throws IOException {
        var known = known();
        return known == null ? state() : name.on(known.state());
    }

    /// The version of the session for those who are through the turnstile.
    long versionInTurn() throws IOException {
        var known = known();
        return (known == null ? refresh() : known).state().version();
    }

    /// The state if it can be had, for those who can do without.
    @Nullable
    SessionState stateIfReadable() {
        try {
            return state();
        } catch (IOException | SkeinException _) {
            return null;
        }
    }

    /// Starts with what a fork shares with its parent, so that its first use need not read that.
    void continueFrom(SessionState parent) throws IOException {
        mutex.lock();
        try (var file = disk.open(journal(), Access.READ)) {
            var fold = new StateFold(id, scope, parent);
            var end = new Journal(file).scan(Journal.anywhere(0), fold);
            snapshot = new Snapshot(fold.result(), end.position(), end.gaps());
        } finally {
            mutex.unlock();
        }
    }

    /// Writes `state.yaml`, unless the session is gone or damaged. The journal is synced first: after a power cut
    /// a state that is ahead of its journal could be confirmed by the end of an append whose beginning is lost.
    void writeState() throws IOException {
        var stat = disk.stat(journal());
        if (stat == null) {
            return;
        }
        var known = refresh();
        if (known.gaps() > 0) {
            return;
        }
        writer.sync();
        if (writer.isInDoubt()) {
            return;
        }
        var modified = stat.size() == known.position().offset() ? stat.modifiedNanos() : 0;
        var shown = new Snapshot(name.on(known.state()), known.position(), 0);
        StateFile.of(shown, modified).write(names, Layout.state(directory()));
    }

    /// Gives it another name or none; only if it has none yet, if told so. The caller is alone in the tree.
    boolean rename(@Nullable SessionAlias alias, boolean first) throws IOException {
        var old = state().alias();
        if (first && old != null) {
            return false;
        }
        tree.rename(id, old, alias);
        name.set(alias);
        writeStateIfPossible();
        return true;
    }

    /// For those who did what was asked already: that a derived file cannot be written does not take it back.
    void writeStateIfPossible() {
        try {
            writeState();
        } catch (IOException e) {
            LOG.warn("session {}: its state.yaml could not be written; it is made again when needed", id, e);
        }
    }

    /// The snapshot in `state.yaml`, if the journal confirms it.
    private @Nullable Snapshot stored(DiskFile file, Stat stat) throws IOException {
        var stored = StateFile.read(names, Layout.state(directory()), id);
        if (stored == null) {
            return null;
        }
        var candidate = stored.snapshot();
        var end = candidate.position().offset();
        var touched = end == stat.size() && stored.journal().modified() != stat.modifiedNanos();
        return end > stat.size() || touched || !new Journal(file).confirms(candidate.position()) ? null : candidate;
    }

    private CaughtUp advance(DiskFile file, Snapshot from) throws IOException {
        var fold = new StateFold(id, scope, from.state());
        var end = new Journal(file).scan(from.position(), fold);
        if (end.gaps() > 0) {
            // A reader may meet a writer who is cutting a torn tail; only a second look is proof.
            return replayAll(file);
        }
        return new CaughtUp(
                new Snapshot(fold.result(), end.position(), from.gaps()),
                end.torn(),
                end.position().seq() != from.position().seq());
    }

    private CaughtUp replayAll(DiskFile file) throws IOException {
        var own = history().own();
        var fold = new StateFold(id, scope, null);
        var gaps = own.first() == 1 ? 0 : history().read(1, own.first() - 1, fold::add);
        var end = new Journal(file).scan(new Position(0, -1, Frame.NO_CRC), fold);
        fold.fillTo(own.first() - 1);
        if (hasLostAcknowledged(file, end.position())) {
            gaps++;
        }
        if (end.gaps() + gaps > 0) {
            LOG.warn("session {} has {} damaged places in {}; run `skein doctor`", id, end.gaps() + gaps, journal());
        }
        var position = end.position().seq() < 0 ? new Position(0, own.first() - 1, Frame.NO_CRC) : end.position();
        return new CaughtUp(new Snapshot(fold.result(), position, end.gaps() + gaps), end.torn(), true);
    }

    /// Whether the journal goes on behind this place with an append that was acknowledged. What looks like a torn
    /// tail is damage then: the state was written after the acknowledgement, and the end of that append is there.
    boolean hasLostAcknowledged(DiskFile file, Position end) throws IOException {
        var stored = StateFile.read(names, Layout.state(directory()), id);
        return stored != null
                && stored.journal().seq() > end.seq()
                && new Journal(file).confirms(stored.snapshot().position());
    }
}
