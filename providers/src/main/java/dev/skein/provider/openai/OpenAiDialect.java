package dev.skein.provider.openai;

import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.openai.OpenAiTokenUsage;
import dev.langchain4j.model.output.TokenUsage;
import dev.skein.message.Usage;
import dev.skein.model.ModelReply.StopReason;
import dev.skein.provider.langchain.Dialect;
import dev.skein.provider.remote.ProviderSaid;
import dev.skein.provider.remote.Speech;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// What LangChain4j passes over in a stream of chat completions: refusals, unusual reasons to stop, errors.
final class OpenAiDialect implements Dialect {

    /// The reasons to stop that LangChain4j knows.
    private static final Set<String> KNOWN = Set.of("stop", "length", "tool_calls", "function_call", "content_filter");

    private static final Set<String> PERMANENT =
            Set.of("invalid_request_error", "authentication_error", "permission_error", "insufficient_quota");

    @Override
    public void hear(JsonNode event, Speech speech) {
        if (event.path("error").isObject()) {
            var error = event.path("error");
            var type = error.path("type").asString("");
            throw new ProviderSaid(error.path("message").asString(type), !PERMANENT.contains(type));
        }
        var choice = event.path("choices").path(0);
        var refusal = choice.path("delta").path("refusal").asString("");
        if (!refusal.isEmpty()) {
            speech.say(refusal);
            speech.stop(StopReason.FILTERED);
        }
        var reason = choice.path("finish_reason").asString("");
        if (!reason.isEmpty() && !KNOWN.contains(reason)) {
            speech.stop(StopReason.STOP);
        }
    }

    /// OpenAI's input already includes what was cached, and its output what was reasoned. Writing to the cache is not
    /// counted, as it is free.
    @Override
    public Usage usage(ChatResponse response) {
        return switch (response.tokenUsage()) {
            case null -> Usage.NONE;
            case OpenAiTokenUsage usage -> {
                var input = usage.inputTokensDetails();
                var output = usage.outputTokensDetails();
                yield new Usage(
                        Dialect.count(usage.inputTokenCount()),
                        Dialect.count(usage.outputTokenCount()),
                        input == null ? 0 : Dialect.count(input.cachedTokens()),
                        0,
                        output == null ? 0 : Dialect.count(output.reasoningTokens()));
            }
            case TokenUsage usage ->
                Usage.of(Dialect.count(usage.inputTokenCount()), Dialect.count(usage.outputTokenCount()));
        };
    }
}
