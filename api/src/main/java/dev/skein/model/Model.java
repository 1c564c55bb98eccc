package dev.skein.model;

import dev.skein.cancellation.Cancellation;
import dev.skein.message.Message;
import dev.skein.session.LoopConfigSnapshot;
import dev.skein.session.OutputShape;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;

/// Answers conversations. Each promise below is a test in the testkit's `ModelContract`.
///
/// 1. _Blocking._ [#reply] returns when the reply is complete.
/// 2. _Fragments first._ Every word of the reply's text and thinking was handed over as a fragment before, in order.
/// 3. _Cancellable at any time._ Once the cancellation says so, even before the first word, the call ends with
///    `Cancelled` and no fragment follows.
/// 4. _Typed._ Whatever goes wrong is a `ModelFailed` that says whether trying again may help.
///
/// Safe for use by many threads.
public interface Model {

    ModelName name();

    /// What a loop's record says about this model. Never holds a secret.
    LoopConfigSnapshot snapshot(Sampling sampling);

    /// Answers the request.
    ///
    /// @throws dev.skein.failure.ModelFailed if the provider fails
    /// @throws dev.skein.failure.Cancelled if the cancellation was asked for
    ModelReply reply(ModelRequest request, Consumer<ReplyFragment> fragments, Cancellation cancellation);

    /// About how many tokens this model reads the messages as: counted where its tokenizer is known, else estimated.
    default long tokens(List<Message> messages) {
        return TokenEstimate.of(messages);
    }

    /// How many tokens it can read and write in one go, if that is known.
    default OptionalLong contextWindow() {
        return OptionalLong.empty();
    }

    /// Whether its provider holds answers to this shape by itself, when it is part of the request. Where it does not,
    /// the instructions have to say it.
    default boolean holds(OutputShape shape, boolean withTools) {
        return false;
    }

    /// Whether it understands what it reads, so that it can summarise, name and judge.
    default boolean understands() {
        return true;
    }
}
