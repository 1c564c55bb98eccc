package dev.skein.store.file;

import dev.skein.wire.EventCodec;
import java.util.Arrays;
import java.util.zip.CRC32C;
import tools.jackson.core.JacksonException;

/// A line of a journal, for `bin/fuzz journal`: what is not whole and true is refused, and what is accepted is exactly
/// what stands there.
public final class JournalFuzz {

    private static final int SUFFIX = ",\"crc\":\"00000000\"}".length();

    private JournalFuzz() {}

    public static void fuzzerTestOneInput(byte[] line) {
        check(line, 0);
        check(signed(line), line.length % 7);
    }

    private static void check(byte[] line, int shift) {
        var framed = new byte[line.length + shift];
        System.arraycopy(line, 0, framed, shift, line.length);
        var frame = Frame.parse(framed, shift, framed.length);
        if (frame == null) {
            return;
        }
        if (frame.seq() < 1 || frame.nth() >= frame.seq() || frame.more() < 0 || frame.start() < 1) {
            throw new IllegalStateException("accepted " + frame);
        }
        var own = frame.withOwnBytes();
        if (!Arrays.equals(own.event(), frame.event()) || own.crc() != frame.crc()) {
            throw new IllegalStateException("another record in bytes of its own");
        }
        try {
            var entry = frame.entry();
            EventCodec.encode(entry.event(), entry.raw());
        } catch (JacksonException _) {
            // True, but no event.
        }
    }

    /// With the checksum that belongs to it: nonsense that somebody signed.
    private static byte[] signed(byte[] line) {
        var body = line.length > SUFFIX ? Arrays.copyOf(line, line.length - SUFFIX) : line;
        var checksum = new CRC32C();
        checksum.update(body);
        var suffix = ",\"crc\":\"%08x\"}"
                .formatted(checksum.getValue())
                .getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        var all = Arrays.copyOf(body, body.length + suffix.length);
        System.arraycopy(suffix, 0, all, body.length, suffix.length);
        return all;
    }
}
