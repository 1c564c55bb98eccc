package dev.skein.server.connection;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataWriter;
import io.helidon.webserver.ServerConnectionException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Bytes from and to one client. A thread that is interrupted while it reads or writes closes the socket.
///
/// Between reads nothing is kept for them: most connections wait most of the time.
///
/// Read by one thread at a time, written by one.
final class ClientSocket implements Supplier<byte @Nullable []>, DataWriter {

    /// The first lines of most requests fit in it.
    private static final int PIECE_MIN = 1024;

    private static final int PIECE_MAX = 64 * 1024;

    private final SocketChannel channel;
    private final InputStream in;
    private final OutputStream out;
    private int piece = PIECE_MIN;

    /// `sending` goes before what is written.
    ClientSocket(SocketChannel channel, UnaryOperator<OutputStream> sending) throws IOException {
        this.channel = channel;
        this.in = channel.socket().getInputStream();
        this.out = sending.apply(channel.socket().getOutputStream());
    }

    /// What has come, or null if no more will. Waits for it, with more room the more there was before.
    @Override
    public byte @Nullable [] get() {
        var bytes = new byte[piece];
        try {
            var count = in.read(bytes);
            if (count < 0) {
                return null;
            }
            if (count == bytes.length) {
                piece = Math.min(2 * piece, PIECE_MAX);
                return bytes;
            }
            piece = PIECE_MIN;
            return Arrays.copyOf(bytes, count);
        } catch (IOException e) {
            throw new ServerConnectionException("the client cannot be read", e);
        }
    }

    @Override
    public void writeNow(BufferData buffer) {
        buffer.writeTo(out);
    }

    @Override
    public void writeNow(BufferData... buffers) {
        writeNow(BufferData.create(buffers));
    }

    @Override
    public void write(BufferData buffer) {
        writeNow(buffer);
    }

    @Override
    public void write(BufferData... buffers) {
        writeNow(buffers);
    }

    @Override
    public void close() {
        try (channel) {
            // Without it, the client may not get what was written last.
            channel.shutdownOutput();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
