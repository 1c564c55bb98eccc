package dev.skein.store.file;

import dev.skein.store.SessionSummary;
import dev.skein.store.query.SummaryReader;
import dev.skein.wire.Json;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/// A session in the index: what gives it its place in a listing, and its summary, which is read when it is shown.
///
/// True while the journal has this size. `channel` if the session belongs to a chat; `name` is the file in `by-name`
/// that
/// finds it.
final class IndexRow {

    private final String id;
    private final long size;
    private final boolean channel;
    private final Instant active;
    private final @Nullable String name;
    private final byte[] summary;

    private IndexRow(String id, long size, boolean channel, Instant active, @Nullable String name, byte[] summary) {
        this.id = id;
        this.size = size;
        this.channel = channel;
        this.active = active;
        this.name = name;
        this.summary = summary;
    }

    static IndexRow of(String id, long size, boolean channel, SessionSummary summary) {
        return new IndexRow(id, size, channel, summary.lastActivityAt(), null, Json.MAPPER.writeValueAsBytes(summary));
    }

    /// The same under another name.
    IndexRow named(@Nullable String newName) {
        return new IndexRow(id, size, channel, active, newName, summary);
    }

    String id() {
        return id;
    }

    long size() {
        return size;
    }

    boolean channel() {
        return channel;
    }

    Instant active() {
        return active;
    }

    @Nullable
    String name() {
        return name;
    }

    /// What a listing says, or null if whoever wrote it knew another shape.
    @Nullable
    SessionSummary summary() {
        try {
            var known = SummaryReader.read(summary);
            var read = known == null ? Json.MAPPER.readValue(summary, SessionSummary.class) : known;
            return read.id() != null && read.id().toString().equals(id) && active.equals(read.lastActivityAt())
                    ? read
                    : null;
        } catch (JacksonException | IllegalArgumentException | NullPointerException _) {
            return null;
        }
    }

    /// Always the same fields in the same order, with the length of the summary before it: so a reader takes the few
    /// bytes it
    /// needs and goes on to the next line.
    void write(ByteArrayOutputStream out) {
        var head = "{\"id\":\""
                + id
                + "\",\"size\":"
                + size
                + ",\"channel\":"
                + (channel ? 1 : 0)
                + ",\"seconds\":"
                + active.getEpochSecond()
                + ",\"nanos\":"
                + active.getNano()
                + ",\"name\":\""
                + (name == null ? "" : name)
                + "\",\"length\":"
                + summary.length
                + ",\"summary\":";
        out.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
        out.writeBytes(summary);
        out.write('}');
    }

    /// Reads what [#write] wrote.
    ///
    /// @throws IllegalArgumentException if this is something else
    static IndexRow read(Bytes from) {
        var id = from.skip("{\"id\":\"").until('"');
        var size = from.skip("\",\"size\":").number();
        var channel = from.skip(",\"channel\":").number() == 1;
        var seconds = from.skip(",\"seconds\":").number();
        var nanos = from.skip(",\"nanos\":").number();
        var name = from.skip(",\"name\":\"").until('"');
        var length = from.skip("\",\"length\":").number();
        var summary = from.skip(",\"summary\":").take(length);
        from.skip("}");
        return new IndexRow(
                id, size, channel, Instant.ofEpochSecond(seconds, nanos), name.isEmpty() ? null : name, summary);
    }

    /// Text of ASCII, read from front to back.
    static final class Bytes {
        private final byte[] all;
        private int at;

        Bytes(byte[] all) {
            this.all = all;
        }

        boolean isAt(String text) {
            return at + text.length() <= all.length
                    && text.equals(new String(all, at, text.length(), StandardCharsets.ISO_8859_1));
        }

        Bytes skip(String text) {
            if (!isAt(text)) {
                throw new IllegalArgumentException("no " + text + " at " + at);
            }
            at += text.length();
            return this;
        }

        String until(char end) {
            var from = at;
            while (at < all.length && all[at] != end) {
                at++;
            }
            return new String(all, from, at - from, StandardCharsets.ISO_8859_1);
        }

        long number() {
            var from = at;
            while (at < all.length && (all[at] == '-' || (all[at] >= '0' && all[at] <= '9'))) {
                at++;
            }
            return Long.parseLong(new String(all, from, at - from, StandardCharsets.ISO_8859_1));
        }

        byte[] take(long length) {
            if (length < 0 || length > all.length - at) {
                throw new IllegalArgumentException("not as long: " + length);
            }
            at += (int) length;
            return Arrays.copyOfRange(all, at - (int) length, at);
        }
    }
}
