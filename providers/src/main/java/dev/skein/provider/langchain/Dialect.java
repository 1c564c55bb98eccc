package dev.skein.provider.langchain;

import dev.langchain4j.model.chat.response.ChatResponse;
import dev.skein.message.Usage;
import dev.skein.provider.remote.ProviderSaid;
import dev.skein.provider.remote.Speech;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// What differs between providers beyond what LangChain4j hides.
public interface Dialect {

    /// Hears an event of the stream that LangChain4j made nothing of, as the provider sent it.
    ///
    /// @throws ProviderSaid if the event is a failure
    void hear(JsonNode event, Speech speech);

    /// A failure as LangChain4j tells it, in words that say whether trying again may help.
    default Throwable explained(Throwable failure) {
        return failure;
    }

    /// The tokens used, in our way of counting.
    Usage usage(ChatResponse response);

    /// A count that nobody may have given.
    static long count(@Nullable Integer tokens) {
        return tokens == null ? 0 : Math.max(0, tokens);
    }
}
