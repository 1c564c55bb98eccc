package dev.skein.server.connection;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataWriter;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/// The rest of an answer that the web server began in chunks. Each write is one chunk and leaves at once.
final class ChunkedOut extends OutputStream {

    private static final byte[] LINE_END = {'\r', '\n'};
    private static final byte[] LAST = "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final DataWriter socket;
    private boolean closed;

    ChunkedOut(DataWriter socket) {
        this.socket = socket;
    }

    @Override
    public void write(int value) {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
        if (length == 0) {
            // A chunk of nothing is the last one.
            return;
        }
        var size = Integer.toHexString(length).getBytes(StandardCharsets.US_ASCII);
        var chunk = BufferData.create(size.length + length + 2 * LINE_END.length);
        chunk.write(size);
        chunk.write(LINE_END);
        chunk.write(bytes, offset, length);
        chunk.write(LINE_END);
        socket.writeNow(chunk);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            socket.writeNow(BufferData.create(LAST));
        }
    }
}
