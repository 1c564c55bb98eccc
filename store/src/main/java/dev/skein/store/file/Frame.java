package dev.skein.store.file;

import dev.skein.session.Entry;
import dev.skein.session.SessionEvent;
import dev.skein.wire.EventBuffer;
import dev.skein.wire.EventCodec;
import dev.skein.wire.Json;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/// One record of a journal: a line of JSON whose first fields place it and whose last field proves it.
///
/// `{"seq":12,"prev":"9a0b1c2d","more":1,"nth":1,"key":"k","type":…,"crc":"deadbeef"}`. `prev` is the `crc` of
/// the record before. `more` and `nth` count the records that follow and precede in the same append and are left out
/// when there are none: an append is whole once its first and last record and all between are there. `crc` is the
/// CRC-32C of every byte before its comma.
@SuppressWarnings("ArrayRecordComponent") // a window into a buffer, never compared
record Frame(
        byte[] bytes,
        int from,
        int to,
        long seq,
        int prev,
        int more,
        int nth,
        @Nullable String key,
        int crc,
        int body) {

    /// Bytes of one record at most.
    static final int LENGTH_MAX = 96 * 1024 * 1024;

    /// What the first record of a session follows.
    static final int NO_CRC = 0;

    private static final byte[] SEQ = ascii("{\"seq\":");
    private static final byte[] PREV = ascii(",\"prev\":\"");
    private static final byte[] MORE = ascii(",\"more\":");
    private static final byte[] NTH = ascii(",\"nth\":");
    private static final byte[] KEY = ascii(",\"key\":");
    private static final byte[] CRC = ascii(",\"crc\":\"");
    private static final int SUFFIX_LENGTH = CRC.length + 8 + 2;
    private static final HexFormat HEX = HexFormat.of();

    /// Writes one record with its line break, and returns its checksum.
    static int write(EventBuffer out, long seq, int prev, int more, int nth, @Nullable String key, SessionEvent event) {
        var from = head(out, seq, prev, more, nth, key);
        out.writeFields(event);
        return end(out, from);
    }

    /// The same, with an event that is JSON already.
    static int write(EventBuffer out, long seq, int prev, int more, int nth, @Nullable String key, byte[] event) {
        var from = head(out, seq, prev, more, nth, key);
        out.write(',');
        out.write(event, 1, event.length - 2);
        return end(out, from);
    }

    private static int head(EventBuffer out, long seq, int prev, int more, int nth, @Nullable String key) {
        var from = out.size();
        var head = new StringBuilder(96)
                .append("{\"seq\":")
                .append(seq)
                .append(",\"prev\":\"")
                .append(HEX.toHexDigits(prev))
                .append('"');
        if (more > 0) {
            head.append(",\"more\":").append(more);
        }
        if (nth > 0) {
            head.append(",\"nth\":").append(nth);
        }
        if (key != null) {
            head.append(",\"key\":").append(Json.MAPPER.writeValueAsString(key));
        }
        out.writeBytes(head.toString().getBytes(StandardCharsets.UTF_8));
        return from;
    }

    private static int end(EventBuffer out, int from) {
        var checksum = new CRC32C();
        out.check(checksum, from);
        var crc = (int) checksum.getValue();
        out.writeBytes(CRC);
        out.writeBytes(ascii(HEX.toHexDigits(crc)));
        out.writeBytes(END);
        return crc;
    }

    private static final byte[] END = ascii("\"}\n");

    /// The record in `bytes[from, to)`, without its line break; null if it is not a whole and true one.
    static @Nullable Frame parse(byte[] bytes, int from, int to) {
        var suffix = to - SUFFIX_LENGTH;
        if (suffix <= from || !matches(bytes, suffix, CRC) || bytes[to - 2] != '"' || bytes[to - 1] != '}') {
            return null;
        }
        var cursor = new Cursor(bytes, from, suffix);
        if (!cursor.skip(SEQ)) {
            return null;
        }
        var seq = cursor.number();
        if (seq < 1 || !cursor.skip(PREV)) {
            return null;
        }
        var prev = cursor.hex();
        if (prev < 0 || !cursor.skip(QUOTE)) {
            return null;
        }
        var more = cursor.skip(MORE) ? cursor.number() : 0;
        var nth = cursor.skip(NTH) ? cursor.number() : 0;
        var key = cursor.skip(KEY) ? cursor.string() : "";
        var stated = new Cursor(bytes, suffix + CRC.length, to).hex();
        if (more < 0 || more > Integer.MAX_VALUE || nth < 0 || nth >= seq || nth > Integer.MAX_VALUE) {
            return null;
        }
        if (key == null || stated < 0 || cursor.at >= suffix) {
            return null;
        }
        var checksum = new CRC32C();
        checksum.update(bytes, from, suffix - from);
        if (checksum.getValue() != stated || bytes[cursor.at] != ',') {
            return null;
        }
        return new Frame(
                bytes,
                from,
                to,
                seq,
                (int) prev,
                (int) more,
                (int) nth,
                key.isEmpty() ? null : key,
                (int) stated,
                cursor.at);
    }

    /// The sequence number of the first record of the append that this one is part of.
    long start() {
        return seq - nth;
    }

    /// The event in this record as a JSON object, byte for byte as it was written.
    byte[] event() {
        var json = Arrays.copyOfRange(bytes, body, to - SUFFIX_LENGTH + 1);
        json[0] = '{';
        json[json.length - 1] = '}';
        return json;
    }

    /// The same record in bytes that nobody else has.
    Frame withOwnBytes() {
        if (from == 0 && to == bytes.length) {
            return this;
        }
        var own = Arrays.copyOfRange(bytes, from, to);
        return new Frame(own, 0, own.length, seq, prev, more, nth, key, crc, body - from);
    }

    /// The event in this record.
    ///
    /// @throws JacksonException if the record is true but holds no event, which no Skein writes
    Entry entry() {
        var json = event();
        var decoded = EventCodec.decode(json, 0, json.length);
        return new Entry(seq, decoded.event(), key, decoded.raw());
    }

    static byte[] encode(SessionEvent event) {
        return EventCodec.encode(event, null);
    }

    private static boolean matches(byte[] bytes, int at, byte[] text) {
        return at + text.length <= bytes.length && Arrays.equals(bytes, at, at + text.length, text, 0, text.length);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static final byte[] QUOTE = ascii("\"");

    /// Goes through the fields that place a record, without allocating for them.
    private static final class Cursor {
        private final byte[] bytes;
        private final int end;
        private int at;

        Cursor(byte[] bytes, int from, int end) {
            this.bytes = bytes;
            this.at = from;
            this.end = end;
        }

        boolean skip(byte[] text) {
            if (at + text.length > end || !matches(bytes, at, text)) {
                return false;
            }
            at += text.length;
            return true;
        }

        /// The number here, or -1.
        long number() {
            var start = at;
            var value = 0L;
            while (at < end && at - start < 18 && bytes[at] >= '0' && bytes[at] <= '9') {
                value = value * 10 + (bytes[at++] - '0');
            }
            return at == start ? -1 : value;
        }

        /// The eight hexadecimal digits here as an unsigned number, or -1.
        long hex() {
            if (at + 8 > end) {
                return -1;
            }
            var value = 0L;
            for (int i = 0; i < 8; i++) {
                var digit = bytes[at + i];
                if (!HexFormat.isHexDigit(digit) || (digit >= 'A' && digit <= 'F')) {
                    return -1;
                }
                value = (value << 4) | HexFormat.fromHexDigit(digit);
            }
            at += 8;
            return value;
        }

        /// The JSON string here, or null.
        @Nullable
        String string() {
            var start = at;
            for (int i = start + 1; i < end; i++) {
                if (bytes[i] == '\\') {
                    i++;
                } else if (bytes[i] == '"') {
                    at = i + 1;
                    return read(start, at);
                }
            }
            return null;
        }

        private @Nullable String read(int from, int to) {
            try {
                return Json.MAPPER.readValue(bytes, from, to - from, String.class);
            } catch (JacksonException _) {
                return null;
            }
        }
    }
}
