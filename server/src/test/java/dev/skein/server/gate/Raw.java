package dev.skein.server.gate;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Locale;

/// Bytes on a socket.
record Raw(Socket socket) implements AutoCloseable {

    private static final int PATIENCE_MILLIS = 60_000;

    Raw {
        try {
            socket.setSoTimeout(PATIENCE_MILLIS);
        } catch (SocketException e) {
            throw new IllegalStateException(e);
        }
    }

    Raw say(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
        socket.getOutputStream().flush();
        return this;
    }

    /// Everything until the other side closes.
    String rest() throws IOException {
        try {
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        } catch (SocketException _) {
            return "";
        }
    }

    /// Everything up to and with the body of one answer that has a length.
    String answer() throws IOException {
        var text = new StringBuilder();
        var in = socket.getInputStream();
        while (text.indexOf("\r\n\r\n") < 0) {
            var read = in.read();
            if (read < 0) {
                return text.toString();
            }
            text.append((char) read);
        }
        var head = text.toString().toLowerCase(Locale.ROOT);
        var at = head.indexOf("content-length: ");
        var length = at < 0 ? 0 : Integer.parseInt(head.substring(at + 16, head.indexOf("\r\n", at)));
        return text + new String(in.readNBytes(length), ISO_8859_1);
    }

    /// Says the same again and again until the other side has had enough.
    void sayUntilClosed(String text, int pauseMillis) {
        try {
            socket.setSoTimeout(pauseMillis);
            while (true) {
                say(text);
                try {
                    if (socket.getInputStream().read() < 0) {
                        return;
                    }
                } catch (SocketTimeoutException _) {
                    // That was the pause.
                }
            }
        } catch (IOException _) {
            // That is it.
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
