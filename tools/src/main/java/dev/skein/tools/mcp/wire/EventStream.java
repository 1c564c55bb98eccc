package dev.skein.tools.mcp.wire;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads server-sent events, none larger than it may be, and remembers where to go on if the stream breaks. For one
/// thread.
final class EventStream {

    private static final long RETRY_MILLIS_MAX = 30_000;
    private static final int ID_CHARS_MAX = 1_000;

    private final int max;
    private @Nullable String lastId;
    private Duration retry = Duration.ofSeconds(1);

    EventStream(int max) {
        this.max = max;
    }

    /// The event to go on after; empty if the server does not number them.
    Optional<String> lastId() {
        return Optional.ofNullable(lastId);
    }

    /// How long to wait before the stream is asked for again.
    Duration retry() {
        return retry;
    }

    /// Hears events; says whether it wants more.
    interface Listener {
        boolean wantsMoreAfter(byte[] data);
    }

    /// Reads until the listener has enough, or the stream ends. True if it had enough.
    boolean read(InputStream from, Listener listener) throws IOException {
        var lines = new BoundedLines(from, max);
        var data = new ByteArrayOutputStream();
        for (var line = lines.next(); line != null; line = lines.next()) {
            if (line.length == 0) {
                var event = data.toByteArray();
                data = new ByteArrayOutputStream();
                if (event.length > 0 && !listener.wantsMoreAfter(event)) {
                    return true;
                }
            } else {
                field(line, data);
            }
        }
        return false;
    }

    private void field(byte[] line, ByteArrayOutputStream data) throws IOException {
        if (startsWith(line, "data:")) {
            var from = line.length > 5 && line[5] == ' ' ? 6 : 5;
            if (data.size() + line.length > max) {
                throw new BoundedLines.TooLong(max);
            }
            if (data.size() > 0) {
                data.write('\n');
            }
            data.write(line, from, line.length - from);
        } else if (startsWith(line, "id:")) {
            var id = new String(line, 3, line.length - 3, UTF_8).strip();
            if (id.length() <= ID_CHARS_MAX && id.chars().allMatch(c -> c > 0x20 && c < 0x7f)) {
                lastId = id;
            }
        } else if (startsWith(line, "retry:")) {
            var millis = new String(line, 6, line.length - 6, US_ASCII).strip();
            if (millis.matches("[0-9]{1,9}")) {
                retry = Duration.ofMillis(Math.min(Long.parseLong(millis), RETRY_MILLIS_MAX));
            }
        }
    }

    private static boolean startsWith(byte[] line, String prefix) {
        if (line.length < prefix.length()) {
            return false;
        }
        for (int i = 0; i < prefix.length(); i++) {
            if (line[i] != prefix.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
