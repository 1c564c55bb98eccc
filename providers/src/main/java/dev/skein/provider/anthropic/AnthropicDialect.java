package dev.skein.provider.anthropic;

import dev.langchain4j.model.anthropic.AnthropicTokenUsage;
import dev.langchain4j.model.anthropic.internal.api.AnthropicStreamingException;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.TokenUsage;
import dev.skein.message.Usage;
import dev.skein.model.ModelReply.StopReason;
import dev.skein.provider.langchain.Dialect;
import dev.skein.provider.remote.ProviderSaid;
import dev.skein.provider.remote.Speech;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/// What LangChain4j passes over in a stream of messages: where a block begins and ends, signatures, hidden thoughts,
/// unusual reasons to stop.
final class AnthropicDialect implements Dialect {

    private static final Set<String> TRANSIENT =
            Set.of("overloaded_error", "api_error", "rate_limit_error", "timeout_error");

    @Override
    public void hear(JsonNode event, Speech speech) {
        switch (event.path("type").asString("")) {
            case "content_block_start" -> begin(event.path("content_block"), speech);
            case "content_block_delta" -> sign(event.path("delta").path("signature"), speech);
            case "content_block_stop" -> speech.endPart();
            case "message_delta" -> stop(event.path("delta").path("stop_reason").asString(""), speech);
            default -> {}
        }
    }

    @Override
    public Throwable explained(Throwable failure) {
        return failure instanceof AnthropicStreamingException said
                ? new ProviderSaid(
                        said.type() + ": " + said.getMessage(), TRANSIENT.contains(String.valueOf(said.type())))
                : failure;
    }

    private static void begin(JsonNode block, Speech speech) {
        speech.endPart();
        if (block.path("type").asString("").equals("redacted_thinking")) {
            speech.thinkSecretly(block.path("data").asString(""));
        }
        sign(block.path("signature"), speech);
    }

    private static void sign(JsonNode signature, Speech speech) {
        if (!signature.asString("").isEmpty()) {
            speech.sign(signature.asString());
        }
    }

    private static void stop(String reason, Speech speech) {
        switch (reason) {
            case "refusal" -> speech.stop(StopReason.FILTERED);
            case "model_context_window_exceeded" -> speech.stop(StopReason.LENGTH);
            default -> {}
        }
    }

    /// Anthropic's input leaves out what was read from the cache or written to it; ours includes both. How many of the
    /// output tokens were thoughts is lost on the way: LangChain4j does not read it.
    @Override
    public Usage usage(ChatResponse response) {
        return switch (response.tokenUsage()) {
            case null -> Usage.NONE;
            case AnthropicTokenUsage usage -> {
                var read = Dialect.count(usage.cacheReadInputTokens());
                var written = Dialect.count(usage.cacheCreationInputTokens());
                yield new Usage(
                        Dialect.count(usage.inputTokenCount()) + read + written,
                        Dialect.count(usage.outputTokenCount()),
                        read,
                        written,
                        0);
            }
            case TokenUsage usage ->
                Usage.of(Dialect.count(usage.inputTokenCount()), Dialect.count(usage.outputTokenCount()));
        };
    }
}
