package dev.skein.server.stream;

import dev.skein.testkit.http.EventReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// The encoder of events, for `bin/fuzz sse`: whatever is in the fields, one event is heard, with the data that was
/// told, but for ends of lines and zeros.
public final class SseFuzz {

    private SseFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        var text = new String(input, StandardCharsets.UTF_8);
        var half = text.length() / 4;
        var name = text.substring(0, half);
        var data = text.substring(half);
        byte[] bytes;
        try {
            bytes = Sse.event(name.isEmpty() ? "x" : name, "1", data);
        } catch (IllegalArgumentException _) {
            if (name.indexOf('\n') < 0 && name.indexOf('\r') < 0 && name.indexOf('\0') < 0) {
                throw new IllegalStateException("a name of one line was refused: " + name);
            }
            return;
        }
        try {
            var reader = new EventReader(new ByteArrayInputStream(bytes));
            var heard = reader.next();
            var expected = String.join("", data.replace("\0", "").lines().toList());
            if (heard == null || !heard.data().equals(encodable(expected)) || reader.next() != null) {
                throw new IllegalStateException("told " + data + ", heard " + heard);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String encodable(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }
}
