package dev.skein.exchange.imports;

import dev.skein.session.SessionEvent;
import dev.skein.wire.Json;
import java.time.Instant;
import tools.jackson.databind.JsonNode;

/// Something of another tool without a word of its own here, kept as it was.
final class Kept {

    private Kept() {}

    /// `type` names the tool and what the tool called it.
    static SessionEvent event(Instant at, String type, JsonNode original) {
        var body = Json.MAPPER.createObjectNode().put("type", type).put("at", at.toString());
        body.set("original", original);
        return new SessionEvent.Opaque(at, type, body);
    }
}
