package dev.skein.server.connection;

import io.helidon.common.buffers.DataReader;
import io.helidon.webserver.CloseConnectionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What the web server reads of a client. The lines between the pieces of a body end soon: it would keep one without an
/// end whole.
final class ClientLines extends DataReader {

    private static final int LENGTH_MAX = 1024;

    @SuppressWarnings("removal") // The web server will make an interface of it.
    ClientLines(Supplier<byte @Nullable []> client) {
        super(client);
    }

    /// @throws CloseConnectionException if it is too long
    @Override
    public String readLine() {
        var length = findNewLine(LENGTH_MAX);
        if (length == LENGTH_MAX) {
            throw new CloseConnectionException("a line within a body does not end");
        }
        var line = readAsciiString(length);
        skip(2);
        return line;
    }
}
