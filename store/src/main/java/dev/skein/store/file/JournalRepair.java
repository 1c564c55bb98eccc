package dev.skein.store.file;

import dev.skein.session.Scope;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionId;
import dev.skein.store.file.Disk.Access;
import dev.skein.store.file.Disk.DiskFile;
import dev.skein.wire.EventBuffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes a journal without gaps out of one with: every true record word for word, and a `gap` event in the place
/// of each one that is lost. The damaged file is kept beside it. Used once, by whoever holds the session's lock.
final class JournalRepair {

    private static final int BUFFER = 1024 * 1024;

    private final Disk disk;
    private final SessionId id;
    private final Scope scope;
    private final Path directory;

    JournalRepair(Disk disk, Scope scope, SessionId id, Path directory) {
        this.disk = disk;
        this.scope = scope;
        this.id = id;
        this.directory = directory;
    }

    /// What an append at the end of the file is of which a part is missing.
    enum LastAppend {
        /// It was never acknowledged.
        CUT_IF_TORN,
        /// It was, so whatever is left of it counts.
        ACKNOWLEDGED
    }

    /// Mends the journal and returns where the damaged one is kept.
    ///
    /// @param first the sequence number of the journal's first record
    Path run(long first, LastAppend lastAppend) throws IOException {
        var names = new DurableNames(disk);
        var journal = Layout.journal(directory);
        var mended = directory.resolve(DurableNames.TEMPORARY + "mended");
        names.deleteIfThere(mended);
        try (var from = disk.open(journal, Access.READ);
                var to = disk.open(mended, Access.CREATE)) {
            var copy = new Copy(to, first);
            var journalFile = new Journal(from);
            switch (lastAppend) {
                case CUT_IF_TORN -> journalFile.scan(Journal.anywhere(0), copy);
                case ACKNOWLEDGED -> journalFile.salvage(copy);
            }
            copy.finish();
            to.sync();
        }
        var kept = unusedName();
        names.copy(journal, kept);
        names.move(mended, journal);
        names.deleteIfThere(Layout.state(directory));
        return kept;
    }

    private Path unusedName() throws IOException {
        for (int i = 1; ; i++) {
            var candidate = directory.resolve("journal.jsonl.damaged-" + i);
            if (disk.stat(candidate) == null) {
                return candidate;
            }
        }
    }

    /// Writes records anew, each following the one before.
    private final class Copy implements Journal.Visitor {
        private final DiskFile to;
        private final EventBuffer pending = new EventBuffer();
        private final List<Kept> append = new ArrayList<>();
        private long written;
        private long next;
        private int crc = Frame.NO_CRC;
        private boolean anything;

        Copy(DiskFile to, long first) {
            this.to = to;
            this.next = first;
        }

        /// A record of an append that may not be complete.
        private record Kept(long seq, @Nullable String key, ByteBuffer event) {}

        @Override
        public boolean record(Frame frame, long offset) {
            if (!anything) {
                crc = frame.seq() == next ? frame.prev() : crc;
                anything = true;
            }
            if (next + append.size() < frame.seq()) {
                release();
                fill(frame.seq() - next, offset, 0);
            }
            append.add(new Kept(frame.seq(), frame.key(), ByteBuffer.wrap(frame.event())));
            if (frame.more() == 0) {
                var nth = 0;
                var left = append.size();
                for (var kept : append) {
                    write(kept.key(), --left, nth++, kept.event().array());
                }
                append.clear();
            }
            return true;
        }

        @Override
        public void gap(long seq, long count, long offset, long bytes) {
            release();
            anything = true;
            fill(Math.max(0, seq + count - next), offset, bytes);
        }

        void finish() throws IOException {
            flush();
            pending.close();
        }

        /// What is left of an append that lost a part stands on its own.
        private void release() {
            append.forEach(kept -> write(kept.key(), 0, 0, kept.event().array()));
            append.clear();
        }

        private void fill(long count, long offset, long bytes) {
            for (long i = 0; i < count; i++) {
                SessionEvent lost = next == 1 ? History.lostOpening(id, scope) : History.gapEvent(offset, bytes);
                write(null, 0, 0, Frame.encode(lost));
            }
        }

        private void write(@Nullable String key, int more, int nth, byte[] event) {
            crc = Frame.write(pending, next++, crc, more, nth, key, event);
            if (pending.size() >= BUFFER) {
                try {
                    flush();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }

        private void flush() throws IOException {
            to.write(ByteBuffer.wrap(pending.toByteArray()), written);
            written += pending.size();
            pending.reset();
        }
    }
}
