package dev.skein.engine;

import static dev.skein.testkit.ScriptedModel.asks;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.ModelFailed;
import dev.skein.message.Usage;
import dev.skein.model.Model;
import dev.skein.model.ModelName;
import dev.skein.model.ModelReply;
import dev.skein.model.ModelRequest;
import dev.skein.model.ReplyFragment;
import dev.skein.model.Sampling;
import dev.skein.session.LoopConfigSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// Models with habits that a script cannot have.
final class TestModels {

    private TestModels() {}

    /// Fails so often before it answers.
    record Flaky(Model model, AtomicInteger left, Duration retryAfter) implements Model {
        Flaky(Model model, int failures, Duration retryAfter) {
            this(model, new AtomicInteger(failures), retryAfter);
        }

        @Override
        public ModelName name() {
            return model.name();
        }

        @Override
        public LoopConfigSnapshot snapshot(Sampling sampling) {
            return model.snapshot(sampling);
        }

        @Override
        public ModelReply reply(ModelRequest request, Consumer<ReplyFragment> fragments, Cancellation stop) {
            if (left.getAndDecrement() > 0) {
                throw ModelFailed.unavailable(name(), "overloaded", retryAfter, null);
            }
            return model.reply(request, fragments, stop);
        }
    }

    /// Asks for the same tool, always.
    static final class Endless extends OneModel {
        @Override
        public ModelReply reply(ModelRequest request, Consumer<ReplyFragment> fragments, Cancellation stop) {
            return new ModelReply(List.of(asks("t", "x")), ModelReply.StopReason.TOOL_USE, Usage.NONE, null);
        }
    }

    /// Says something and is then cancelled.
    static final class Talking extends OneModel {
        private final Consumer<Consumer<ReplyFragment>> talk;

        Talking(Consumer<Consumer<ReplyFragment>> talk) {
            this.talk = talk;
        }

        @Override
        public ModelReply reply(ModelRequest request, Consumer<ReplyFragment> fragments, Cancellation stop) {
            talk.accept(fragments);
            stop.check();
            throw new AssertionError("not cancelled");
        }
    }

    abstract static class OneModel implements Model {
        @Override
        public ModelName name() {
            return new ModelName("test", "one");
        }

        @Override
        public LoopConfigSnapshot snapshot(Sampling sampling) {
            return LoopConfigSnapshot.of("test", "one");
        }
    }
}
