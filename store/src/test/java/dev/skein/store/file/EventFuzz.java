package dev.skein.store.file;

import dev.skein.wire.EventCodec;
import dev.skein.wire.EventCodec.Decoded;
import java.util.Arrays;
import tools.jackson.core.JacksonException;

/// An event on the wire, for `bin/fuzz event`: whatever was read is written, and what was written reads the same for
/// ever. (An object without a type is given an empty one when it is first written.)
public final class EventFuzz {

    private EventFuzz() {}

    public static void fuzzerTestOneInput(byte[] json) {
        Decoded first;
        try {
            first = decode(json);
        } catch (JacksonException _) {
            return;
        }
        var written = encode(first);
        var second = decode(written);
        var again = encode(second);
        if (!EventCodec.typeOf(second.event()).equals(EventCodec.typeOf(first.event()))
                || !Arrays.equals(written, again)
                || !decode(again).event().equals(second.event())) {
            throw new IllegalStateException("read " + first.event() + ", written and read " + second.event());
        }
    }

    private static Decoded decode(byte[] json) {
        return EventCodec.decode(json, 0, json.length);
    }

    private static byte[] encode(Decoded decoded) {
        return EventCodec.encode(decoded.event(), decoded.raw());
    }
}
