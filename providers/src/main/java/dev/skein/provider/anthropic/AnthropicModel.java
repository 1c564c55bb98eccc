package dev.skein.provider.anthropic;

import static java.util.Objects.requireNonNullElse;

import dev.langchain4j.model.anthropic.AnthropicStreamingChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.skein.model.ModelRequest;
import dev.skein.model.Sampling;
import dev.skein.provider.catalog.ModelInfo;
import dev.skein.provider.http.Endpoint;
import dev.skein.provider.http.StreamingHttp;
import dev.skein.provider.langchain.ChatMessages;
import dev.skein.provider.langchain.LangChainModel;
import dev.skein.provider.langchain.Plain;
import dev.skein.provider.langchain.ToolSpecifications;
import dev.skein.provider.remote.StrictSchema;
import dev.skein.session.OutputShape;
import java.util.Map;
import java.util.regex.Pattern;

/// A model of Anthropic's. System text and tools are marked for the provider's cache, as they open every request.
public final class AnthropicModel extends LangChainModel {

    public static final String PROVIDER = "anthropic";
    public static final String DEFAULT_BASE_URL = "https://api.anthropic.com/v1";

    /// Anthropic wants a limit, so there is one.
    private static final int TOKENS_MAX_DEFAULT = 8_192;

    /// How many tokens a level of thinking may take. The smallest is Anthropic's own minimum.
    private static final Map<String, Integer> BUDGETS =
            Map.of("minimal", 1_024, "low", 4_096, "medium", 10_000, "high", 24_000);

    /// The models that hold answers to a shape: from 4.5 on.
    private static final Pattern SHAPING = Pattern.compile("claude-[a-z]+-(4-[5-9]|[5-9])(?![0-9])");

    private final StreamingHttp http;

    public AnthropicModel(ModelInfo info, Endpoint endpoint, StreamingHttp http) {
        super(info, endpoint, new AnthropicDialect());
        this.http = http;
    }

    @Override
    protected String format() {
        return "anthropic-messages";
    }

    @Override
    protected boolean thinks(Sampling sampling) {
        return budget(sampling) > 0;
    }

    @Override
    protected ChatRequest chatRequest(ModelRequest request) {
        return ChatRequest.builder()
                .messages(ChatMessages.of(request, SaidBefore::in, ChatMessages.ResultImages.INSIDE))
                .parameters(ChatRequestParameters.builder()
                        .toolSpecifications(ToolSpecifications.of(request.tools()))
                        .build())
                .build();
    }

    /// Only newer models, and only schemas that promise what Anthropic wants promised.
    @Override
    public boolean holds(OutputShape shape, boolean withTools) {
        return SHAPING.matcher(info().name().model()).find() && StrictSchema.is(shape.schema());
    }

    /// LangChain4j's model is little more than these settings, so each call has its own.
    @Override
    protected StreamingChatModel chat(ModelRequest request) {
        var sampling = request.sampling();
        var budget = budget(sampling);
        var limit = requireNonNullElse(sampling.tokensMax(), tokensMaxDefault());
        var settings = AnthropicStreamingChatModel.builder()
                .httpClientBuilder(http.asBuilder())
                .baseUrl(endpoint().baseUrl().toString())
                .apiKey(endpoint().key().reveal())
                .modelName(info().name().model())
                .maxTokens(limit)
                .cacheSystemMessages(true)
                .cacheTools(true)
                .returnThinking(true)
                .sendThinking(true);
        if (request.shape() != null) {
            var format = Map.of(
                    "type", "json_schema", "schema", Plain.of(request.shape().schema()));
            settings.customParameters(Map.of("output_config", Map.of("format", format)));
        }
        if (budget == 0) {
            return settings.temperature(sampling.temperature())
                    .topP(sampling.topP())
                    .build();
        }
        // A model that thinks takes no temperature, and its thoughts count against the limit.
        return settings.thinkingType("enabled")
                .thinkingBudgetTokens(budget)
                .maxTokens(budget + limit)
                .build();
    }

    private int tokensMaxDefault() {
        return Math.min(TOKENS_MAX_DEFAULT, requireNonNullElse(info().outputMax(), TOKENS_MAX_DEFAULT));
    }

    private int budget(Sampling sampling) {
        return sampling.thinkingLevel() == null || info().thinking() == ModelInfo.Thinking.NONE
                ? 0
                : BUDGETS.getOrDefault(sampling.thinkingLevel(), 0);
    }
}
