package dev.skein.testkit.provider;

import dev.skein.message.Usage;
import dev.skein.model.ModelReply.StopReason;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// What a [ProviderServer] does with one request.
public sealed interface Answer {

    /// Streams a reply, step by step.
    record Stream(List<Step> steps, StopReason stop, Usage usage) implements Answer {
        public Stream {
            steps = List.copyOf(steps);
        }
    }

    /// Refuses with a status and a text.
    record Status(int status, String body, Map<String, String> headers) implements Answer {}

    /// Waits at the gate before the first byte of the answer.
    record Held(Gate gate, Answer answer) implements Answer {}

    /// Breaks the connection off before the first byte.
    record Broken() implements Answer {}

    /// A piece of a streamed reply.
    sealed interface Step {

        /// Some words, as one event.
        record Say(String text) implements Step {}

        /// Begins another block of text, where the format knows blocks.
        record NewBlock() implements Step {}

        record Think(String text, String signature) implements Step {}

        /// Thinking that only the provider can read.
        record ThinkSecretly(String redacted) implements Step {}

        /// A tool call whose arguments come in two events.
        record Call(String id, String name, String arguments) implements Step {}

        record WaitAt(Gate gate) implements Step {}

        /// Writes bytes as they are.
        record Raw(String bytes) implements Step {}

        /// An error in the middle of the stream, as the provider words it.
        record Fail(boolean isTransient) implements Step {}

        /// Breaks the connection off.
        record Cut() implements Step {}

        /// Ends the stream properly, though the reply is not over.
        record EndEarly() implements Step {}

        /// Writes until the client hangs up, then opens the gate.
        record UntilHangUp(Gate gate) implements Step {}
    }

    static Stream reply(Step... steps) {
        return new Stream(List.of(steps), StopReason.STOP, Usage.of(10, 5));
    }

    static Stream says(String... words) {
        return new Stream(Arrays.stream(words).<Step>map(Step.Say::new).toList(), StopReason.STOP, Usage.of(10, 5));
    }

    static Stream calls(Step... steps) {
        return new Stream(List.of(steps), StopReason.TOOL_USE, Usage.of(10, 5));
    }

    static Status status(int status, String body) {
        return new Status(status, body, Map.of());
    }
}
