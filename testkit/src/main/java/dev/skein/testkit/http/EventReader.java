package dev.skein.testkit.http;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Hears server-sent events, only whole ones: what is cut off in the middle was not heard.
public final class EventReader {

    private final InputStream in;

    public EventReader(InputStream in) {
        this.in = in;
    }

    /// One event as it came.
    public record Heard(String name, @Nullable String id, String data) {}

    /// The next event; null at the end of the stream.
    ///
    /// @throws EOFException if the stream was cut
    public @Nullable Heard next() throws IOException {
        var name = "";
        String id = null;
        var data = new StringBuilder();
        for (var line = line(); line != null; line = line()) {
            if (line.isEmpty()) {
                if (!name.isEmpty()) {
                    return new Heard(name, id, data.toString());
                }
            } else if (line.startsWith("event: ")) {
                name = line.substring(7);
            } else if (line.startsWith("id: ")) {
                id = line.substring(4);
            } else if (line.startsWith("data: ")) {
                data.append(line.substring(6));
            } else if (!line.startsWith(":")) {
                throw new IOException("no line of an event: " + line);
            }
        }
        return null;
    }

    /// Everything up to the event of this name.
    ///
    /// @throws EOFException if the stream ended before that
    public Heard until(String name) throws IOException {
        for (var event = next(); event != null; event = next()) {
            if (event.name().equals(name)) {
                return event;
            }
        }
        throw new EOFException("the stream ended before '" + name + "'");
    }

    private @Nullable String line() throws IOException {
        var bytes = new ByteArrayOutputStream(80);
        for (int read = in.read(); read != '\n'; read = in.read()) {
            if (read < 0) {
                return null;
            }
            bytes.write(read);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
