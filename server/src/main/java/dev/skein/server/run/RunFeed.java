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

/// Passes on what a run tells, as the journal has it: how it ended, and which request began it. So it is the same
/// whenever
/// it is told again.
final class RunFeed implements Emitter {

    private final SessionHandle session;
    private final Emitter first;
    private final Emitter second;
    private final Map<LoopId, String> requests = new ConcurrentHashMap<>();
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
        var loop = event.loop();
        if (loop == null) {
            return event;
        }
        var request = requests.computeIfAbsent(loop, _ -> request(event, loop));
        var body = event.body() instanceof LiveEvent.Finished
                ? record(session, loop, event.seq())
                        .map(record -> RunOutcome.of(record, event.seq()))
                        .<LiveEvent.Body>map(LiveEvent.Finished::new)
                        .orElse(event.body())
                : event.body();
        return new LiveEvent(request, event.session(), loop, event.seq(), event.sub(), body);
    }

    /// A loop that is taken up again is still that of the request that began it.
    private String request(LiveEvent event, LoopId loop) {
        return LoopStarts.before(session, loop, event.seq())
                .map(start -> Retold.request(((LoopEvent.LoopStarted) start.event()).metadata()))
                .orElse(event.request());
    }

    /// The loop that has an event at this place or before.
    static Optional<LoopRecord> record(SessionHandle session, LoopId loop, long seq) {
        return LoopStarts.before(session, loop, seq).flatMap(start -> session.loop(new LoopPointer(loop, start.seq())));
    }
}
