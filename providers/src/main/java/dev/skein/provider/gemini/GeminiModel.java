package dev.skein.provider.gemini;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.skein.model.ModelRequest;
import dev.skein.model.Sampling;
import dev.skein.provider.catalog.ModelInfo;
import dev.skein.provider.catalog.ModelInfo.Thinking;
import dev.skein.provider.http.Endpoint;
import dev.skein.provider.http.Framing;
import dev.skein.provider.http.StreamingHttp;
import dev.skein.provider.remote.JsonModel;
import dev.skein.session.OutputShape;
import java.net.URLEncoder;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// A model of Google's, over `streamGenerateContent`.
public final class GeminiModel extends JsonModel {

    public static final String PROVIDER = "gemini";
    public static final String DEFAULT_BASE_URL = "https://generativelanguage.googleapis.com/v1beta";

    /// How many tokens a level of thinking may take, for models that want a number.
    private static final Map<String, Integer> BUDGETS =
            Map.of("minimal", 512, "low", 2_048, "medium", 8_192, "high", 24_576);

    public GeminiModel(ModelInfo info, Endpoint endpoint, StreamingHttp http) {
        super(info, endpoint, http, Framing.EVENTS);
    }

    @Override
    protected String format() {
        return "gemini-generate-content";
    }

    @Override
    protected String path() {
        var model = URLEncoder.encode(info().name().model(), UTF_8)
                .replace("+", "%20")
                .replace("%2F", "/");
        return "/models/" + model + ":streamGenerateContent?alt=sse";
    }

    @Override
    protected Map<String, String> headers() {
        var key = endpoint().key().reveal();
        return key.isBlank() ? Map.of() : Map.of("x-goog-api-key", key);
    }

    @Override
    protected Listener listener() {
        return new GeminiListener();
    }

    /// Most models refuse to do so beside tools.
    @Override
    public boolean holds(OutputShape shape, boolean withTools) {
        return !withTools;
    }

    @Override
    protected ObjectNode body(ModelRequest request) {
        var body = object();
        new GeminiContents(info().name().model()).write(request, body);
        if (!request.tools().isEmpty()) {
            var declarations = body.putArray("tools").addObject().putArray("functionDeclarations");
            request.tools()
                    .forEach(tool -> declarations
                            .addObject()
                            .put("name", tool.name())
                            .put("description", tool.description())
                            .set("parametersJsonSchema", tool.parameters()));
        }
        var settings = settings(request.sampling());
        if (request.shape() != null) {
            settings.put("responseMimeType", "application/json")
                    .set("responseJsonSchema", request.shape().schema());
        }
        if (!settings.isEmpty()) {
            body.set("generationConfig", settings);
        }
        return body;
    }

    private ObjectNode settings(Sampling sampling) {
        var settings = object();
        if (sampling.temperature() != null) {
            settings.put("temperature", sampling.temperature());
        }
        if (sampling.topP() != null) {
            settings.put("topP", sampling.topP());
        }
        if (sampling.tokensMax() != null) {
            settings.put("maxOutputTokens", sampling.tokensMax());
        }
        if (thinks(sampling)) {
            think(sampling, settings.putObject("thinkingConfig").put("includeThoughts", true));
        }
        return settings;
    }

    private void think(Sampling sampling, ObjectNode config) {
        var level = String.valueOf(sampling.thinkingLevel());
        var budget = BUDGETS.get(level);
        var isUnknown = info().thinking() == Thinking.UNKNOWN;
        var wantsNumber = info().thinking() == Thinking.BUDGET
                || (isUnknown && info().name().model().startsWith("gemini-2"));
        if (!wantsNumber) {
            config.put("thinkingLevel", level);
        } else if (budget != null) {
            config.put("thinkingBudget", budget);
        }
    }
}
