package dev.skein.store.file;

import static java.util.Objects.requireNonNullElse;

import dev.skein.session.SessionId;
import dev.skein.store.SessionSummary;
import dev.skein.wire.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/// `index.json`: what a listing says about each session, and at which size of its journal that was true.
///
/// A cache. Rows that do not fit the directory are made anew, and the file may be deleted at any time. Names are
/// kept with the modification time of the directory they were read from. Safe for use by many threads.
final class SessionIndex {

    private static final int VERSION = 1;
    private static final int HEAD_LENGTH = "{'crc':'01234567','index':".length();
    private static final int SIZE_MAX = 512 * 1024 * 1024;

    private final Disk disk;
    private final Layout layout;
    private final DurableNames names;
    private @Nullable Content content;
    private long readAt = -1;

    SessionIndex(Disk disk, Layout layout) {
        this.disk = disk;
        this.layout = layout;
        this.names = new DurableNames(disk);
    }

    /// A session's summary, true while its journal has this size. `channel` if it belongs to a chat.
    record Row(long size, boolean channel, SessionSummary summary) {}

    /// The whole index. `namesModified` is 0 when the names must be read again.
    record Content(int version, long namesModified, Map<SessionId, String> names, Map<SessionId, Row> sessions) {

        Content {
            names = requireNonNullElse(names, Map.of());
            sessions = requireNonNullElse(sessions, Map.of());
        }

        static final Content EMPTY = new Content(VERSION, 0, Map.of(), Map.of());
    }

    /// What is known, from memory or from the file.
    synchronized Content load() throws IOException {
        var stat = disk.stat(layout.index());
        if (content != null && (stat == null || stat.modifiedNanos() == readAt)) {
            return content;
        }
        var loaded = stat == null || stat.kind() != Disk.Kind.FILE ? Content.EMPTY : parse();
        content = loaded;
        readAt = stat == null ? -1 : stat.modifiedNanos();
        return loaded;
    }

    /// Takes over what a listing found, and writes it. That the file cannot be written hinders nobody.
    synchronized void save(Content changed) {
        content = changed;
        try {
            names.replace(layout.index(), seal(Json.MAPPER.writeValueAsBytes(changed)));
            var stat = disk.stat(layout.index());
            readAt = stat == null ? -1 : stat.modifiedNanos();
        } catch (IOException _) {
            readAt = -1;
        }
    }

    private Content parse() throws IOException {
        var bytes = names.read(layout.index(), SIZE_MAX);
        if (bytes == null) {
            return Content.EMPTY;
        }
        try {
            var content = unseal(bytes);
            var parsed = content == null ? Content.EMPTY : Json.MAPPER.readValue(content, Content.class);
            return parsed.version() == VERSION && complete(parsed) ? parsed : Content.EMPTY;
        } catch (JacksonException | IllegalArgumentException | NullPointerException _) {
            return Content.EMPTY;
        }
    }

    /// `{"crc":"0123abcd","index":…}`: a flipped bit is never taken for a session's title.
    private static byte[] seal(byte[] content) {
        var out = new ByteArrayOutputStream(content.length + HEAD_LENGTH + 1);
        out.writeBytes(head(content, 0, content.length));
        out.writeBytes(content);
        out.write('}');
        return out.toByteArray();
    }

    private static byte @Nullable [] unseal(byte[] bytes) {
        var end = bytes.length - 1;
        return end > HEAD_LENGTH && Arrays.equals(head(bytes, HEAD_LENGTH, end), Arrays.copyOf(bytes, HEAD_LENGTH))
                ? Arrays.copyOfRange(bytes, HEAD_LENGTH, end)
                : null;
    }

    private static byte[] head(byte[] bytes, int from, int to) {
        var checksum = new CRC32C();
        checksum.update(bytes, from, to - from);
        var text = "{\"crc\":\"" + HexFormat.of().toHexDigits((int) checksum.getValue()) + "\",\"index\":";
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static boolean complete(Content parsed) {
        return parsed.sessions().entrySet().stream()
                .allMatch(row -> row.getValue() != null
                        && row.getValue().summary() != null
                        && row.getKey().equals(row.getValue().summary().id())
                        && row.getValue().summary().lastActivityAt() != null
                        && row.getValue().summary().createdAt() != null);
    }

    /// A copy that can be changed.
    static Map<SessionId, Row> rows(Content content) {
        return new HashMap<>(content.sessions());
    }
}
