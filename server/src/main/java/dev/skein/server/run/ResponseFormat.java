package dev.skein.server.run;

import dev.skein.engine.output.Shapes;
import dev.skein.failure.InvalidRequest;
import dev.skein.server.http.Fields;
import dev.skein.server.http.HttpFailure;
import dev.skein.session.OutputShape;
import java.util.Optional;

/// What an answer has to look like, as chat completions say it.
public final class ResponseFormat {

    private static final String FIELD = "response_format";

    private ResponseFormat() {}

    /// Empty if it may look as it will.
    public static Optional<OutputShape> of(Fields body) {
        if (body.optionalObject(FIELD).isEmpty()) {
            return Optional.empty();
        }
        var format = body.object(FIELD);
        var type = format.text("type");
        return switch (type) {
            case "text" -> Optional.empty();
            case "json_object" -> Optional.of(Shapes.anyObject());
            case "json_schema" -> Optional.of(described(format.object("json_schema")));
            default ->
                throw HttpFailure.invalid("field '" + format.path()
                        + "type' must be 'text', 'json_object' or 'json_schema', not '" + type + "'");
        };
    }

    private static OutputShape described(Fields described) {
        var schema = described
                .optionalObject("schema")
                .orElseThrow(() -> HttpFailure.invalid("field '" + described.path() + "schema' is missing"));
        try {
            return Shapes.of(described.optionalText("name").orElse(Shapes.UNNAMED), schema);
        } catch (InvalidRequest e) {
            throw HttpFailure.invalid("field '" + described.path() + "schema': " + e.getMessage());
        }
    }
}
