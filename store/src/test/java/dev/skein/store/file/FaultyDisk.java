package dev.skein.store.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A disk that fails when told to, counts what is asked of it, and keeps book of what would not survive a power cut.
///
/// After a failed sync, what was written since the last good one counts as lost until it is written and synced
/// again: that is how Linux behaves. Safe for use by many threads.
final class FaultyDisk implements Disk {

    /// What can fail.
    enum Call {
        OPEN,
        SIZE,
        READ,
        WRITE,
        TRUNCATE,
        SYNC,
        CLOSE,
        STAT,
        LIST,
        CREATE_DIRECTORY,
        MOVE,
        DELETE,
        SYNC_DIRECTORY
    }

    /// How it fails, in the words of the operating system, and the code of the failure that has to follow.
    enum Fault {
        FULL("No space left on device", "store.full"),
        BROKEN("Input/output error", "store.io"),
        DENIED("Permission denied", "store.denied");

        private final String words;
        private final String code;

        Fault(String words, String code) {
            this.words = words;
            this.code = code;
        }

        String code() {
            return code;
        }
    }

    /// Fail one call, all from that one on until healed, or one after doing what it was asked to.
    enum Mode {
        ONCE,
        UNTIL_HEALED,
        ONCE_AFTER_DOING_IT
    }

    /// Which call fails and how.
    record Plan(Call call, long nth, Fault fault, Mode mode) {}

    private final Disk real;
    private final Path below;
    private final Map<Call, Long> counts = new EnumMap<>(Call.class);
    private final Set<FaultyFile> open = new HashSet<>();
    private final List<String> violations = new ArrayList<>();
    private final Map<Path, BitSet> unsynced = new HashMap<>();
    private final Map<Path, BitSet> lost = new HashMap<>();
    private final Set<Path> unsyncedNames = new HashSet<>();
    private @Nullable Plan plan;
    private boolean fired;

    /// Fails only calls that are about something below this directory.
    FaultyDisk(Disk real, Path below) {
        this.real = real;
        this.below = below;
    }

    synchronized void plan(Plan next) {
        plan = next;
        fired = false;
        counts.clear();
    }

    synchronized void heal() {
        plan = null;
    }

    /// Whether a planned fault really happened.
    synchronized boolean fired() {
        return fired;
    }

    synchronized long count(Call call) {
        return counts.getOrDefault(call, 0L);
    }

    synchronized int openFiles() {
        return open.size();
    }

    /// What the store did that it must never do.
    synchronized List<String> violations() {
        return List.copyOf(violations);
    }

    /// Whether this file's content and all names that lead to it below the root would survive a power cut now.
    synchronized boolean isDurable(Path file, Path root) {
        for (var path = file; path != null && !path.equals(root); path = path.getParent()) {
            if (unsyncedNames.contains(path)) {
                return false;
            }
        }
        return bits(lost, file).isEmpty() && bits(unsynced, file).isEmpty();
    }

    private static BitSet bits(Map<Path, BitSet> map, Path path) {
        return map.computeIfAbsent(path, _ -> new BitSet());
    }

    private interface Action<T> {
        T run() throws IOException;
    }

    private <T> T attempt(Call call, Path path, Action<T> action) throws IOException {
        var due = path.startsWith(below) ? due(call) : null;
        if (due == null) {
            return action.run();
        }
        if (due.mode() == Mode.ONCE_AFTER_DOING_IT) {
            action.run();
        }
        throw new FileSystemException(path.toString(), null, due.fault().words);
    }

    private synchronized @Nullable Plan due(Call call) {
        var count = counts.merge(call, 1L, Long::sum);
        if (plan == null || plan.call() != call) {
            return null;
        }
        var hit = plan.mode() == Mode.UNTIL_HEALED ? count >= plan.nth() : count == plan.nth();
        fired |= hit;
        return hit ? plan : null;
    }

    @Override
    public DiskFile open(Path path, Access access) throws IOException {
        return attempt(Call.OPEN, path, () -> {
            var file = new FaultyFile(real.open(path, access), path);
            synchronized (this) {
                open.add(file);
                if (access == Access.CREATE) {
                    unsyncedNames.add(path);
                }
            }
            return file;
        });
    }

    @Override
    public @Nullable Stat stat(Path path) throws IOException {
        return attempt(Call.STAT, path, () -> real.stat(path));
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        return attempt(Call.LIST, directory, () -> real.list(directory));
    }

    @Override
    public void createDirectory(Path directory) throws IOException {
        attempt(Call.CREATE_DIRECTORY, directory, () -> {
            real.createDirectory(directory);
            synchronized (this) {
                unsyncedNames.add(directory);
            }
            return directory;
        });
    }

    @Override
    public void move(Path from, Path to) throws IOException {
        attempt(Call.MOVE, to, () -> {
            real.move(from, to);
            moved(from, to);
            return to;
        });
    }

    private synchronized void moved(Path from, Path to) {
        for (var map : List.of(unsynced, lost)) {
            map.remove(to);
            for (var path : List.copyOf(map.keySet())) {
                if (path.startsWith(from)) {
                    map.put(to.resolve(from.relativize(path)), map.remove(path));
                }
            }
        }
        for (var path : List.copyOf(unsyncedNames)) {
            if (path.startsWith(from)) {
                unsyncedNames.remove(path);
                unsyncedNames.add(to.resolve(from.relativize(path)));
            }
        }
        unsyncedNames.add(to);
    }

    @Override
    public void delete(Path path) throws IOException {
        attempt(Call.DELETE, path, () -> {
            real.delete(path);
            synchronized (this) {
                unsynced.remove(path);
                lost.remove(path);
                unsyncedNames.remove(path);
            }
            return path;
        });
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        attempt(Call.SYNC_DIRECTORY, directory, () -> {
            real.syncDirectory(directory);
            synchronized (this) {
                unsyncedNames.removeIf(path -> directory.equals(path.getParent()));
            }
            return directory;
        });
    }

    /// A file that remembers whether it may still be trusted.
    private final class FaultyFile implements DiskFile {
        private final DiskFile file;
        private final Path path;
        private boolean poisoned;

        FaultyFile(DiskFile file, Path path) {
            this.file = file;
            this.path = path;
        }

        @Override
        public long size() throws IOException {
            return attempt(Call.SIZE, path, file::size);
        }

        @Override
        public int read(ByteBuffer into, long position) throws IOException {
            return attempt(Call.READ, path, () -> file.read(into, position));
        }

        @Override
        public void write(ByteBuffer bytes, long position) throws IOException {
            requireTrusted("written to");
            var length = bytes.remaining();
            var half = bytes.duplicate().limit(bytes.position() + length / 2);
            try {
                attempt(Call.WRITE, path, () -> {
                    file.write(bytes, position);
                    note(position, length);
                    return true;
                });
            } catch (IOException e) {
                if (bytes.hasRemaining()) {
                    file.write(half, position);
                    note(position, length / 2);
                }
                throw e;
            }
        }

        private void note(long position, int length) {
            synchronized (FaultyDisk.this) {
                bits(unsynced, path).set((int) position, (int) position + length);
            }
        }

        @Override
        public void truncate(long size) throws IOException {
            requireTrusted("truncated");
            attempt(Call.TRUNCATE, path, () -> {
                file.truncate(size);
                synchronized (FaultyDisk.this) {
                    bits(unsynced, path).clear((int) size, Integer.MAX_VALUE);
                    bits(lost, path).clear((int) size, Integer.MAX_VALUE);
                }
                return true;
            });
        }

        @Override
        public void sync() throws IOException {
            requireTrusted("synced");
            try {
                attempt(Call.SYNC, path, () -> {
                    file.sync();
                    synchronized (FaultyDisk.this) {
                        bits(lost, path).andNot(bits(unsynced, path));
                        bits(unsynced, path).clear();
                    }
                    return true;
                });
            } catch (IOException e) {
                synchronized (FaultyDisk.this) {
                    poisoned = true;
                    bits(lost, path).or(bits(unsynced, path));
                    bits(unsynced, path).clear();
                }
                throw e;
            }
        }

        @Override
        public void close() throws IOException {
            synchronized (FaultyDisk.this) {
                open.remove(this);
            }
            file.close();
            attempt(Call.CLOSE, path, () -> true);
        }

        private void requireTrusted(String done) {
            synchronized (FaultyDisk.this) {
                if (poisoned) {
                    violations.add(path + " was " + done + " after a failed sync without being opened anew");
                }
            }
        }
    }
}
