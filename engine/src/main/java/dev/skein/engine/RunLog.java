package dev.skein.engine;

import dev.skein.live.Emitter;
import dev.skein.live.LiveEvent;
import dev.skein.session.LoopId;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionState;
import dev.skein.store.SessionGuard;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The one place where a run writes: durable first, visible second.
///
/// Safe for use by many threads; tools that finish at the same time write one after the other.
final class RunLog {

    private static final Logger LOG = LoggerFactory.getLogger(RunLog.class);

    private final SessionGuard guard;
    private final Emitter emitter;
    private @Nullable LoopId loop;
    private boolean deaf;

    RunLog(SessionGuard guard, Emitter emitter) {
        this.guard = guard;
        this.emitter = emitter;
    }

    /// From now on, live events are about this loop.
    synchronized void enter(LoopId id) {
        loop = id;
    }

    synchronized SessionState state() {
        return guard.state();
    }

    /// Makes the events durable, then tells. `told` may be empty.
    synchronized void append(List<? extends SessionEvent> events, LiveEvent.Body... told) {
        var appended = guard.append(List.copyOf(events));
        for (var body : told) {
            tell(appended.last(), body);
        }
    }

    /// Tells what is not kept.
    synchronized void live(LiveEvent.Body body) {
        tell(0, body);
    }

    private void tell(long seq, LiveEvent.Body body) {
        if (deaf) {
            return;
        }
        try {
            emitter.emit(new LiveEvent(guard.state().id(), loop, seq, body));
        } catch (RuntimeException e) {
            deaf = true;
            LOG.warn(
                    "nobody listens any more to session {}; the run goes on",
                    guard.state().id(),
                    e);
        }
    }
}
