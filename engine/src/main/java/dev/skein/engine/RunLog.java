package dev.skein.engine;

import dev.skein.live.Emitter;
import dev.skein.live.LiveEvent;
import dev.skein.session.LoopId;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionState;
import dev.skein.store.Appended;
import dev.skein.store.SessionGuard;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The one place where a run writes: durable first, visible second. Live events name the loop this log is about.
///
/// Safe for use by many threads; tools and branches that finish at the same time write one after the other.
final class RunLog {

    private final Writer writer;
    private final @Nullable LoopId loop;

    RunLog(SessionGuard guard, Emitter emitter) {
        this(new Writer(guard, emitter), null);
    }

    private RunLog(Writer writer, @Nullable LoopId loop) {
        this.writer = writer;
        this.loop = loop;
    }

    /// The same log, telling about this loop.
    RunLog of(LoopId id) {
        return new RunLog(writer, id);
    }

    SessionState state() {
        return writer.state();
    }

    /// Makes the events durable, then tells. `told` may be empty.
    Appended append(List<? extends SessionEvent> events, LiveEvent.Body... told) {
        return writer.append(loop, events, told);
    }

    /// Tells what is not kept.
    void live(LiveEvent.Body body) {
        writer.live(loop, body);
    }

    /// What all logs of one run share.
    private static final class Writer {

        private static final Logger LOG = LoggerFactory.getLogger(RunLog.class);

        private final SessionGuard guard;
        private final Emitter emitter;
        private boolean deaf;

        Writer(SessionGuard guard, Emitter emitter) {
            this.guard = guard;
            this.emitter = emitter;
        }

        synchronized SessionState state() {
            return guard.state();
        }

        synchronized Appended append(
                @Nullable LoopId loop, List<? extends SessionEvent> events, LiveEvent.Body... told) {
            var appended = guard.append(List.copyOf(events));
            for (var body : told) {
                tell(loop, appended.last(), body);
            }
            return appended;
        }

        synchronized void live(@Nullable LoopId loop, LiveEvent.Body body) {
            tell(loop, 0, body);
        }

        private void tell(@Nullable LoopId loop, long seq, LiveEvent.Body body) {
            if (deaf) {
                return;
            }
            var session = guard.state().id();
            try {
                emitter.emit(new LiveEvent(session, loop, seq, body));
            } catch (RuntimeException e) {
                deaf = true;
                LOG.warn("nobody listens any more to session {}; the run goes on", session, e);
            }
        }
    }
}
