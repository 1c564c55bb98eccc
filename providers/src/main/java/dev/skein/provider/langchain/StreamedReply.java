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
import dev.skein.cancellation.Cancellation;
import dev.skein.failure.Cancelled;
import dev.skein.failure.ModelFailed;
import dev.skein.model.ModelReply;
import dev.skein.model.ModelReply.StopReason;
import dev.skein.model.ModelRequest;
import dev.skein.model.ReplyFragment;
import dev.skein.provider.catalog.ModelInfo;
import dev.skein.provider.http.HttpCall;
import dev.skein.wire.Json;
import java.io.IOException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/// One call of a model through LangChain4j, from the request to the last word, in the caller's thread.
///
/// LangChain4j tells of an error and may go on as if nothing had been; it swallows what a callback throws. Here the
/// first thing that goes wrong ends the call: the line is hung up, nothing more is heard, and the caller gets it.
public final class StreamedReply {

    private final ModelInfo model;
    private final Dialect dialect;

    public StreamedReply(ModelInfo model, Dialect dialect) {
        this.model = model;
        this.dialect = dialect;
    }

    /// Makes the call.
    ///
    /// @param worded puts the request into LangChain4j's words
    /// @throws ModelFailed if the provider fails
    /// @throws Cancelled if the cancellation was asked for, or the thread interrupted
    public ModelReply of(
            ModelRequest request,
            Function<ModelRequest, ChatRequest> worded,
            StreamingChatModel chat,
            Consumer<ReplyFragment> fragments,
            Cancellation cancellation) {
        cancellation.check();
        var chatRequest = worded(request, worded);
        var call = new HttpCall();
        var speech =
                new Speech(fragments, cancellation, "call-" + request.messages().size() + "-");
        var ear = new Ear(call, speech, dialect);
        try (var _ = cancellation.onCancel(call::hangUp)) {
            ScopedValue.where(HttpCall.CURRENT, call).run(() -> chat.chat(chatRequest, ear));
        } catch (RuntimeException e) {
            ear.onError(e);
        }
        ear.rethrow();
        cancellation.check();
        if (Thread.currentThread().isInterrupted()) {
            throw new Cancelled("its thread was interrupted");
        }
        if (ear.failure != null) {
            throw Failures.translated(model.name(), dialect.explained(ear.failure));
        }
        return reply(ear.response, speech);
    }

    private ChatRequest worded(ModelRequest request, Function<ModelRequest, ChatRequest> worded) {
        try {
            return worded.apply(request);
        } catch (RuntimeException e) {
            throw Failures.senseless(model.name(), e);
        }
    }

    private ModelReply reply(@Nullable ChatResponse response, Speech speech) {
        var reason = response == null ? null : stopReason(response.finishReason(), speech);
        if (response == null || reason == null) {
            throw Failures.translated(model.name(), new IOException("the stream ended in the middle of the reply"));
        }
        var usage = dialect.usage(response);
        return new ModelReply(speech.parts(), reason, usage, model.costOf(usage));
    }

    /// Null if the provider never said why: then it was cut off.
    private static @Nullable StopReason stopReason(@Nullable FinishReason finish, Speech speech) {
        if (speech.stopReason() != null) {
            return speech.stopReason();
        }
        return switch (finish) {
            case null -> null;
            // Some servers say "stop" after a tool call.
            case STOP, TOOL_EXECUTION, OTHER -> speech.hasCalls() ? StopReason.TOOL_USE : StopReason.STOP;
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
            hear(() -> speech.call(complete.toolExecutionRequest()));
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
        }
    }
}
