package dev.skein.bench;

import dev.skein.cancellation.Cancellation;
import dev.skein.message.Part;
import dev.skein.message.Usage;
import dev.skein.model.Model;
import dev.skein.model.ModelName;
import dev.skein.model.ModelReply;
import dev.skein.model.ModelReply.StopReason;
import dev.skein.model.ModelRequest;
import dev.skein.model.Models;
import dev.skein.model.ReplyFragment;
import dev.skein.model.Sampling;
import dev.skein.session.LoopConfigSnapshot;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/// A model in the process that takes its time for an answer of a few pieces.
record PacedModel() implements Model, Models {

    static final int PIECES = 20;
    static final Duration STEP = Duration.ofMillis(250);

    private static final ModelName NAME = new ModelName("bench", "paced");
    private static final String PIECE = "some words of an answer, ";

    @Override
    public Model open(ModelName name) {
        return this;
    }

    @Override
    public ModelName defaultModel() {
        return NAME;
    }

    @Override
    public ModelName name() {
        return NAME;
    }

    @Override
    public boolean understands() {
        return false;
    }

    @Override
    public LoopConfigSnapshot snapshot(Sampling sampling) {
        return LoopConfigSnapshot.of(NAME.provider(), NAME.model());
    }

    @Override
    public ModelReply reply(ModelRequest request, Consumer<ReplyFragment> fragments, Cancellation cancellation) {
        for (int i = 0; i < PIECES; i++) {
            pause();
            cancellation.check();
            fragments.accept(new ReplyFragment.Text(PIECE));
        }
        return new ModelReply(List.of(new Part.Text(PIECE.repeat(PIECES))), StopReason.STOP, Usage.of(10, 20), null);
    }

    /// The time between two pieces.
    static void pause() {
        var until = System.nanoTime() + STEP.toNanos();
        for (var left = STEP.toNanos(); left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
