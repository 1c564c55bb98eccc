package dev.skein.store.file;

import dev.skein.session.CompactionBlock;
import dev.skein.session.CompactionBlock.BlockPointer;
import dev.skein.session.Entry;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopFold;
import dev.skein.session.LoopPointer;
import dev.skein.session.LoopRecord;
import dev.skein.session.LoopSource;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionId;
import dev.skein.store.file.Disk.DiskFile;
import dev.skein.store.file.History.Segment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Looks up loops in journals, reading little more than what is asked for.
///
/// The newest part of each journal is read in one piece, which grows backwards while the loops asked for lie just
/// before it; a loop far away is read on its own. Used once, by one thread, then closed.
final class TailSource implements LoopSource, AutoCloseable {

    private static final int PIECE_FIRST = 64 * 1024;
    private static final int PIECE_MAX = 4 * 1024 * 1024;

    private final History history;
    private final SessionId session;
    private final long version;
    private final long offset;
    private final Map<Segment, Piece> pieces = new HashMap<>();

    TailSource(History history, Snapshot snapshot) {
        this.history = history;
        this.session = snapshot.state().id();
        this.version = snapshot.state().version();
        this.offset = snapshot.position().offset();
    }

    @Override
    public @Nullable LoopRecord loop(LoopPointer pointer) {
        var fold = new LoopFold(pointer.loop(), session);
        for (var seq = pointer.seq(); seq <= version; seq++) {
            var entry = entry(seq);
            if (entry == null) {
                break;
            }
            if (!(entry.event() instanceof LoopEvent event) || !event.loop().equals(pointer.loop())) {
                if (seq == pointer.seq()) {
                    return null;
                }
                continue;
            }
            if (event instanceof LoopEvent.LoopStarted started) {
                fold.start(started, seq);
            }
            fold.add(entry, event);
            if (event instanceof LoopEvent.LoopEnded) {
                break;
            }
        }
        return fold.record();
    }

    @Override
    public @Nullable CompactionBlock block(BlockPointer pointer) {
        var entry = entry(pointer.seq());
        return entry != null && entry.event() instanceof SessionEvent.CompactionBlockSet(var _, var block)
                ? block
                : null;
    }

    @Override
    public void close() throws IOException {
        for (var piece : pieces.values()) {
            piece.close();
        }
    }

    private @Nullable Entry entry(long seq) {
        var segment = history.holding(seq);
        if (segment == null) {
            return null;
        }
        try {
            var piece = pieces.get(segment);
            if (piece == null) {
                piece = open(segment);
                pieces.put(segment, piece);
            }
            return piece.entry(seq);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Piece open(Segment segment) throws IOException {
        var file = history.open(segment);
        try {
            var own = segment.equals(history.own());
            var end = own
                    ? offset
                    : Math.min(
                            file.size(), new Journal(file).offsetOf(segment.last() + 1, file.size()) + 2 * PIECE_FIRST);
            return new Piece(file, end);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /// A run of consecutive records of one journal, decoded when first asked for.
    private static final class Piece implements AutoCloseable {
        private final DiskFile file;
        private final Journal journal;
        private final long end;
        private final List<Object> records = new ArrayList<>();
        private long first;
        private long start;

        Piece(DiskFile file, long end) throws IOException {
            this.file = file;
            this.journal = new Journal(file);
            this.end = end;
            load(Math.max(0, end - PIECE_FIRST), end);
        }

        @Nullable
        Entry entry(long seq) throws IOException {
            if (!holds(seq)) {
                reach(seq);
            }
            if (!holds(seq)) {
                return null;
            }
            var index = (int) (seq - first);
            if (records.get(index) instanceof Frame frame) {
                records.set(index, History.decode(frame, start + frame.from()));
            }
            return (Entry) records.get(index);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }

        private boolean holds(long seq) {
            return seq >= first && seq < first + records.size();
        }

        /// Moves the piece so that it holds `seq`: backwards if that is near, else right there.
        private void reach(long seq) throws IOException {
            for (long length = 2 * PIECE_FIRST; seq < first && start > 0 && length <= PIECE_MAX; length *= 2) {
                load(Math.max(0, end - length), end);
            }
            if (!holds(seq)) {
                var near = journal.offsetOf(seq, end);
                for (long length = PIECE_FIRST; !holds(seq) && near + length / 2 < end; length *= 2) {
                    load(near, Math.min(end, near + length));
                }
            }
        }

        /// Reads the lines that lie in `[from, to)`; the first may be cut off and is then left out.
        private void load(long from, long to) throws IOException {
            var bytes = new byte[Math.toIntExact(to - from)];
            var count = file.read(ByteBuffer.wrap(bytes), from);
            records.clear();
            start = from;
            first = 0;
            var lineStart = 0;
            for (int i = 0; i < count; i++) {
                if (bytes[i] == '\n') {
                    add(Frame.parse(bytes, lineStart, i), from + lineStart);
                    lineStart = i + 1;
                }
            }
        }

        private void add(@Nullable Frame frame, long offset) {
            if (frame == null || (!records.isEmpty() && frame.seq() < first + records.size())) {
                return;
            }
            if (records.isEmpty()) {
                first = frame.seq();
            }
            while (first + records.size() < frame.seq()) {
                records.add(Entry.of(first + records.size(), History.gapEvent(offset, 0)));
            }
            records.add(frame);
        }
    }
}
