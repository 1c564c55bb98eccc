package dev.skein.cli.chat;

import dev.skein.engine.Approvals;
import dev.skein.engine.Engine;
import dev.skein.engine.RequestContext;
import dev.skein.engine.RunRequest;
import dev.skein.failure.InvalidRequest;
import dev.skein.failure.SessionLocked;
import dev.skein.failure.SessionNotFound;
import dev.skein.live.Emitter;
import dev.skein.live.LiveEvent;
import dev.skein.live.LiveEvent.AssistantMessageEnd;
import dev.skein.live.LiveEvent.Finished;
import dev.skein.live.RunOutcome;
import dev.skein.message.ToolCallId;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopId;
import dev.skein.session.LoopStatus;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionEvent;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// What was done from here in one session, so that it can be told from what others do there: a session that nobody
/// wants to keep must not be deleted with the work of somebody else in it.
///
/// Safe for use by many threads.
public final class OwnWork {

    /// Long enough for a name or a summary to be written that the session gets by itself just now.
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Engine engine;
    private final Set<LoopId> loops = ConcurrentHashMap.newKeySet();
    private final Set<ToolCallId> decided = ConcurrentHashMap.newKeySet();

    public OwnWork(Engine engine) {
        this.engine = engine;
    }

    public RunOutcome run(RequestContext context, RunRequest request, Emitter emitter) {
        return engine.run(context, request, event -> {
            if (event.loop() != null) {
                loops.add(event.loop());
            }
            emitter.emit(event);
        });
    }

    /// Lets a run go on that waited for a person. If it went on elsewhere meanwhile, to its end, that end is told.
    public RunOutcome goOn(RequestContext context, Emitter emitter) {
        try {
            return run(context, new RunRequest.Continue(), emitter);
        } catch (InvalidRequest e) {
            var session = context.session();
            var state = session.state();
            var ended = Optional.ofNullable(state.head())
                    .flatMap(session::loop)
                    .filter(loop -> loop.status() == LoopStatus.COMPLETED)
                    .orElseThrow(() -> e);
            var outcome = RunOutcome.of(ended);
            for (var told : List.of(new AssistantMessageEnd(outcome.text()), new Finished(outcome))) {
                emitter.emit(new LiveEvent(context.requestId(), session.id(), ended.id(), state.version(), 0, told));
            }
            return outcome;
        }
    }

    /// In how many loops something was done.
    public int loops() {
        return loops.size();
    }

    /// Answers a call that waits. False if somebody else did meanwhile.
    public boolean decide(SessionHandle session, ToolCallId call, boolean approved, String by, @Nullable String note) {
        try {
            engine.decide(session, call, approved, by, note);
            decided.add(call);
            return true;
        } catch (InvalidRequest e) {
            if (Approvals.waiting(session).stream()
                    .anyMatch(waiting -> waiting.call().equals(call))) {
                throw e;
            }
            return false;
        }
    }

    /// Whether a name that somebody gave a session keeps it.
    public enum Names {
        KEEP,
        DO_NOT_MATTER
    }

    /// Deletes the session, unless others worked in it. Says why it was kept, if it was.
    public Optional<String> forget(SessionStore store, SessionHandle session, Names names) {
        // Nobody else can begin a turn in between.
        try (var _ = session.lock(PATIENCE)) {
            var why = reasonToKeep(session, names);
            if (why.isEmpty()) {
                store.delete(session.scope(), session.id());
            }
            return why;
        } catch (SessionLocked _) {
            return Optional.of("somebody else is in the middle of a turn in it");
        } catch (SessionNotFound _) {
            return Optional.empty();
        }
    }

    private Optional<String> reasonToKeep(SessionHandle session, Names names) {
        var journal = new Journal();
        session.read(1, entry -> journal.read(entry.event()));
        if (journal.others) {
            return Optional.of("somebody else worked in it");
        }
        var name = session.state().alias();
        return names == Names.KEEP && name != null && !name.equals(journal.madeUp)
                ? Optional.of("it was given that name elsewhere")
                : Optional.empty();
    }

    /// What the journal tells about others. Settings are no work, and names and summaries come by themselves.
    private final class Journal {

        boolean others;

        @Nullable
        SessionAlias madeUp;

        void read(SessionEvent event) {
            switch (event) {
                case LoopEvent.LoopStarted started -> others |= !loops.contains(started.loop());
                case LoopEvent.ApprovalGiven given -> others |= !decided.contains(given.call());
                case SessionEvent.SessionDescribed _ -> others = true;
                case SessionEvent.SessionRenamed renamed -> madeUp = renamed.autoname() ? renamed.alias() : null;
                default -> {}
            }
        }
    }
}
