package dev.skein.store.file;

import dev.skein.failure.Concurrent;
import dev.skein.failure.InvalidRequest;
import dev.skein.failure.SessionDamaged;
import dev.skein.failure.SessionNotFound;
import dev.skein.session.Entry;
import dev.skein.session.SessionState;
import dev.skein.store.Appended;
import dev.skein.store.Batch;
import dev.skein.store.file.Disk.Access;
import dev.skein.store.file.Disk.DiskFile;
import dev.skein.store.query.Retry;
import dev.skein.wire.EventBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Appends to one session's journal. Used by one caller at a time, who is through the session's turnstile.
///
/// An append is one write and one sync. If either fails, what is on the disk is unknown: the file is closed and
/// never synced again through the same descriptor; the next append opens it anew and goes on from what it finds,
/// after writing again whatever the failed sync may have left in memory only.
final class SessionWriter implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SessionWriter.class);

    /// A buffer that grew beyond this is not kept for the next append.
    private static final int BUFFER_MAX = 64 * 1024;

    private final LiveSession session;
    private final DurableNames names;
    private final Committer committer;
    private final Durability durability;
    private final Set<LiveSession> inDoubt;
    private final AtomicBoolean syncFailed = new AtomicBoolean();
    private @Nullable DiskFile file;
    private @Nullable Object fileKey;
    private @Nullable Position synced;
    private @Nullable Doubt doubt;
    private @Nullable EventBuffer buffer;

    /// `inDoubt` keeps the session from being forgotten as long as it has to write something again.
    SessionWriter(LiveSession session, Committer committer, Durability durability, Set<LiveSession> inDoubt) {
        this.session = session;
        this.inDoubt = inDoubt;
        this.names = new DurableNames(session.disk());
        this.committer = committer;
        this.durability = durability;
    }

    /// A write failed: what is behind `from` may be in memory only. `to` is where the append ends that was to be
    /// kept. Both are null if a sync failed: then nothing of the file is trusted but what memory shows of it.
    private record Doubt(@Nullable Position from, @Nullable Position to) {

        static final Doubt ALL = new Doubt(null, null);
    }

    /// Gets ready to write: opens the journal if need be, reads what others appended, cuts a torn tail.
    /// If nobody else wrote meanwhile, one look tells, and the committer is not bothered.
    Snapshot prepare() throws IOException {
        if (syncFailed.getAndSet(false)) {
            distrust(Doubt.ALL);
        }
        var unchanged = unchanged();
        if (unchanged != null) {
            return unchanged;
        }
        try {
            return committer.run(this::ready);
        } catch (IOException e) {
            distrust(doubt == null ? new Doubt(synced, null) : doubt);
            throw e;
        }
    }

    /// Appends the batch, or answers as the first time if its key says it was appended before.
    Appended append(Batch batch) throws IOException {
        var known = session.known();
        var snapshot = file == null || known == null ? prepare() : known;
        var earlier = appendedBefore(batch, snapshot.state());
        if (earlier != null) {
            return earlier;
        }
        if (batch.expectedVersion() != snapshot.state().version()) {
            throw new Concurrent(
                    session.id(), batch.expectedVersion(), snapshot.state().version());
        }
        var encoded = encode(batch, snapshot);
        try {
            committer.run(() -> commit(encoded.bytes(), snapshot.position().offset()));
        } catch (IOException | RuntimeException e) {
            distrust(new Doubt(snapshot.position(), encoded.next().position()));
            throw e;
        }
        synced = encoded.next().position();
        session.advanceTo(encoded.next());
        return new Appended(
                snapshot.state().version() + 1, encoded.next().state().version(), false);
    }

    /// Whether something can be read that may not be on the disk, and a sync would not tell.
    boolean isInDoubt() {
        return inDoubt.contains(session);
    }

    /// Writes again what a failed sync left in doubt, if anything, and lets go of the file.
    void settle() throws IOException {
        if (doubt != null || syncFailed.get()) {
            prepare();
        }
        close();
    }

    /// Makes everything appended so far durable. For anybody, who need not be through the turnstile; if it
    /// fails, the system may not tell a second time, so whoever writes next is told here.
    void sync() throws IOException {
        committer.run(() -> {
            try (var opened = session.disk().open(session.journal(), Access.WRITE)) {
                opened.sync();
            } catch (IOException e) {
                syncFailed.set(true);
                inDoubt.add(session);
                throw e;
            }
            return true;
        });
    }

    @Override
    public void close() throws IOException {
        var open = file;
        file = null;
        dropBuffer();
        if (open != null) {
            open.close();
        }
    }

    /// What was known after the last append, if the journal is still open and just that long.
    private @Nullable Snapshot unchanged() throws IOException {
        var known = session.known();
        if (file == null || known == null || doubt != null || !known.position().equals(synced)) {
            return null;
        }
        var stat = session.journalStat();
        return stat.key().equals(fileKey) && stat.size() == known.position().offset() ? known : null;
    }

    private Snapshot ready() throws IOException {
        var stat = session.journalStat();
        var fresh = file == null || !stat.key().equals(fileKey);
        if (fresh) {
            close();
            file = session.disk().open(session.journal(), Access.WRITE);
            fileKey = stat.key();
        }
        var open = file;
        if (open == null) {
            throw new IllegalStateException("the journal was just opened");
        }
        var caughtUp = session.catchUp(open, stat);
        if (caughtUp.snapshot().gaps() > 0) {
            throw new SessionDamaged(session.id(), "in " + caughtUp.snapshot().gaps() + " of its places");
        }
        cutTornTail(open, caughtUp);
        var end = caughtUp.snapshot().position();
        var doubted = doubt;
        if (doubted != null) {
            settle(open, doubted, end);
            doubt = null;
            inDoubt.remove(session);
        } else if (durability == Durability.ALWAYS) {
            // Others, or an earlier life, may have written without living to sync.
            sync(open);
        }
        if (fresh && durability == Durability.ALWAYS) {
            // Or may have made the session.
            session.disk().syncDirectory(DurableNames.parent(session.directory()));
        }
        synced = end;
        return caughtUp.snapshot();
    }

    private boolean commit(ByteBuffer bytes, long offset) throws IOException {
        var open = file;
        if (open == null || !Objects.equals(session.disk().key(session.journal()), fileKey)) {
            throw SessionNotFound.deleted(session.id());
        }
        open.write(bytes, offset);
        if (durability == Durability.ALWAYS) {
            sync(open);
        }
        return true;
    }

    /// Saves an unfinished append beside the journal and removes it from there. It was never acknowledged.
    private void cutTornTail(DiskFile open, LiveSession.CaughtUp caughtUp) throws IOException {
        var end = caughtUp.snapshot().position().offset();
        if (caughtUp.torn() <= 0) {
            return;
        }
        var fragment = ByteBuffer.allocate((int) Math.min(caughtUp.torn(), Frame.LENGTH_MAX));
        var count = open.read(fragment, end);
        var bytes = Arrays.copyOf(fragment.array(), count);
        var beside = session.directory().resolve("journal.jsonl.torn-" + end);
        for (int i = 2; isOther(beside, bytes); i++) {
            beside = session.directory().resolve("journal.jsonl.torn-" + end + "-" + i);
        }
        names.replace(beside, bytes);
        open.truncate(end);
        sync(open);
        LOG.warn(
                "session {}: an append that was never acknowledged ended in the middle; its {} bytes are kept in {}",
                session.id(),
                count,
                beside.getFileName());
    }

    /// Whether the name is taken by another fragment.
    private boolean isOther(Path beside, byte[] bytes) throws IOException {
        return session.disk().stat(beside) != null && !Arrays.equals(names.read(beside, Frame.LENGTH_MAX), bytes);
    }

    /// After a failure, memory may show what the disk does not have. Written again, it is on its way anew: in
    /// its place if only the write of one append failed, else in a copy, because others may have been told that
    /// theirs is kept, and because a disk that failed a sync may have lost more of the file than it was asked
    /// to keep.
    private void settle(DiskFile open, Doubt doubted, Position end) throws IOException {
        var from = doubted.from();
        if (from != null && end.equals(doubted.to())) {
            var bytes = ByteBuffer.allocate(Math.toIntExact(end.offset() - from.offset()));
            open.read(bytes, from.offset());
            open.truncate(from.offset());
            sync(open);
            open.write(bytes.flip(), from.offset());
            sync(open);
        } else if (!end.equals(from)) {
            names.copy(session.journal(), session.journal());
            close();
            file = session.disk().open(session.journal(), Access.WRITE);
            fileKey = session.journalStat().key();
        }
    }

    /// Syncs, and remembers if that failed: the system may not tell a second time.
    private void sync(DiskFile open) throws IOException {
        try {
            open.sync();
        } catch (IOException e) {
            syncFailed.set(true);
            throw e;
        }
    }

    /// What is on the disk is unknown now, and this descriptor will not tell.
    private void distrust(Doubt doubted) {
        doubt = doubted;
        synced = null;
        inDoubt.add(session);
        session.forget();
        try {
            close();
        } catch (IOException e) {
            LOG.warn("session {}: closing the journal after a failure failed too", session.id(), e);
        }
    }

    private @Nullable Appended appendedBefore(Batch batch, SessionState state) throws IOException {
        var key = batch.key();
        if (key == null) {
            return null;
        }
        var first = state.seqOfKey(key).orElse(batch.expectedVersion() + 1);
        if (first > state.version()) {
            return null;
        }
        var stored = session.history().appendAt(first);
        var same = !stored.isEmpty() && key.equals(stored.getFirst().key());
        return same ? Retry.settle(session.id(), batch, stored) : null;
    }

    /// A batch as bytes, and the snapshot once they are in the journal.
    private record Encoded(ByteBuffer bytes, Snapshot next) {}

    /// The bytes are valid until the next call.
    private Encoded encode(Batch batch, Snapshot before) {
        var out = buffer == null ? new EventBuffer() : buffer;
        buffer = null;
        out.reset();
        var state = before.state();
        var crc = before.position().crc();
        var nth = 0;
        var left = batch.events().size();
        var key = batch.key();
        for (var event : batch.events()) {
            var start = out.size();
            crc = Frame.write(out, state.version() + 1, crc, --left, nth++, key, event);
            requireShort(out.size() - start);
            state = state.after(new Entry(state.version() + 1, event, key, null));
            key = null;
        }
        var end = before.position().offset() + out.size();
        if (out.size() <= BUFFER_MAX) {
            buffer = out;
        }
        return new Encoded(out.bytes(), new Snapshot(state, new Position(end, state.version(), crc), 0));
    }

    private static void requireShort(int length) {
        if (length > Frame.LENGTH_MAX - 1024) {
            throw new InvalidRequest("an event has at most %d bytes, not %d; split it or refer to a file"
                    .formatted(Frame.LENGTH_MAX - 1024, length));
        }
    }

    /// Needs less memory until the next append.
    void dropBuffer() {
        var old = buffer;
        buffer = null;
        if (old != null) {
            old.close();
        }
    }

    /// Journal lines for the events of a session that does not exist yet.
    static byte[] firstLines(List<Entry> entries, int prev) {
        try (var out = new EventBuffer()) {
            var crc = prev;
            var nth = 0;
            var left = entries.size();
            for (var entry : entries) {
                crc = Frame.write(out, entry.seq(), crc, --left, nth++, entry.key(), entry.whole());
            }
            return out.toByteArray();
        }
    }
}
