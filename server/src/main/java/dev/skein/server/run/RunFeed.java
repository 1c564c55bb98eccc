package dev.skein.server.run;

import dev.skein.engine.LoopStarts;
import dev.skein.live.Emitter;
import dev.skein.live.LiveEvent;
import dev.skein.live.RunOutcome;
import dev.skein.server.stream.Retold;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopId;
import dev.skein.session.LoopPointer;
import dev.skein.session.LoopRecord;
import dev.skein.store.SessionHandle;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Passes on what a run tells, as the journal has it: how it ended, and which request began it. So it is the same
/// whenever it is told again.
public final class RunFeed implements Emitter {

    private final SessionHandle session;
    private final Emitter first;
    private final Emitter second;
    private final Map<LoopId, Begun> loops = new ConcurrentHashMap<>();
    private volatile boolean spoken;

    /// A loop's beginning, as far as it is known.
    private record Begun(String request, @Nullable LoopPointer start) {}

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
        var loop = event.loop();
        if (loop == null) {
            return event;
        }
        var begun = loops.computeIfAbsent(loop, _ -> begun(event, loop));
        var body = event.body() instanceof LiveEvent.Finished
                ? record(loop, event.seq())
                        .map(record -> RunOutcome.of(record, event.seq()))
                        .<LiveEvent.Body>map(LiveEvent.Finished::new)
                        .orElse(event.body())
                : event.body();
        return new LiveEvent(begun.request(), event.session(), loop, event.seq(), event.sub(), body);
    }

    /// A loop that is taken up again is still that of the request that began it; one that begins now is this run's, and
    /// needs no look at the journal.
    private Begun begun(LiveEvent event, LoopId loop) {
        return event.body() instanceof LiveEvent.Started && event.sub() == 0
                ? new Begun(event.request(), new LoopPointer(loop, event.seq()))
                : LoopStarts.before(session, loop, event.seq())
                        .map(start -> new Begun(
                                Retold.request(((LoopEvent.LoopStarted) start.event()).metadata()),
                                new LoopPointer(loop, start.seq())))
                        .orElseGet(() -> new Begun(event.request(), null));
    }

    /// The loop that has an event at this place or before.
    Optional<LoopRecord> record(LoopId loop, long seq) {
        var begun = loops.get(loop);
        return begun == null || begun.start() == null
                ? LoopStarts.before(session, loop, seq)
                        .flatMap(start -> session.loop(new LoopPointer(loop, start.seq())))
                : session.loop(begun.start());
    }
}
