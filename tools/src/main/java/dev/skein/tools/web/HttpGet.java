package dev.skein.tools.web;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/// One GET request over one connection to one checked address.
///
/// Java's own clients look the name up again, which may give another address than the one that was checked. So this
/// speaks just enough HTTP/1.1 itself: no proxies, no cookies, no credentials, no compression. Certificates are
/// checked against the name as usual. For one thread; [#close] may be called from another to end it.
final class HttpGet implements AutoCloseable {

    private static final int HEADER_BYTES_MAX = 64 * 1024;
    private static final int CONNECT_MILLIS = 10_000;

    private final Destination destination;
    private final SSLSocketFactory tls;
    private final Socket socket = new Socket(Proxy.NO_PROXY);
    private int headerBytes;

    HttpGet(Destination destination, SSLSocketFactory tls) {
        this.destination = destination;
        this.tls = tls;
    }

    /// What came back. `cut` if there was more.
    @SuppressWarnings("ArrayRecordComponent") // Never compared.
    record Response(int status, Map<String, String> headers, byte[] body, boolean cut) {

        Optional<String> header(String name) {
            return Optional.ofNullable(headers.get(name));
        }
    }

    /// Sends the request and reads at most so many bytes of the answer.
    Response send(int bytesMax) throws IOException {
        socket.connect(new InetSocketAddress(destination.address(), destination.port()), CONNECT_MILLIS);
        var connection = destination.isSecure() ? secured() : socket;
        connection.getOutputStream().write(request().getBytes(US_ASCII));
        connection.getOutputStream().flush();
        var in = new BufferedInputStream(connection.getInputStream());
        int status = status(line(in));
        while (status >= 100 && status < 200) {
            headers(in);
            status = status(line(in));
        }
        var headers = headers(in);
        var body = new ByteArrayOutputStream();
        var cut = status != 204 && status != 304 && read(in, headers, body, bytesMax);
        return new Response(status, headers, body.toByteArray(), cut);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private Socket secured() throws IOException {
        var secure = (SSLSocket) tls.createSocket(socket, destination.host(), destination.port(), true);
        var parameters = secure.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secure.setSSLParameters(parameters);
        secure.startHandshake();
        return secure;
    }

    private String request() {
        var uri = destination.uri();
        var host = uri.getPort() < 0 ? destination.host() : destination.host() + ":" + uri.getPort();
        return "GET " + destination.target() + " HTTP/1.1\r\nHost: " + host
                + "\r\nUser-Agent: skein\r\nAccept: text/html, text/*, application/json, */*;q=0.5"
                + "\r\nAccept-Encoding: identity\r\nConnection: close\r\n\r\n";
    }

    private static int status(String line) throws IOException {
        if (!line.matches("HTTP/1\\.[01] [1-5][0-9]{2}( .*)?")) {
            throw new IOException("the server does not speak HTTP/1.1");
        }
        return Integer.parseInt(line.substring(9, 12));
    }

    private Map<String, String> headers(InputStream in) throws IOException {
        var headers = new TreeMap<String, String>();
        for (var line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                headers.putIfAbsent(
                        line.substring(0, colon).strip().toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
        }
        return headers;
    }

    private String line(InputStream in) throws IOException {
        var bytes = new ByteArrayOutputStream();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new IOException("the server ended the connection in the middle of its answer");
            }
            if (++headerBytes > HEADER_BYTES_MAX) {
                throw new IOException("the server's headers are longer than " + HEADER_BYTES_MAX + " bytes");
            }
            if (b != '\r') {
                bytes.write(b);
            }
        }
        return bytes.toString(ISO_8859_1);
    }

    /// Reads the body; returns whether there was more.
    private boolean read(InputStream in, Map<String, String> headers, ByteArrayOutputStream into, int max)
            throws IOException {
        if (headers.getOrDefault("transfer-encoding", "")
                .toLowerCase(Locale.ROOT)
                .endsWith("chunked")) {
            return chunks(in, into, max);
        }
        var length = number(headers.getOrDefault("content-length", String.valueOf(Long.MAX_VALUE)), 10);
        into.write(in.readNBytes((int) Math.min(length, max)));
        return into.size() == max && length > max && (length < Long.MAX_VALUE || in.read() >= 0);
    }

    private boolean chunks(InputStream in, ByteArrayOutputStream into, int max) throws IOException {
        while (true) {
            headerBytes = 0;
            var size = number(line(in).replaceFirst(";.*", "").strip(), 16);
            if (size == 0) {
                return false;
            }
            var room = max - into.size();
            into.write(in.readNBytes((int) Math.min(size, room)));
            if (size > room) {
                return true;
            }
            line(in);
        }
    }

    private static long number(String text, int radix) throws IOException {
        try {
            var number = Long.parseLong(text, radix);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Said below.
        }
        throw new IOException("the server gave '" + text + "' for a length");
    }
}
