package dev.skein.server.run;

import dev.skein.engine.Overrides;
import dev.skein.message.Part;
import dev.skein.model.ModelName;
import dev.skein.server.http.Exchange;
import dev.skein.server.http.Fields;
import dev.skein.server.http.HttpFailure;
import dev.skein.server.session.AgentRoutes;
import dev.skein.server.stream.Telling;
import dev.skein.session.OwnNames;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// How a request wants its run: with what, and how it is answered.
///
/// @param stream whether as a stream of events
/// @param telling how a stream tells it
/// @param goesOn whether the run goes on when the client goes away
public record Completion(
        Overrides overrides, boolean stream, boolean goesOn, Map<String, JsonNode> metadata, Telling telling) {

    private static final int FILES_MAX = 20;
    private static final Map<String, String> PICTURES = Map.of(
            "png", "image/png",
            "jpg", "image/jpeg",
            "jpeg", "image/jpeg",
            "gif", "image/gif",
            "webp", "image/webp");

    public static Completion of(Exchange exchange, Fields body) {
        var metadata = new LinkedHashMap<String, JsonNode>();
        body.optionalObject("metadata").ifPresent(given -> given.forEachEntry(metadata::put));
        OwnNames.OF_LOOPS.refuseIn(metadata.keySet(), "field 'metadata'");
        return new Completion(
                overrides(body),
                body.optionalFlag("stream").orElse(exchange.acceptsEvents()),
                goesOn(body),
                metadata,
                Telling.OWN);
    }

    static Overrides overrides(Fields body) {
        return Overrides.NONE
                .withModel(body.optionalText("model").map(ModelName::parse).orElse(null))
                .withRole(body.optionalText("role").orElse(null))
                .withSystem(body.optionalText("system").orElse(null))
                .withTemperature(body.optionalNumber("temperature", 0, 2).orElse(null))
                .withTools(body.optionalTexts("tools").orElse(null))
                .withRag(body.optionalText("rag").orElse(null))
                .withMcpServers(body.optionalTexts("mcp_servers").orElse(null))
                .withAgent(body.optionalText("agent").orElse(null))
                .withAgentVariables(AgentRoutes.variables(body))
                .withAutoContinue(body.optionalFlag("auto_continue").orElse(null))
                .withShape(ResponseFormat.of(body).orElse(null));
    }

    private static boolean goesOn(Fields body) {
        var wish = body.optionalText("on_disconnect").orElse("cancel");
        return switch (wish) {
            case "cancel" -> false;
            case "continue" -> true;
            default -> throw HttpFailure.invalid("field 'on_disconnect' must be 'cancel' or 'continue'");
        };
    }

    /// What is said: the prompt, and the files that came with it.
    public static List<Part> said(Fields body) {
        var prompt = body.text("prompt");
        if (prompt.isBlank()) {
            throw HttpFailure.invalid("field 'prompt' is empty; say something");
        }
        var files = body.objects("files");
        if (files.size() > FILES_MAX) {
            throw HttpFailure.invalid("field 'files' has more than " + FILES_MAX + " files; send fewer");
        }
        var parts = new ArrayList<Part>();
        parts.add(new Part.Text(prompt));
        files.forEach(file -> parts.add(part(file)));
        return parts;
    }

    /// A server reads no files and fetches no pages for its callers: these might be other people's.
    private static Part part(Fields file) {
        if (file.has("path") || file.has("url")) {
            throw HttpFailure.invalid("field '" + file.path()
                    + "path' or 'url' cannot be used here; send the file itself as {\"name\", \"data\"} in base64");
        }
        var name = file.text("name");
        var bytes = bytes(file);
        var picture = PICTURES.get(name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT));
        return picture == null
                ? new Part.Text("File: " + name + "\n\n" + utf8(file, bytes))
                : new Part.Image(picture, Base64.getEncoder().encodeToString(bytes), null, name);
    }

    private static byte[] bytes(Fields file) {
        try {
            return Base64.getDecoder().decode(file.text("data"));
        } catch (IllegalArgumentException _) {
            throw HttpFailure.invalid("field '" + file.path() + "data' must be base64");
        }
    }

    private static String utf8(Fields file, byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException _) {
            throw HttpFailure.invalid(
                    "field '" + file.path() + "data' is neither text (UTF-8) nor a picture (png, jpeg, gif, webp)");
        }
    }
}
