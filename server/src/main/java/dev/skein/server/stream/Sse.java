package dev.skein.server.stream;

import dev.skein.live.LiveEvent;
import dev.skein.live.LiveJson;
import dev.skein.wire.Json;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// The bytes of server-sent events. Whatever is in the fields, one event stays one event.
public final class Sse {

    /// Says that the stream is alive.
    static final byte[] HEARTBEAT = ": \n\n".getBytes(StandardCharsets.UTF_8);

    private Sse() {}

    static byte[] event(LiveEvent event) {
        return event(LiveJson.name(event.body()), event.id(), LiveJson.data(event));
    }

    /// Without an id, the reader's place in the stream stays as it is.
    public static byte[] event(String name, @Nullable String id, ObjectNode data) {
        return event(name, id, Json.MAPPER.writeValueAsString(data));
    }

    static byte[] event(@Nullable String name, @Nullable String id, String data) {
        var text = new StringBuilder(data.length() + 64);
        if (name != null) {
            text.append("event: ").append(single(name)).append('\n');
        }
        if (id != null) {
            text.append("id: ").append(single(id)).append('\n');
        }
        if (isOneLine(data)) {
            text.append("data: ").append(data).append('\n');
        } else {
            data.replace("\u0000", "")
                    .lines()
                    .forEach(line -> text.append("data: ").append(line).append('\n'));
        }
        return text.append('\n').toString().getBytes(StandardCharsets.UTF_8);
    }

    private static boolean isOneLine(String field) {
        return field.indexOf('\n') < 0 && field.indexOf('\r') < 0 && field.indexOf('\0') < 0;
    }

    /// A name or an id ends where its line ends, so it must not have an end of line in it.
    private static String single(String field) {
        if (!isOneLine(field)) {
            throw new IllegalArgumentException("a field of an event must be one line");
        }
        return field;
    }
}
