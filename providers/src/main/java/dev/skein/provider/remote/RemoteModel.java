package dev.skein.provider.remote;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.Cancelled;
import dev.skein.failure.ModelFailed;
import dev.skein.message.Usage;
import dev.skein.model.Model;
import dev.skein.model.ModelName;
import dev.skein.model.ModelReply;
import dev.skein.model.ModelReply.StopReason;
import dev.skein.model.ModelRequest;
import dev.skein.model.ReplyFragment;
import dev.skein.model.Sampling;
import dev.skein.provider.catalog.ModelInfo;
import dev.skein.provider.http.CallFailed;
import dev.skein.provider.http.Endpoint;
import dev.skein.provider.http.HttpCall;
import dev.skein.provider.http.StatusFailed;
import dev.skein.session.LoopConfigSnapshot;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A model on a network. A call runs in the caller's thread; the first thing that goes wrong ends it.
///
/// Cancelling hangs up: the thread that reads gets to know it by a broken connection, which is why a cancellation is
/// looked for before any failure is believed.
public abstract class RemoteModel implements Model {

    private final ModelInfo info;
    private final Endpoint endpoint;

    protected RemoteModel(ModelInfo info, Endpoint endpoint) {
        this.info = info;
        this.endpoint = endpoint;
    }

    /// How a conversation ended, as far as the provider said.
    ///
    /// @param stop why the model stopped; null if nobody said, so that it was cut off
    public record Ended(@Nullable StopReason stop, Usage usage) {}

    /// The name of the format, for the record of a loop.
    protected abstract String format();

    /// Sends the request under the current [HttpCall], speaks what comes, and returns at the end.
    ///
    /// @throws IOException if the provider cannot be understood
    /// @throws TalkFailed if something else went wrong on the way
    protected abstract Ended talk(ModelRequest request, Speech speech) throws IOException, InterruptedException;

    /// Whether the model is asked to think.
    protected boolean thinks(Sampling sampling) {
        return sampling.thinkingLevel() != null && info.thinking() != ModelInfo.Thinking.NONE;
    }

    protected final ModelInfo info() {
        return info;
    }

    protected final Endpoint endpoint() {
        return endpoint;
    }

    @Override
    public final ModelName name() {
        return info.name();
    }

    @Override
    public final OptionalLong contextWindow() {
        return info.contextWindow() == null ? OptionalLong.empty() : OptionalLong.of(info.contextWindow());
    }

    @Override
    public final LoopConfigSnapshot snapshot(Sampling sampling) {
        return new LoopConfigSnapshot(
                info.name().model(),
                info.name().provider(),
                null,
                null,
                format(),
                endpoint.shown(),
                thinks(sampling),
                info.contextWindow(),
                sampling.tokensMax(),
                sampling.thinkingLevel(),
                sampling.temperature(),
                null);
    }

    @Override
    public final ModelReply reply(ModelRequest request, Consumer<ReplyFragment> fragments, Cancellation cancellation) {
        try {
            return attempt(request, fragments, cancellation);
        } catch (ModelFailed e) {
            var other = e.getCause() == null
                    ? Optional.<ModelRequest>empty()
                    : Failures.status(e.getCause())
                            .flatMap(status ->
                                    otherwise(request, status.statusCode(), String.valueOf(status.getMessage())));
            if (other.isEmpty()) {
                throw e;
            }
            var reply = attempt(other.get(), fragments, cancellation);
            answeredOtherwise(request);
            return reply;
        }
    }

    /// How to ask for the same in another way, if the provider answered with this status, and might then not.
    protected Optional<ModelRequest> otherwise(ModelRequest request, int status, String words) {
        return Optional.empty();
    }

    /// It did not.
    protected void answeredOtherwise(ModelRequest request) {}

    private ModelReply attempt(ModelRequest request, Consumer<ReplyFragment> fragments, Cancellation cancellation) {
        cancellation.check();
        var call = new HttpCall();
        var speech =
                new Speech(fragments, cancellation, "call-" + request.messages().size() + "-");
        try (var _ = cancellation.onCancel(call::hangUp)) {
            var ended = ScopedValue.where(HttpCall.CURRENT, call).call(() -> talk(request, speech));
            requireWanted(cancellation);
            return reply(ended, speech);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Cancelled("its thread was interrupted");
        } catch (IOException | StatusFailed | TalkFailed | ProviderSaid e) {
            requireWanted(cancellation);
            throw Failures.translated(this, endpoint, e);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        } finally {
            call.hangUp();
        }
    }

    private static void requireWanted(Cancellation cancellation) {
        cancellation.check();
        if (Thread.currentThread().isInterrupted()) {
            throw new Cancelled("its thread was interrupted");
        }
    }

    private ModelReply reply(Ended ended, Speech speech) throws IOException {
        if (ended.stop() == null) {
            throw CallFailed.passing("the stream ended in the middle of the reply", "try again", null);
        }
        var reason = ended.stop() == StopReason.STOP && speech.hasCalls() ? StopReason.TOOL_USE : ended.stop();
        return new ModelReply(speech.parts(), reason, ended.usage(), info.costOf(ended.usage()));
    }

    /// Puts a request into the provider's words. What cannot be put into words was never sent.
    protected final <T> T worded(Supplier<T> words) {
        try {
            return words.get();
        } catch (RuntimeException e) {
            throw Failures.senseless(info.name(), e);
        }
    }

    @Override
    public final String toString() {
        return info.name() + " at " + endpoint;
    }
}
