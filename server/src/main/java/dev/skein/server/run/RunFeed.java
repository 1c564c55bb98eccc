package dev.skein.server.run;

import dev.skein.engine.LoopStarts;
import dev.skein.live.Emitter;
import dev.skein.live.LiveEvent;
import dev.skein.live.RunOutcome;
import dev.skein.session.LoopId;
import dev.skein.session.LoopPointer;
import dev.skein.session.LoopRecord;
import dev.skein.store.SessionHandle;
import java.util.Optional;

/// Passes on what a run tells. How it ended is told as the journal has it, so that it is the same whenever it is asked
/// for.
final class RunFeed implements Emitter {

    private final SessionHandle session;
    private final Emitter first;
    private final Emitter second;
    private volatile boolean spoken;

    RunFeed(SessionHandle session, Emitter first, Emitter second) {
        this.session = session;
        this.first = first;
        this.second = second;
    }

    /// Whether anything was told.
    boolean hasSpoken() {
        return spoken;
    }

    @Override
    public void emit(LiveEvent event) {
        spoken = true;
        var told = asKept(event);
        first.emit(told);
        second.emit(told);
    }

    private LiveEvent asKept(LiveEvent event) {
        if (!(event.body() instanceof LiveEvent.Finished) || event.loop() == null) {
            return event;
        }
        return record(session, event.loop(), event.seq())
                .map(record -> RunOutcome.of(record, event.seq()))
                .map(outcome -> new LiveEvent(
                        event.request(),
                        event.session(),
                        event.loop(),
                        event.seq(),
                        event.sub(),
                        new LiveEvent.Finished(outcome)))
                .orElse(event);
    }

    /// The loop that has an event at this place or before.
    static Optional<LoopRecord> record(SessionHandle session, LoopId loop, long seq) {
        return LoopStarts.before(session, loop, seq)
                .flatMap(start -> session.loop(new LoopPointer(loop, start.seq())));
    }
}
