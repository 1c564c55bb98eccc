package dev.skein.testkit.http;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One connection to a server on this machine, with as little between the test and the bytes as there can be. For use
/// by one thread, but closed by any.
public final class PlainHttp implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 120_000;

    private final Socket socket = new Socket();
    private final Counted counted;
    private final InputStream in;
    private final String token;

    /// @param token what the server lets in
    public PlainHttp(int port, String token) throws IOException {
        this(port, token, 0, 8 * 1024);
    }

    /// @param receiveBuffer bytes that the system takes in before they are read, 0 for its own choice
    /// @param buffer bytes that are read at once
    public PlainHttp(int port, String token, int receiveBuffer, int buffer) throws IOException {
        this.token = token;
        if (receiveBuffer > 0) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        try {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.setTcpNoDelay(true);
            this.counted = new Counted(socket.getInputStream());
            this.in = new BufferedInputStream(counted, buffer);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /// The beginning of an answer.
    public record Head(int status, Map<String, String> headers) {

        String header(String name) {
            return headers.getOrDefault(name, "");
        }
    }

    /// An answer with its body.
    public record Answer(int status, String body) {}

    /// The connection ends by itself when so many bytes more have come.
    public PlainHttp cutAfter(long bytes) {
        counted.left = bytes;
        return this;
    }

    /// Sends a request, and leaves the answer where it is.
    public void send(String method, String path, Map<String, String> headers, @Nullable String body)
            throws IOException {
        var bytes = body == null ? new byte[0] : body.getBytes(StandardCharsets.UTF_8);
        var head = new StringBuilder(
                method + " " + path + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + token + "\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        if (body != null) {
            head.append("Content-Type: application/json\r\nContent-Length: ")
                    .append(bytes.length)
                    .append("\r\n");
        }
        var start = head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8);
        var all = new byte[start.length + bytes.length];
        System.arraycopy(start, 0, all, 0, start.length);
        System.arraycopy(bytes, 0, all, start.length, bytes.length);
        socket.getOutputStream().write(all);
    }

    /// Sends a request and takes its whole answer.
    public Answer ask(String method, String path, Map<String, String> headers, @Nullable String body)
            throws IOException {
        send(method, path, headers, body);
        var head = head();
        try (var content = content(head)) {
            return new Answer(head.status(), new String(content.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    public Answer ask(String method, String path, @Nullable String body) throws IOException {
        return ask(method, path, Map.of(), body);
    }

    /// Sends a request and hears the events of its answer.
    public EventReader events(String method, String path, Map<String, String> headers, @Nullable String body)
            throws IOException {
        send(method, path, headers, body);
        var head = head();
        if (head.status() != 200) {
            try (var content = content(head)) {
                throw new IOException(head.status() + " " + new String(content.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return new EventReader(content(head));
    }

    private Head head() throws IOException {
        var first = line();
        var headers = new LinkedHashMap<String, String>();
        for (var line = line(); !line.isEmpty(); line = line()) {
            var colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        return new Head(Integer.parseInt(first.split(" ", 3)[1]), headers);
    }

    private InputStream content(Head head) {
        return head.header("transfer-encoding").equals("chunked")
                ? new Chunks()
                : new Rest(head.header("content-length").isEmpty() ? 0 : Long.parseLong(head.header("content-length")));
    }

    private String line() throws IOException {
        var text = new StringBuilder();
        for (int read = in.read(); read != '\n'; read = in.read()) {
            if (read < 0) {
                throw new EOFException("the connection ended in the middle of a line");
            }
            if (read != '\r') {
                text.append((char) read);
            }
        }
        return text.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /// Everything that comes in, as long as it may.
    private final class Counted extends InputStream {
        private final InputStream from;
        private long left = Long.MAX_VALUE;

        Counted(InputStream from) {
            this.from = from;
        }

        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (left <= 0) {
                socket.close();
                return -1;
            }
            var count = from.read(bytes, offset, (int) Math.min(length, left));
            left -= Math.max(0, count);
            return count;
        }
    }

    /// A body of known length.
    private final class Rest extends InputStream {
        private long left;

        Rest(long length) {
            this.left = length;
        }

        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (left <= 0) {
                return -1;
            }
            var count = in.read(bytes, offset, (int) Math.min(length, left));
            if (count < 0) {
                throw new EOFException("the connection ended in the middle of a body");
            }
            left -= count;
            return count;
        }
    }

    /// A body in chunks.
    private final class Chunks extends InputStream {
        private long left;
        private boolean begun;
        private boolean ended;

        @Override
        public int read() throws IOException {
            var one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (left == 0 && !ended) {
                nextChunk();
            }
            if (ended) {
                return -1;
            }
            var count = in.read(bytes, offset, (int) Math.min(length, left));
            if (count < 0) {
                throw new EOFException("the connection ended in the middle of a chunk");
            }
            left -= count;
            return count;
        }

        private void nextChunk() throws IOException {
            if (begun) {
                line();
            }
            begun = true;
            left = Long.parseLong(line().split(";", 2)[0].strip(), 16);
            if (left == 0) {
                line();
                ended = true;
            }
        }
    }
}
