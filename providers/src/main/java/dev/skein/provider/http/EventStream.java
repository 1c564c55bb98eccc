package dev.skein.provider.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.langchain4j.http.client.sse.ServerSentEvent;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import org.jspecify.annotations.Nullable;

/// Reads events one by one, but never more than a limit at once: server-sent events as the WHATWG specification says,
/// or lines.
final class EventStream {

    /// The longest event, in characters.
    static final int EVENT_MAX = 16 * 1024 * 1024;

    private static final int BUFFER_LENGTH = 1_024;

    private final InputStreamReader reader;
    private final Framing framing;
    private final char[] buffer = new char[BUFFER_LENGTH];
    private int position;
    private int filled;
    private boolean skipLineFeed;

    EventStream(InputStream bytes, Framing framing) {
        this.reader = new InputStreamReader(bytes, UTF_8);
        this.framing = framing;
    }

    /// The next event that carries data; null at the end.
    @Nullable
    ServerSentEvent next() throws IOException {
        return switch (framing) {
            case EVENTS -> nextEvent();
            case LINES -> nextLine();
        };
    }

    private @Nullable ServerSentEvent nextLine() throws IOException {
        var line = line();
        while (line != null && line.isBlank()) {
            line = line();
        }
        return line == null ? null : new ServerSentEvent(null, line);
    }

    private @Nullable ServerSentEvent nextEvent() throws IOException {
        String name = null;
        var data = new StringBuilder();
        var hasData = false;
        for (var line = line(); line != null; line = line()) {
            if (line.isEmpty()) {
                if (hasData) {
                    return new ServerSentEvent(name, data.toString());
                }
                name = null;
            } else if (line.startsWith("event:")) {
                name = value(line, "event:").strip();
            } else if (line.startsWith("data:")) {
                if (hasData) {
                    data.append('\n');
                }
                data.append(value(line, "data:"));
                hasData = true;
                requireRoom(data.length());
            }
        }
        // Some servers forget the empty line after their last event.
        return hasData ? new ServerSentEvent(name, data.toString()) : null;
    }

    private static String value(String line, String field) {
        var value = line.substring(field.length());
        return value.startsWith(" ") ? value.substring(1) : value;
    }

    /// A line without its end, which is a line feed, a carriage return or both; null if the stream is over.
    private @Nullable String line() throws IOException {
        var line = new StringBuilder();
        while (true) {
            var next = read();
            if (next < 0) {
                return line.isEmpty() ? null : line.toString();
            }
            if (next == '\n' && skipLineFeed) {
                skipLineFeed = false;
                continue;
            }
            skipLineFeed = next == '\r';
            if (next == '\n' || next == '\r') {
                return line.toString();
            }
            line.append((char) next);
            requireRoom(line.length());
        }
    }

    /// The next character, or -1 at the end. A buffered reader would take a lock for each, and sixteen kilobytes.
    private int read() throws IOException {
        if (position == filled) {
            position = 0;
            filled = Math.max(0, reader.read(buffer));
        }
        return filled == 0 ? -1 : buffer[position++];
    }

    private static void requireRoom(int length) throws IOException {
        if (length > EVENT_MAX) {
            throw new IOException("an event is longer than " + EVENT_MAX + " characters");
        }
    }
}
