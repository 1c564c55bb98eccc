package dev.skein.engine.schedule;

import dev.skein.failure.Cancelled;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopRecord;
import dev.skein.session.LoopStatus;
import dev.skein.session.Scope;
import dev.skein.session.SessionId;
import dev.skein.session.SessionState;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The newest run of a schedule, as its session has it.
///
/// @param isHead whether its session rests or runs there
/// @param isDecided whether it waited for a person, who has decided and may let it go on
public record LastRun(
        Firing firing,
        Scope scope,
        SessionId session,
        LoopRecord loop,
        boolean isHead,
        boolean isDecided,
        Instant lastActivityAt) {

    /// Why the engine says that a run was cut off, by a crash or by the end of its program.
    private static final String INTERRUPTED = "the run was interrupted";

    static LastRun of(Firing firing, SessionState state, LoopRecord loop) {
        return new LastRun(
                firing,
                state.scope(),
                state.id(),
                loop,
                loop.pointer().equals(state.head()),
                loop.events().getLast().event() instanceof LoopEvent.ApprovalGiven,
                state.lastActivityAt());
    }

    public LoopStatus status() {
        return loop.status();
    }

    /// Why it did not complete, if it did not.
    public @Nullable String reason() {
        return loop.events().getLast().event() instanceof LoopEvent.LoopEnded ended ? ended.reason() : null;
    }

    /// Whether nothing is to be done about this moment any more, because it was run, or was due while this one ran.
    boolean settles(Instant moment) {
        return !firing.moment().isBefore(moment) || (status().ended() && wentOnAt(moment));
    }

    /// Whether it went on at this moment, or still does.
    boolean wentOnAt(Instant moment) {
        var started = loop.startedAt();
        var ended = loop.endedAt();
        return started != null && !started.isAfter(moment) && (ended == null || ended.isAfter(moment));
    }

    /// Whether its program ended before it did. One that seems to run may do so elsewhere; its lock tells.
    ///
    /// @param stopped what runs are told when the program ends
    public boolean isCutOff(String stopped) {
        if (!isHead || isDecided) {
            return false;
        }
        return switch (status()) {
            case RUNNING, PENDING -> true;
            case ABORTED ->
                INTERRUPTED.equals(reason()) || Objects.equals(new Cancelled(stopped).getMessage(), reason());
            case WAITING, COMPLETED, REJECTED -> false;
        };
    }
}
