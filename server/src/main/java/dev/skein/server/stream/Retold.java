package dev.skein.server.stream;

import dev.skein.engine.LoopStarts;
import dev.skein.engine.Ticket;
import dev.skein.live.LiveEvent;
import dev.skein.live.RunOutcome;
import dev.skein.live.Told;
import dev.skein.message.Role;
import dev.skein.message.ToolCallId;
import dev.skein.session.Entry;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopId;
import dev.skein.session.LoopPointer;
import dev.skein.session.LoopRecord;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionState.OpenLoop;
import dev.skein.store.SessionHandle;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Tells of durable events what a run told when they happened, with the same ids: how loops ended included. It needs
/// nothing but the journal, so it does not matter when that was, and in which process.
///
/// Begins anywhere in the journal and takes the entries from there on, in order. Used by one thread.
public final class Retold {

    /// Where a loop's metadata has the request that began it.
    public static final String REQUEST = "request_id";

    private final SessionHandle session;
    private final Map<LoopId, Known> loops = new HashMap<>();

    public Retold(SessionHandle session) {
        this.session = session;
    }

    /// A loop whose start was found.
    private static final class Known {
        private final @Nullable LoopPointer start;
        private final String request;
        private boolean decided;

        Known(@Nullable LoopPointer start, String request) {
            this.start = start;
            this.request = request;
        }
    }

    public List<LiveEvent> of(Entry entry) {
        return switch (entry.event()) {
            case LoopEvent event -> ofLoop(entry, event);
            case SessionEvent.ParallelEnded ended ->
                List.of(told(
                        null,
                        "",
                        entry.seq(),
                        0,
                        new LiveEvent.Noted("branch " + (ended.selectedIndex() + 1) + " of "
                                + ended.loops().size() + " was chosen")));
            case SessionEvent event ->
                Told.of(event)
                        .map(body -> List.of(told(null, "", entry.seq(), 0, body)))
                        .orElse(List.of());
        };
    }

    private List<LiveEvent> ofLoop(Entry entry, LoopEvent event) {
        var known = known(entry, event);
        var events = new ArrayList<LiveEvent>();
        if (event instanceof LoopEvent.ApprovalGiven) {
            if (!known.decided) {
                rested(event.loop(), known, entry.seq()).ifPresent(events::add);
            }
            known.decided = true;
            return events;
        }
        if (known.decided) {
            known.decided = false;
            events.add(told(event.loop(), known.request, entry.seq() - 1, 1, new LiveEvent.Started()));
        }
        if (event instanceof LoopEvent.LoopEnded ended) {
            events.add(told(event.loop(), known.request, entry.seq(), 0, end(known, ended, entry.seq())));
            loops.remove(event.loop());
        } else {
            Told.of(event).ifPresent(body -> events.add(told(event.loop(), known.request, entry.seq(), 0, body)));
        }
        return events;
    }

    private LiveEvent.Body end(Known known, LoopEvent.LoopEnded ended, long seq) {
        if (ended.code() != null) {
            return new LiveEvent.Failed(ended.code(), String.valueOf(ended.reason()));
        }
        return record(known)
                .map(record -> RunOutcome.of(record, seq))
                .map(LiveEvent.Finished::new)
                .orElseGet(() -> new LiveEvent.Finished(RunOutcome.unasked(
                        session.id(), ended.loop(), ended.status(), String.valueOf(ended.reason()))));
    }

    /// That the loop rested, waiting for a person, until it was decided at `seq`.
    private Optional<LiveEvent> rested(LoopId loop, Known known, long seq) {
        return record(known)
                .flatMap(record -> record.events().stream()
                        .filter(entry -> entry.seq() < seq)
                        .reduce((_, last) -> last)
                        .filter(last -> !(last.event() instanceof LoopEvent.ApprovalGiven))
                        .map(last -> told(
                                loop,
                                known.request,
                                last.seq(),
                                1,
                                new LiveEvent.Finished(RunOutcome.of(record, last.seq())))));
    }

    /// That a loop rests now, waiting for a person, if one does and the journal ends at `seq`.
    public Optional<LiveEvent> resting(long seq) {
        var state = session.state();
        return state.version() != seq
                ? Optional.empty()
                : state.open().stream()
                        .filter(loop -> !loop.waitingFor().isEmpty())
                        .flatMap(loop -> resting(loop).stream())
                        .findFirst();
    }

    private Optional<LiveEvent> resting(OpenLoop loop) {
        return session.loop(new LoopPointer(loop.loop(), loop.seq()))
                .filter(record -> isSettled(record, loop.waitingFor()))
                .map(record -> told(
                        loop.loop(),
                        request(record.metadata()),
                        record.events().getLast().seq(),
                        1,
                        new LiveEvent.Finished(RunOutcome.of(record))));
    }

    /// Whether every call has its result or waits for a person; otherwise tools are still running.
    private static boolean isSettled(LoopRecord record, List<ToolCallId> waiting) {
        var settled = new HashSet<>(waiting);
        record.messages().forEach(message -> message.toolResults().forEach(result -> settled.add(result.call())));
        return record.messages().reversed().stream()
                .filter(message -> message.role() == Role.ASSISTANT)
                .findFirst()
                .stream()
                .flatMap(message -> message.toolCalls().stream())
                .allMatch(call -> settled.contains(call.id()));
    }

    private Optional<LoopRecord> record(Known known) {
        return known.start == null ? Optional.empty() : session.loop(known.start);
    }

    private Known known(Entry entry, LoopEvent event) {
        if (event instanceof LoopEvent.LoopStarted started) {
            var known = new Known(new LoopPointer(started.loop(), entry.seq()), request(started.metadata()));
            loops.put(started.loop(), known);
            return known;
        }
        return loops.computeIfAbsent(
                event.loop(),
                loop -> LoopStarts.before(session, loop, entry.seq())
                        .map(start -> new Known(
                                new LoopPointer(loop, start.seq()),
                                request(((LoopEvent.LoopStarted) start.event()).metadata())))
                        .orElseGet(() -> new Known(null, "")));
    }

    /// Empty if a front end began the loop that does not say.
    public static String request(Map<String, JsonNode> metadata) {
        var ours = metadata.get(Ticket.OURS);
        return ours == null ? "" : ours.path(REQUEST).asString("");
    }

    private LiveEvent told(@Nullable LoopId loop, String request, long seq, int sub, LiveEvent.Body body) {
        return new LiveEvent(request, session.id(), loop, seq, sub, body);
    }
}
