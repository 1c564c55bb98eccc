package dev.skein.store.file;

import dev.skein.store.file.Disk.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads a journal file. Never writes.
///
/// Whole appends are handed over in order. What follows the last whole append is a torn tail: an append that
/// was never acknowledged, or is being written right now; it is left out. A disk may write the end of an append and
/// lose its beginning, so true records behind bad bytes are still part of the tail if all of them belong to the
/// append that follows the last whole one. Bad bytes with true records of another append behind them are damage: the
/// records before and after are handed over, and the missing ones are told as a gap.
final class Journal {

    private static final int CHUNK = 64 * 1024;
    private static final int TAIL = 32;
    private static final int PROBE = 4 * 1024;

    /// A record that claims more missing ones before it than this is not believed.
    private static final long MISSING_MAX = 10_000_000;
    private static final byte[] RECORD_START = {'{', '"', 's', 'e', 'q', '"', ':'};

    private final DiskFile file;

    Journal(DiskFile file) {
        this.file = file;
    }

    /// What a scan meets.
    interface Visitor {

        /// A true record. Its bytes are valid only during the call. Returns false if nothing more is wanted.
        boolean record(Frame frame, long offset);

        /// Records that are missing or unreadable: `count` from `seq` on, in `bytes` bytes at `offset`. The count is
        /// 0 if only the order is broken.
        default void gap(long seq, long count, long offset, long bytes) {}
    }

    /// A scan that starts here takes the first record it meets as it is.
    static Position anywhere(long offset) {
        return new Position(offset, -1, Frame.NO_CRC);
    }

    /// Where a scan ended: behind the last whole append, with `torn` bytes after it, having met `gaps`.
    record End(Position position, long torn, int gaps) {}

    /// Goes through the file from `from` to its end.
    End scan(Position from, Visitor visitor) throws IOException {
        return new Scan(from, visitor).run();
    }

    /// Goes through the whole file and takes what is left of its last append for damage, not for a torn tail: for
    /// those who know that it was acknowledged.
    End salvage(Visitor visitor) throws IOException {
        var scan = new Scan(anywhere(0), visitor);
        scan.run();
        scan.release();
        return new End(scan.whole, file.size() - scan.whole.offset(), scan.gaps);
    }

    /// The offset at which the record `seq` starts, or of the first one after it; found by halving, since
    /// sequence numbers rise with the offset.
    long offsetOf(long seq, long end) throws IOException {
        var low = 0L;
        var high = end;
        while (high - low > CHUNK) {
            var middle = (low + high) >>> 1;
            var proven = firstProven(middle, high);
            if (proven == null || proven.seq() > seq) {
                high = middle;
            } else {
                low = proven.offset();
            }
        }
        return low;
    }

    /// The record `seq`, or null if it is not there.
    @Nullable
    Frame find(long seq) throws IOException {
        var found = new Frame[1];
        scan(anywhere(offsetOf(seq, file.size())), (frame, offset) -> {
            if (frame.seq() == seq) {
                found[0] = frame;
            }
            return frame.seq() < seq;
        });
        return found[0];
    }

    /// Whether the record that ends at this position is really there.
    boolean confirms(Position position) throws IOException {
        if (position.offset() == 0) {
            return true;
        }
        var tail = ByteBuffer.allocate(Math.toIntExact(Math.min(position.offset(), TAIL)));
        var count = file.read(tail, position.offset() - tail.capacity());
        var text = new String(tail.array(), 0, count, StandardCharsets.ISO_8859_1);
        return text.endsWith(",\"crc\":\"" + HexFormat.of().toHexDigits(position.crc()) + "\"}\n");
    }

    private record Proven(long offset, long seq) {}

    /// The first true record that starts after `offset` and ends before `limit`, or null. What a damaged line claims
    /// would lead astray.
    private @Nullable Proven firstProven(long offset, long limit) throws IOException {
        for (long size = PROBE; ; size *= 4) {
            var buffer = new byte[(int) Math.min(size, limit - offset)];
            var count = file.read(ByteBuffer.wrap(buffer), offset);
            var lineStart = -1;
            for (int i = 0; i < count; i++) {
                if (buffer[i] == '\n') {
                    var frame = lineStart < 0 ? null : Frame.parse(buffer, lineStart, i);
                    if (frame != null) {
                        return new Proven(offset + lineStart, frame.seq());
                    }
                    lineStart = i + 1;
                }
            }
            if (count < size || size >= 2L * Frame.LENGTH_MAX) {
                return null;
            }
        }
    }

    /// One pass over the file.
    private final class Scan {
        private final Visitor visitor;
        private final List<Held> append = new ArrayList<>();
        private static final long ANY = -1;

        private Position whole;
        private Position end;
        private long expected;
        private long start;
        private boolean torn;
        private int lastCrc;
        private long badFrom = -1;
        private int gaps;
        private boolean wanted = true;

        Scan(Position from, Visitor visitor) {
            this.visitor = visitor;
            this.whole = from;
            this.end = from;
            this.expected = from.seq() < 0 ? ANY : from.seq() + 1;
            this.start = expected;
            this.lastCrc = from.crc();
        }

        /// A part of an append that is not whole yet: a record, or a gap before a record.
        private sealed interface Held {}

        private record HeldRecord(Frame frame, long offset) implements Held {}

        private record HeldGap(long seq, long count, long offset, long bytes) implements Held {}

        End run() throws IOException {
            var start = whole.offset();
            var buffer = new byte[Math.clamp(file.size() - start + 1, PROBE, CHUNK)];
            var filled = 0;
            while (wanted) {
                var count = file.read(ByteBuffer.wrap(buffer, filled, buffer.length - filled), start + filled);
                if (count <= 0) {
                    break;
                }
                var searched = filled;
                filled += count;
                var used = lines(buffer, searched, filled, start);
                if (used > 0) {
                    keepHeld();
                    System.arraycopy(buffer, used, buffer, 0, filled - used);
                    start += used;
                    filled -= used;
                } else if (filled == buffer.length) {
                    if (buffer.length >= Frame.LENGTH_MAX) {
                        bad(start);
                        start += filled;
                        filled = 0;
                    } else {
                        buffer = Arrays.copyOf(buffer, Math.min(buffer.length * 2, Frame.LENGTH_MAX));
                    }
                }
            }
            return new End(whole, start + filled - whole.offset(), gaps);
        }

        /// Takes all lines that end in `buffer[searched, filled)`; returns how many bytes they use up.
        private int lines(byte[] buffer, int searched, int filled, long start) {
            var lineStart = 0;
            for (int i = searched; i < filled && wanted; i++) {
                if (buffer[i] == '\n') {
                    line(buffer, lineStart, i, start + lineStart);
                    lineStart = i + 1;
                }
            }
            return lineStart;
        }

        private void line(byte[] buffer, int from, int to, long offset) {
            var frame = Frame.parse(buffer, from, to);
            if (frame == null) {
                bad(offset);
                var glued = lastRecordStart(buffer, from + 1, to);
                frame = glued < 0 ? null : Frame.parse(buffer, glued, to);
                if (frame == null) {
                    return;
                }
            }
            take(frame, offset + frame.from() - from);
        }

        private void take(Frame frame, long offset) {
            if (expected == ANY) {
                expected = frame.seq();
                lastCrc = frame.prev();
                start = frame.start();
            }
            var follows = badFrom < 0 && frame.seq() == expected && frame.prev() == lastCrc;
            if (frame.seq() < expected || frame.seq() - expected > MISSING_MAX) {
                tell(gap(0, offset));
                return;
            }
            if (frame.start() != start) {
                release();
                start = frame.start();
                if (!follows) {
                    tell(gap(frame.seq() - expected, offset));
                }
            } else if (!follows) {
                append.add(gap(frame.seq() - expected, offset));
                torn = true;
            }
            append.add(new HeldRecord(frame, offset));
            lastCrc = frame.crc();
            expected = frame.seq() + 1;
            end = new Position(offset + (frame.to() - frame.from()) + 1, frame.seq(), frame.crc());
            if (frame.more() == 0 && !torn) {
                release();
                start = expected;
            }
        }

        private void bad(long offset) {
            if (badFrom < 0) {
                badFrom = offset;
            }
        }

        private HeldGap gap(long missing, long offset) {
            var from = badFrom < 0 ? offset : badFrom;
            badFrom = -1;
            return new HeldGap(expected, missing, from, offset - from);
        }

        private void tell(HeldGap gap) {
            gaps++;
            visitor.gap(gap.seq(), gap.count(), gap.offset(), gap.bytes());
        }

        /// Hands over what is held: it is whole, or another append follows it.
        private void release() {
            for (var held : append) {
                switch (held) {
                    case HeldRecord(var frame, var offset) -> wanted = wanted && visitor.record(frame, offset);
                    case HeldGap gap -> tell(gap);
                }
            }
            append.clear();
            torn = false;
            whole = end;
        }

        /// The buffer is about to be overwritten; what is held from it gets bytes of its own.
        private void keepHeld() {
            append.replaceAll(held -> held instanceof HeldRecord(var frame, var offset)
                    ? new HeldRecord(frame.withOwnBytes(), offset)
                    : held);
        }
    }

    /// Where the last `{"seq":` in `bytes[from, to)` is: a true record may share its line with a torn one.
    private static int lastRecordStart(byte[] bytes, int from, int to) {
        for (int i = to - RECORD_START.length; i >= from; i--) {
            if (Arrays.equals(bytes, i, i + RECORD_START.length, RECORD_START, 0, RECORD_START.length)) {
                return i;
            }
        }
        return -1;
    }
}
