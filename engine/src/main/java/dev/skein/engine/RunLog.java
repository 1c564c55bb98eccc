package dev.skein.engine;

import dev.skein.live.Emitter;
import dev.skein.live.LiveEvent;
import dev.skein.live.RunOutcome;
import dev.skein.live.Told;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopId;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionState;
import dev.skein.store.Appended;
import dev.skein.store.Batch;
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

    RunLog(SessionGuard guard, RequestContext context, Emitter emitter) {
        this(new Writer(guard, context, emitter), null);
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

    /// Makes the events durable, then tells what front ends hear of them.
    Appended append(List<? extends SessionEvent> events) {
        return writer.append(loop, events, null, null);
    }

    /// The same for the events that begin a loop, under the key of the request that asked for it.
    Appended begin(List<? extends SessionEvent> events) {
        return writer.append(loop, events, null, writer.context.ticket().key());
    }

    /// The same, and then tells what else there is to say about the last event.
    Appended append(List<? extends SessionEvent> events, LiveEvent.Body told) {
        return writer.append(loop, events, told, null);
    }

    /// Tells that a run came to rest, which is what the event says that was appended last; if the run waits, no event
    /// does.
    void finished(RunOutcome outcome) {
        if (outcome.status().ended()) {
            writer.tell(loop, new LiveEvent.Finished(outcome));
        } else {
            live(new LiveEvent.Finished(outcome));
        }
    }

    /// Tells what is not kept.
    void live(LiveEvent.Body body) {
        writer.live(loop, body);
    }

    /// Tells something beside a run, while nothing is written.
    static void tell(RequestContext context, Emitter emitter, SessionState state, LiveEvent.Body body) {
        Writer.emit(emitter, new LiveEvent(context.requestId(), state.id(), null, state.version(), 1, body));
    }

    /// What all logs of one run share.
    private static final class Writer {

        private static final Logger LOG = LoggerFactory.getLogger(RunLog.class);

        private final SessionGuard guard;
        private final RequestContext context;
        private final Emitter emitter;
        private long seq;
        private int sub;
        private boolean deaf;

        Writer(SessionGuard guard, RequestContext context, Emitter emitter) {
            this.guard = guard;
            this.context = context;
            this.emitter = emitter;
            this.seq = guard.state().version();
        }

        synchronized SessionState state() {
            return guard.state();
        }

        synchronized Appended append(
                @Nullable LoopId loop,
                List<? extends SessionEvent> events,
                LiveEvent.@Nullable Body told,
                @Nullable String key) {
            var batch = Batch.at(guard.state().version(), events);
            var appended = guard.append(key == null ? batch : batch.withKey(key));
            sub = 0;
            for (int i = 0; i < events.size(); i++) {
                seq = appended.first() + i;
                var about = events.get(i) instanceof LoopEvent event ? event.loop() : loop;
                Told.of(events.get(i)).ifPresent(body -> tell(about, body));
            }
            if (told != null) {
                tell(loop, told);
            }
            return appended;
        }

        synchronized void live(@Nullable LoopId loop, LiveEvent.Body body) {
            if (context.options().deltas()
                    || !(body instanceof LiveEvent.AssistantDelta || body instanceof LiveEvent.ThinkingDelta)) {
                sub++;
                tell(loop, body);
            }
        }

        synchronized void tell(@Nullable LoopId loop, LiveEvent.Body body) {
            if (!deaf) {
                deaf = !emit(
                        emitter,
                        new LiveEvent(context.requestId(), context.session().id(), loop, seq, sub, body));
            }
        }

        /// Whether it was heard.
        private static boolean emit(Emitter emitter, LiveEvent event) {
            try {
                emitter.emit(event);
                return true;
            } catch (RuntimeException e) {
                LOG.warn("nobody listens any more to session {}; the run goes on", event.session(), e);
                return false;
            }
        }
    }
}
