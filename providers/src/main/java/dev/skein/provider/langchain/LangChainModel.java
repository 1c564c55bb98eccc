package dev.skein.provider.langchain;

import dev.langchain4j.http.client.sse.ServerSentEvent;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.output.FinishReason;
import dev.skein.message.Usage;
import dev.skein.model.ModelReply.StopReason;
import dev.skein.model.ModelRequest;
import dev.skein.provider.catalog.ModelInfo;
import dev.skein.provider.http.Endpoint;
import dev.skein.provider.http.HttpCall;
import dev.skein.provider.remote.ProviderSaid;
import dev.skein.provider.remote.RemoteModel;
import dev.skein.provider.remote.Speech;
import dev.skein.provider.remote.TalkFailed;
import dev.skein.wire.Json;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/// A model whose format LangChain4j writes and reads.
///
/// LangChain4j tells of an error and may go on as if nothing had been; it swallows what a callback throws. Here the
/// first thing that goes wrong ends the call: the line is hung up, nothing more is heard, and the caller gets it.
public abstract class LangChainModel extends RemoteModel {

    private final Dialect dialect;

    protected LangChainModel(ModelInfo info, Endpoint endpoint, Dialect dialect) {
        super(info, endpoint);
        this.dialect = dialect;
    }

    /// The request in LangChain4j's words.
    protected abstract ChatRequest chatRequest(ModelRequest request);

    /// Who sends it.
    protected abstract StreamingChatModel chat(ModelRequest request);

    @Override
    protected final Ended talk(ModelRequest request, Speech speech) {
        var chatRequest = worded(() -> chatRequest(request));
        var chat = chat(request);
        var ear = new Ear(HttpCall.CURRENT.get(), speech, dialect);
        try {
            chat.chat(chatRequest, ear);
        } catch (RuntimeException e) {
            ear.onError(e);
        }
        ear.rethrow();
        return ear.response == null
                ? new Ended(null, Usage.NONE)
                : new Ended(stopReason(ear.response.finishReason(), speech), dialect.usage(ear.response));
    }

    /// Null if the provider never said why: then it was cut off.
    private static @Nullable StopReason stopReason(@Nullable FinishReason finish, Speech speech) {
        if (speech.stopReason() != null) {
            return speech.stopReason();
        }
        return switch (finish) {
            case null -> null;
            case STOP, TOOL_EXECUTION, OTHER -> StopReason.STOP;
            case LENGTH -> StopReason.LENGTH;
            case CONTENT_FILTER -> StopReason.FILTERED;
        };
    }

    /// Listens to LangChain4j until the first failure.
    private static final class Ear implements StreamingChatResponseHandler {

        private final HttpCall call;
        private final Speech speech;
        private final Dialect dialect;

        private @Nullable ChatResponse response;
        private @Nullable Throwable failure;
        /// What the caller's own consumer threw, or a cancellation.
        private @Nullable Throwable thrown;

        Ear(HttpCall call, Speech speech, Dialect dialect) {
            this.call = call;
            this.speech = speech;
            this.dialect = dialect;
        }

        @Override
        public void onPartialResponse(String text) {
            hear(() -> speech.say(text));
        }

        @Override
        public void onPartialThinking(PartialThinking thought) {
            hear(() -> speech.think(thought.text()));
        }

        @Override
        public void onPartialToolCall(PartialToolCall partial) {
            hear(() -> speech.spellArguments(partial.id(), partial.name(), partial.partialArguments()));
        }

        @Override
        public void onCompleteToolCall(CompleteToolCall complete) {
            var request = complete.toolExecutionRequest();
            hear(() -> speech.call(request.id(), request.name(), request.arguments()));
        }

        @Override
        public void onUnmappedRawEvent(Object event) {
            if (event instanceof ServerSentEvent raw) {
                try {
                    var json = Json.MAPPER.readTree(raw.data());
                    hear(() -> dialect.hear(json, speech));
                } catch (JacksonException e) {
                    onError(e);
                }
            }
        }

        @Override
        public void onCompleteResponse(ChatResponse complete) {
            hear(() -> response = complete);
        }

        @Override
        public void onError(Throwable error) {
            if (failure == null && thrown == null) {
                failure = error;
                call.hangUp();
            }
        }

        private void hear(Runnable what) {
            if (failure != null || thrown != null) {
                return;
            }
            try {
                what.run();
            } catch (ProviderSaid e) {
                onError(e);
            } catch (RuntimeException | Error e) {
                thrown = e;
                call.hangUp();
            }
        }

        private void rethrow() {
            switch (thrown) {
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                case null, default -> {}
            }
            if (failure != null) {
                throw new TalkFailed(dialect.explained(failure));
            }
        }
    }
}
