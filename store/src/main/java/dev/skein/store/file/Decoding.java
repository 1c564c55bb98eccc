package dev.skein.store.file;

import dev.skein.session.Entry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.function.Consumer;

/// Turns records into events, many at once, and hands them over one by one in their order.
///
/// Decoding is most of what reading a long session costs, and one record does not depend on another. So records
/// are taken in pieces that the common pool decodes while the caller goes on reading; the caller hands them
/// over itself. A short read never leaves the caller's thread. For use by one thread.
final class Decoding {

    /// Records in a piece, and bytes after which a piece is full anyway.
    private static final int PIECE = 256;

    private static final int PIECE_BYTES = 1024 * 1024;

    /// Pieces that are decoded ahead of what was handed over: a bound on memory.
    private static final int AHEAD_MAX = 2 * Math.max(2, ForkJoinPool.getCommonPoolParallelism());

    private final Consumer<Entry> each;
    private final Deque<ForkJoinTask<List<Entry>>> ahead = new ArrayDeque<>();
    private List<Taken> piece = new ArrayList<>();
    private int bytes;

    Decoding(Consumer<Entry> each) {
        this.each = each;
    }

    private record Taken(Frame frame, long offset) {}

    /// The next record. Its bytes are copied.
    void add(Frame frame, long offset) {
        piece.add(new Taken(frame.withOwnBytes(), offset));
        bytes += frame.to() - frame.from();
        if (piece.size() >= PIECE || bytes >= PIECE_BYTES) {
            var full = piece;
            ahead.add(ForkJoinPool.commonPool().submit(() -> decoded(full)));
            piece = new ArrayList<>(PIECE);
            bytes = 0;
            if (ahead.size() > AHEAD_MAX) {
                handOver(ahead.remove().join());
            }
        }
    }

    /// The next event, which is known already.
    void add(Entry entry) {
        finish();
        each.accept(entry);
    }

    /// Hands over everything that was added.
    void finish() {
        while (!ahead.isEmpty()) {
            handOver(ahead.remove().join());
        }
        var rest = piece;
        piece = new ArrayList<>();
        bytes = 0;
        handOver(decoded(rest));
    }

    private void handOver(List<Entry> entries) {
        entries.forEach(each);
    }

    private static List<Entry> decoded(List<Taken> piece) {
        var entries = new ArrayList<Entry>(piece.size());
        for (var record : piece) {
            entries.add(History.decode(record.frame(), record.offset()));
        }
        return entries;
    }
}
