package dev.skein.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// What the disk itself costs: a file that grows by one write and one `fdatasync` at a time.
final class RawFile implements AutoCloseable {

    private final FileChannel channel;
    private final ByteBuffer bytes;

    private RawFile(FileChannel channel, int length) {
        this.channel = channel;
        this.bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
            bytes.put((byte) 'x');
        }
    }

    /// A new file that grows by `length` bytes each time.
    static RawFile create(Path path, int length) throws IOException {
        return new RawFile(FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW), length);
    }

    void append() throws IOException {
        bytes.rewind();
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        channel.force(false);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
