package dev.skein.store.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/// Does what another disk does. For disks that differ in one thing.
class ForwardingDisk implements Disk {

    private final Disk disk;

    ForwardingDisk(Disk disk) {
        this.disk = disk;
    }

    @Override
    public DiskFile open(Path path, Access access) throws IOException {
        return new ForwardingFile(disk.open(path, access));
    }

    @Override
    public Stat stat(Path path) throws IOException {
        return disk.stat(path);
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        return disk.list(directory);
    }

    @Override
    public void createDirectory(Path directory) throws IOException {
        disk.createDirectory(directory);
    }

    @Override
    public void move(Path from, Path to) throws IOException {
        disk.move(from, to);
    }

    @Override
    public void delete(Path path) throws IOException {
        disk.delete(path);
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        disk.syncDirectory(directory);
    }

    /// Does what another file does.
    static class ForwardingFile implements DiskFile {

        private final DiskFile file;

        ForwardingFile(DiskFile file) {
            this.file = file;
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public int read(ByteBuffer into, long position) throws IOException {
            return file.read(into, position);
        }

        @Override
        public void write(ByteBuffer bytes, long position) throws IOException {
            file.write(bytes, position);
        }

        @Override
        public void truncate(long size) throws IOException {
            file.truncate(size);
        }

        @Override
        public void sync() throws IOException {
            file.sync();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
