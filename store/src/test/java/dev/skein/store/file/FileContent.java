package dev.skein.store.file;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/// The bytes of one file of a [SimulatedDisk]: as they can be read now, as they were synced, and what was done
/// since.
final class FileContent {

    private static final int SECTOR = 512;

    private final long key;
    private final Bytes now = new Bytes();
    private final Bytes durable = new Bytes();
    private final List<Change> unsynced = new ArrayList<>();
    private long modified;
    private long durablyModified;

    FileContent(long key) {
        this.key = key;
    }

    /// A write, or a cut if there are no bytes to write.
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Change(int at, byte[] bytes) {

        void happen(Bytes content) {
            if (bytes == null) {
                content.truncate(at);
            } else {
                content.write(bytes, 0, bytes.length, at);
            }
        }
    }

    long key() {
        return key;
    }

    int size() {
        return now.size;
    }

    long modified() {
        return modified;
    }

    int read(ByteBuffer into, long position) {
        var count = (int) Math.max(0, Math.min(into.remaining(), now.size - position));
        if (count > 0) {
            into.put(now.array, (int) position, count);
        }
        return count;
    }

    void write(byte[] bytes, int at, long time) {
        change(new Change(at, bytes), time);
    }

    void truncate(int size, long time) {
        change(new Change(size, null), time);
    }

    private void change(Change change, long time) {
        change.happen(now);
        unsynced.add(change);
        modified = time;
    }

    void sync() {
        unsynced.forEach(change -> change.happen(durable));
        unsynced.clear();
        durablyModified = modified;
    }

    /// A sync failed: what was to be written stays readable, and will never be written.
    void forgetUnsynced() {
        unsynced.clear();
    }

    /// Chance decides what is left. Returns a hash of that.
    int crash(RandomGenerator random) {
        for (var change : unsynced) {
            crash(change, random);
        }
        if (!unsynced.isEmpty() && random.nextBoolean()) {
            durablyModified = modified;
        }
        unsynced.clear();
        modified = durablyModified;
        now.become(durable);
        return now.hash();
    }

    private void crash(Change change, RandomGenerator random) {
        switch (random.nextInt(5)) {
            case 0 -> {} // lost
            case 1 -> change.happen(durable);
            case 2 -> {
                if (change.bytes() != null) {
                    tear(change, random);
                }
            }
            case 3 -> {
                if (change.bytes() != null) {
                    durable.write(change.bytes(), 0, random.nextInt(change.bytes().length + 1), change.at());
                }
            }
            default -> {
                change.happen(durable);
                if (change.bytes() != null && change.bytes().length > 0) {
                    scramble(change, random);
                }
            }
        }
    }

    /// Each sector is there or not.
    private void tear(Change change, RandomGenerator random) {
        var end = change.at() + change.bytes().length;
        for (int from = change.at(); from < end; ) {
            var to = Math.min(end, (from / SECTOR + 1) * SECTOR);
            if (random.nextBoolean()) {
                durable.write(change.bytes(), from - change.at(), to - from, from);
            }
            from = to;
        }
    }

    private void scramble(Change change, RandomGenerator random) {
        var from = random.nextInt(change.bytes().length);
        var junk = new byte[1 + random.nextInt(Math.min(SECTOR, change.bytes().length - from))];
        random.nextBytes(junk);
        durable.write(junk, 0, junk.length, change.at() + from);
    }

    /// Bytes that grow.
    private static final class Bytes {
        private byte[] array = new byte[256];
        private int size;

        void write(byte[] bytes, int from, int length, int at) {
            if (length == 0) {
                return;
            }
            var end = at + length;
            if (end > array.length) {
                array = Arrays.copyOf(array, Math.max(end, array.length * 2));
            }
            if (at > size) {
                Arrays.fill(array, size, at, (byte) 0);
            }
            System.arraycopy(bytes, from, array, at, length);
            size = Math.max(size, end);
        }

        void truncate(int newSize) {
            if (newSize > size) {
                return;
            }
            size = newSize;
        }

        void become(Bytes other) {
            if (array.length < other.size) {
                array = new byte[other.array.length];
            }
            System.arraycopy(other.array, 0, array, 0, other.size);
            size = other.size;
        }

        int hash() {
            var hash = size;
            for (int i = 0; i < size; i++) {
                hash = hash * 31 + array[i];
            }
            return hash;
        }
    }
}
