package dev.skein.server.http;

import dev.skein.wire.Json;

/// A body that a stranger sent, for `bin/fuzz body`: it is an object that can be kept, or refused as the stranger's
/// mistake.
public final class BodyFuzz {

    private BodyFuzz() {}

    public static void fuzzerTestOneInput(byte[] body) {
        try {
            var object = JsonBody.read(body);
            var again = Json.MAPPER.readTree(Json.MAPPER.writeValueAsBytes(object));
            if (!again.isObject() || again.size() != object.size()) {
                throw new IllegalStateException("read " + object + ", written and read " + again);
            }
        } catch (HttpFailure e) {
            if (Problem.of(e, "r").status() != 400) {
                throw new IllegalStateException("not the caller's mistake", e);
            }
        }
    }
}
