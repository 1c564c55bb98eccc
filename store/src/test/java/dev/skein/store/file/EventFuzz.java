package dev.skein.store.file;

import dev.skein.wire.EventCodec;
import dev.skein.wire.EventCodec.Decoded;
import java.util.Arrays;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/// An event on the wire, for `bin/fuzz event`: whatever was read is written, and what was written reads the same for
/// ever. (An object without a type is given an empty one when it is first written. One that has a name twice is kept,
/// and may mean something else when it is written again with the last one only; nobody writes such a thing.)
public final class EventFuzz {

    private static final JsonMapper ONCE = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .build();

    private EventFuzz() {}

    public static void fuzzerTestOneInput(byte[] json) {
        Decoded first;
        try {
            first = decode(json);
        } catch (JacksonException _) {
            return;
        }
        var written = encode(first);
        if (hasNamesTwice(json)) {
            return;
        }
        var second = decode(written);
        var again = encode(second);
        if (!EventCodec.typeOf(second.event()).equals(EventCodec.typeOf(first.event()))
                || !Arrays.equals(written, again)
                || !decode(again).event().equals(second.event())) {
            throw new IllegalStateException("read " + first.event() + ", written and read " + second.event());
        }
    }

    private static boolean hasNamesTwice(byte[] json) {
        try {
            ONCE.readTree(json);
            return false;
        } catch (JacksonException _) {
            return true;
        }
    }

    private static Decoded decode(byte[] json) {
        return EventCodec.decode(json, 0, json.length);
    }

    private static byte[] encode(Decoded decoded) {
        return EventCodec.encode(decoded.event(), decoded.raw());
    }
}
