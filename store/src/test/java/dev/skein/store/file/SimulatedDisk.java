package dev.skein.store.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/// A disk in memory that remembers only what was synced.
///
/// A power cut stops everything at a chosen operation. What was not synced is then up to chance: each write is lost,
/// kept, torn at sectors or scrambled, each new name lost or kept in any order; a rename happens whole or not at
/// all. Used by one thread.
final class SimulatedDisk implements Disk {

    /// Nobody can catch this by accident.
    static final class PowerCut extends Error {
        private PowerCut() {
            super("the power was cut", null, false, false);
        }
    }

    private final Folder root = new Folder();
    private final List<NameChange> unsynced = new ArrayList<>();
    private final Map<Path, Node> found = new HashMap<>();
    private long clock;
    private long keys;
    private long left = Long.MAX_VALUE;
    private long syncsLeft = Long.MAX_VALUE;
    private boolean off;
    private boolean syncFailed;
    private long trace;

    private sealed interface Node permits Folder, SimulatedContent {}

    private static final class Folder implements Node {
        private Map<String, Node> now = new LinkedHashMap<>();
        private final Map<String, Node> durable = new LinkedHashMap<>();
        private long modified;
    }

    private record Place(Folder folder, String name) {}

    /// A file's bytes, in a directory tree.
    private record SimulatedContent(FileContent bytes) implements Node {}

    /// A name given (`to`), taken away (`from`), or both at once.
    private record NameChange(Place from, Place to, Node node) {

        boolean touches(Folder folder) {
            return (from != null && from.folder().equals(folder))
                    || (to != null && to.folder().equals(folder));
        }

        void happen() {
            if (from != null) {
                from.folder().durable.remove(from.name());
            }
            if (to != null) {
                to.folder().durable.put(to.name(), node);
            }
        }
    }

    /// Cuts the power during the operation that comes after so many others.
    void cutPowerAfter(long operations) {
        left = operations;
    }

    /// Lets one sync fail, after so many others: what it should have written is lost, though it can still be read.
    void failSyncAfter(long syncs) {
        syncsLeft = syncs;
    }

    /// Whether a sync failed since the last [#crash].
    boolean syncFailed() {
        return syncFailed;
    }

    /// A hash of everything that was done to the disk.
    long trace() {
        return trace;
    }

    /// Only the process died: all it wrote can still be read, and nothing more of it was synced.
    void restart() {
        off = false;
        left = Long.MAX_VALUE;
        syncsLeft = Long.MAX_VALUE;
        note(1, 0, 0);
    }

    /// Nobody asks for this any more; as if it had never been.
    void discard(Path path) throws IOException {
        var place = place(path);
        place.folder().now.remove(place.name());
        place.folder().durable.remove(place.name());
        found.clear();
    }

    /// The machine died: chance decides about everything that was not synced.
    void crash(RandomGenerator random) {
        restart();
        syncFailed = false;
        var luck = random.nextInt(4);
        for (var change : unsynced) {
            if (luck == 0 || (luck > 1 && random.nextBoolean())) {
                change.happen();
            }
        }
        unsynced.clear();
        found.clear();
        crash(root, random);
    }

    private void crash(Folder folder, RandomGenerator random) {
        folder.now = new LinkedHashMap<>(folder.durable);
        note(2, folder.now.size(), 0);
        for (var node : folder.now.values()) {
            switch (node) {
                case Folder below -> crash(below, random);
                case SimulatedContent file -> note(3, file.bytes().crash(random), 0);
            }
        }
    }

    /// Counts an operation. Returns whether the power fails during it.
    private boolean step(int operation, long position, long length) {
        if (off) {
            throw new PowerCut();
        }
        note(operation, position, length);
        off = left-- <= 0;
        return off;
    }

    private void note(int operation, long position, long length) {
        trace = ((trace * 31 + operation) * 31 + position) * 31 + length;
    }

    private void change(int operation, Place from, Place to, Node node) {
        var cut = step(operation, 0, 0);
        if (from != null) {
            from.folder().now.remove(from.name());
            from.folder().modified = ++clock;
        }
        if (to != null) {
            to.folder().now.put(to.name(), node);
            to.folder().modified = ++clock;
        }
        found.clear();
        unsynced.add(new NameChange(from, to, node));
        if (cut) {
            throw new PowerCut();
        }
    }

    @Override
    public DiskFile open(Path path, Access access) throws IOException {
        var node = find(path);
        if (access == Access.CREATE) {
            if (node != null) {
                throw new FileAlreadyExistsException(path.toString());
            }
            node = new SimulatedContent(new FileContent(++keys));
            change(4, null, place(path), node);
        }
        if (!(node instanceof SimulatedContent(var bytes))) {
            throw new NoSuchFileException(path.toString());
        }
        return new OpenFile(bytes);
    }

    @Override
    public Stat stat(Path path) {
        return switch (find(path)) {
            case null -> null;
            case Folder folder -> new Stat(Kind.DIRECTORY, 0, folder.modified, folder, 1);
            case SimulatedContent(var bytes) -> new Stat(Kind.FILE, bytes.size(), bytes.modified(), bytes.key(), 1);
        };
    }

    @Override
    public List<String> list(Path directory) {
        return find(directory) instanceof Folder folder ? List.copyOf(folder.now.keySet()) : List.of();
    }

    @Override
    public void createDirectory(Path directory) throws IOException {
        if (find(directory) != null) {
            throw new FileAlreadyExistsException(directory.toString());
        }
        change(5, null, place(directory), new Folder());
    }

    @Override
    public void move(Path from, Path to) throws IOException {
        var node = find(from);
        if (node == null) {
            throw new NoSuchFileException(from.toString());
        }
        requireEmpty(to);
        change(6, place(from), place(to), node);
    }

    @Override
    public void delete(Path path) throws IOException {
        if (find(path) == null) {
            throw new NoSuchFileException(path.toString());
        }
        requireEmpty(path);
        change(7, place(path), null, null);
    }

    private void requireEmpty(Path path) throws IOException {
        if (find(path) instanceof Folder folder && !folder.now.isEmpty()) {
            throw new DirectoryNotEmptyException(path.toString());
        }
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        if (!(find(directory) instanceof Folder folder)) {
            throw new NoSuchFileException(directory.toString());
        }
        if (step(8, 0, 0)) {
            throw new PowerCut();
        }
        for (var change : dueWith(folder)) {
            change.happen();
            unsynced.remove(change);
        }
    }

    /// The changes in a directory, and those before them that they build on elsewhere.
    private List<NameChange> dueWith(Folder folder) {
        var due = new ArrayList<NameChange>();
        var places = new HashSet<Place>();
        for (var change : unsynced.reversed()) {
            if (change.touches(folder) || places.contains(change.from()) || places.contains(change.to())) {
                due.addFirst(change);
                if (change.from() != null) {
                    places.add(change.from());
                }
                if (change.to() != null) {
                    places.add(change.to());
                }
            }
        }
        return due;
    }

    private Node find(Path path) {
        if (off) {
            throw new PowerCut();
        }
        return found.computeIfAbsent(path, _ -> {
            Node node = root;
            for (int i = 0; i < path.getNameCount() && node != null; i++) {
                node = node instanceof Folder folder
                        ? folder.now.get(path.getName(i).toString())
                        : null;
            }
            return node;
        });
    }

    private Place place(Path path) throws IOException {
        if (find(path.getParent()) instanceof Folder folder) {
            return new Place(folder, path.getFileName().toString());
        }
        throw new NoSuchFileException(path.toString());
    }

    private final class OpenFile implements DiskFile {
        private final FileContent content;

        OpenFile(FileContent content) {
            this.content = content;
        }

        @Override
        public long size() {
            return content.size();
        }

        @Override
        public int read(ByteBuffer into, long position) {
            if (off) {
                throw new PowerCut();
            }
            return content.read(into, position);
        }

        @Override
        public void write(ByteBuffer bytes, long position) {
            var cut = step(9, position, bytes.remaining());
            var copy = new byte[bytes.remaining()];
            bytes.get(copy);
            content.write(copy, Math.toIntExact(position), ++clock);
            if (cut) {
                throw new PowerCut();
            }
        }

        @Override
        public void truncate(long size) {
            var cut = step(10, size, 0);
            content.truncate(Math.toIntExact(size), ++clock);
            if (cut) {
                throw new PowerCut();
            }
        }

        @Override
        public void sync() throws IOException {
            if (step(11, content.size(), 0)) {
                throw new PowerCut();
            }
            if (syncsLeft-- == 0) {
                syncFailed = true;
                content.forgetUnsynced();
                throw new IOException("simulated input/output error");
            }
            content.sync();
        }

        @Override
        public void close() {
            // Closing writes nothing.
        }
    }
}
