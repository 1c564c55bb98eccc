package dev.skein.bench;

import dev.skein.bench.Report.Bound;
import dev.skein.bench.Report.Unit;
import dev.skein.cancellation.Cancellation;
import dev.skein.engine.Engine;
import dev.skein.engine.RequestContext;
import dev.skein.engine.RunRequest;
import dev.skein.engine.RunSettings;
import dev.skein.engine.Workings;
import dev.skein.live.Emitter;
import dev.skein.message.Part;
import dev.skein.message.Usage;
import dev.skein.model.Model;
import dev.skein.model.ModelName;
import dev.skein.model.ModelReply;
import dev.skein.model.ModelReply.StopReason;
import dev.skein.model.ModelRequest;
import dev.skein.model.ReplyFragment;
import dev.skein.model.Sampling;
import dev.skein.session.Entry;
import dev.skein.session.LoopConfigSnapshot;
import dev.skein.session.LoopEvent;
import dev.skein.session.SessionEvent;
import dev.skein.store.Batch;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.store.file.Durability;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// What does the engine add to the appends of a turn, and does a turn cost the same in a long session?
final class EngineBench implements Bench {

    private static final int WINDOW = 50;
    private static final int SHORT = 10;
    private static final int LONG = 10_000;
    private static final int WARM_UP = 400;
    private static final int ROUNDS = 600;
    private static final Duration WAIT = Duration.ofMinutes(1);

    @Override
    public String name() {
        return "engine";
    }

    @Override
    public String question() {
        return "turns of the engine, and two thousand of them at once";
    }

    @Override
    public void run(Lab lab, Report report) throws IOException {
        turns(lab, report);
        new StreamsBench().run(lab, report);
    }

    private static void turns(Lab lab, Report report) throws IOException {
        var home = lab.newDirectory();
        var ids = lab.prepare(home, List.of(2 * SHORT, 2 * LONG));
        var settings = RunSettings.of(new Ready()).withWindow(WINDOW);
        try (var store = Lab.open(home, Durability.ALWAYS);
                var engine = new Engine(store, Workings.real());
                var driven = store.create(NewSession.in(Lab.SCOPE));
                var raw = store.create(NewSession.in(Lab.SCOPE));
                var shortOne = store.open(Lab.SCOPE, ids.getFirst());
                var longOne = store.open(Lab.SCOPE, ids.getLast())) {
            var pairs = new Pairs(engine, driven, raw, settings);
            var samples = Samples.interleaved(WARM_UP, ROUNDS, List.of(pairs::turn, pairs::appends));
            report.compared(
                    "a turn of the engine, model without latency (control: its appends)",
                    Unit.NANOS,
                    samples.getFirst().median(),
                    samples.getLast().median(),
                    Bound.atMost(3));
            var lengths = Samples.interleaved(
                    WARM_UP / 2,
                    ROUNDS / 2,
                    List.of(
                            Samples.timed(() -> turn(engine, shortOne, settings)),
                            Samples.timed(() -> turn(engine, longOne, settings))));
            report.compared(
                    "a turn of the engine after %,d others (control: after %d)".formatted(LONG, SHORT),
                    Unit.NANOS,
                    lengths.getLast().median(),
                    lengths.getFirst().median(),
                    Bound.atMost(1.3));
        }
    }

    private static void turn(Engine engine, SessionHandle session, RunSettings settings) {
        engine.run(RequestContext.of("bench", session, settings), RunRequest.Prompt.text(Lab.text(1)), Emitter.NONE);
    }

    /// A turn of the engine, and at once the same events, in the same appends, without it: whatever disturbs one
    /// disturbs the other.
    private static final class Pairs {

        private final Engine engine;
        private final SessionHandle driven;
        private final SessionHandle raw;
        private final RunSettings settings;
        private long appends;

        Pairs(Engine engine, SessionHandle driven, SessionHandle raw, RunSettings settings) {
            this.engine = engine;
            this.driven = driven;
            this.raw = raw;
            this.settings = settings;
        }

        long turn() throws IOException {
            var before = driven.state().version();
            var cost = Samples.timed(() -> EngineBench.turn(engine, driven, settings))
                    .measure();
            var batches = batches(driven.read(before + 1));
            appends = Samples.timed(() -> append(batches)).measure();
            return cost;
        }

        /// What the appends of the turn before cost.
        long appends() throws IOException {
            if (appends == 0) {
                turn();
            }
            return appends;
        }

        /// The prompt, that the model is asked, and the answer are made durable one after the other.
        private static List<List<SessionEvent>> batches(List<Entry> entries) {
            var batches = new ArrayList<List<SessionEvent>>();
            var batch = new ArrayList<SessionEvent>();
            for (var entry : entries) {
                batch.add(entry.event());
                var isLast = entry.event() instanceof LoopEvent.TurnStarted
                        || entry.event() instanceof LoopEvent.LoopEnded
                        || (batches.isEmpty() && entry.event() instanceof LoopEvent.MessageEnded);
                if (isLast) {
                    batches.add(List.copyOf(batch));
                    batch.clear();
                }
            }
            if (batches.size() != 3 || !batch.isEmpty()) {
                throw new IllegalStateException("a turn is not three appends any more: " + batches);
            }
            return batches;
        }

        private void append(List<List<SessionEvent>> batches) {
            try (var guard = raw.lock(WAIT)) {
                for (var batch : batches) {
                    guard.append(Batch.at(guard.state().version(), batch));
                }
            }
        }
    }

    /// A model that has its answer ready.
    private record Ready() implements Model {

        private static final ModelName NAME = new ModelName("bench", "ready");
        private static final List<Part> ANSWER = List.of(new Part.Text(Lab.text(2)));

        @Override
        public ModelName name() {
            return NAME;
        }

        @Override
        public LoopConfigSnapshot snapshot(Sampling sampling) {
            return LoopConfigSnapshot.of(NAME.provider(), NAME.model());
        }

        @Override
        public ModelReply reply(ModelRequest request, Consumer<ReplyFragment> fragments, Cancellation cancellation) {
            return new ModelReply(ANSWER, StopReason.STOP, Usage.NONE, null);
        }
    }
}
