package dev.skein.server.audit;

import dev.skein.redaction.Redaction;
import dev.skein.wire.Json;
import java.time.Instant;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.node.ObjectNode;

/// One line that no content can break, recolour or forge: everything beyond plain letters is escaped.
final class JsonLine {

    private static final ObjectWriter WRITER = Json.MAPPER.writer().with(JsonWriteFeature.ESCAPE_NON_ASCII);
    private static final int DELETE = 0x7f;

    private JsonLine() {}

    static String of(Instant time, Object what, Redaction redaction) {
        ObjectNode line = Json.MAPPER.createObjectNode();
        line.put("time", time.toString());
        JsonNode fields = Json.MAPPER.valueToTree(what);
        fields.properties().forEach(field -> line.set(field.getKey(), redaction.redact(field.getValue())));
        return of(line);
    }

    static String of(ObjectNode line) {
        var text = WRITER.writeValueAsString(line);
        return (text.indexOf(DELETE) < 0 ? text : text.replace("\u007f", "\\u007f")) + "\n";
    }
}
