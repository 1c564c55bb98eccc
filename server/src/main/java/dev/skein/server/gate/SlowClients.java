package dev.skein.server.gate;

import dev.skein.server.limit.Deadlines;
import io.helidon.http.HeaderNames;
import io.helidon.http.Headers;
import io.helidon.http.HttpPrologue;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http1.Http1ConnectionListener;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;

/// Ends connections of those who send or read so slowly that they only want to hold them.
///
/// The headers must be there in a given time. Whoever sends a body or reads an answer has the same time, and more with
/// every piece that gets through. Connections that send nothing at all are ended by the web server.
final class SlowClients implements Http1ConnectionListener {

    /// Slower than this, on and on, is no honest network.
    private static final long BYTES_PER_SECOND = 8 * 1024;

    private static final int PIECE = 16 * 1024;

    private static final Duration LINGER = Duration.ofSeconds(1);
    private static final long LINGER_BYTES = 256 * 1024;

    private final Deadlines deadlines;
    private final Duration grace;
    private final ConcurrentHashMap<ConnectionContext, Deadlines.Watch> readingHeaders = new ConcurrentHashMap<>();

    SlowClients(Deadlines deadlines, Duration grace) {
        this.deadlines = deadlines;
        this.grace = grace;
    }

    @Override
    public void prologue(ConnectionContext connection, HttpPrologue prologue) {
        readingHeaders.put(connection, deadlines.begin(grace, () -> readingHeaders.remove(connection)));
    }

    @Override
    public void headers(ConnectionContext connection, Headers headers) {
        var watch = readingHeaders.remove(connection);
        if (watch != null) {
            end(watch);
        }
    }

    /// @throws CloseConnectionException if it was too late, though only just
    private static void end(Deadlines.Watch watch) {
        watch.close();
        if (watch.isLate()) {
            var _ = Thread.interrupted();
            throw new CloseConnectionException("the client was too slow");
        }
    }

    InputStream body(InputStream in) {
        return new Body(in);
    }

    /// Everything that is written to a client passes through it.
    OutputStream sending(OutputStream out) {
        return new Sending(out);
    }

    /// Takes in some of a body that nobody wants, for a moment: a client that is cut off while it sends may never look
    /// at the answer.
    void drain(ServerRequest request) {
        if (request.headers().contains(HeaderNames.EXPECT)) {
            return;
        }
        var watch = deadlines.begin(LINGER);
        try (var in = request.content().inputStream()) {
            var piece = new byte[8 * 1024];
            for (var rest = LINGER_BYTES; rest > 0; ) {
                var count = in.read(piece, 0, (int) Math.min(piece.length, rest));
                if (count < 0) {
                    return;
                }
                rest -= count;
            }
        } catch (IOException | RuntimeException _) {
            // The connection is closed anyway.
        } finally {
            watch.close();
        }
    }

    private <T> T watched(Duration allowed, Callable<T> transfer) throws IOException {
        var watch = deadlines.begin(allowed);
        try {
            var result = transfer.call();
            end(watch);
            return result;
        } catch (IOException | RuntimeException e) {
            end(watch);
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        } finally {
            watch.close();
        }
    }

    private final class Body extends FilterInputStream {

        private long waitedNanos;
        private long received;

        private Body(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            var began = System.nanoTime();
            var allowed = grace.plusNanos(received * 1_000_000_000L / BYTES_PER_SECOND)
                    .minusNanos(waitedNanos);
            var count = watched(allowed, () -> in.read(bytes, offset, length));
            waitedNanos += System.nanoTime() - began;
            received += Math.max(0, count);
            return count;
        }
    }

    private final class Sending extends FilterOutputStream {

        private Sending(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            for (int sent = 0; sent < length; sent += PIECE) {
                var from = offset + sent;
                var count = Math.min(PIECE, length - sent);
                watched(grace.plusSeconds(count / BYTES_PER_SECOND), () -> {
                    out.write(bytes, from, count);
                    return count;
                });
            }
        }
    }
}
