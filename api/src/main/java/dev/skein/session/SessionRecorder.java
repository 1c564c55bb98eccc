package dev.skein.session;

import dev.skein.session.SessionEvent.SessionOpened;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Builds sessions from live event streams, of several sessions and interleaved loops at once.
///
/// A session opens with the first event that names it and is finished by [#flush] or by rotation. Meanwhile
/// [#checkpoint] hands out what is new, for a store; afterwards [#drainCompleted] hands over the whole.
/// Sequence numbers are given here: those inside the events that come in are ignored and set anew.
///
/// What cannot be recorded is counted, not thrown: events of rejected or finished sessions, and second starts.
/// Each event costs the same however many came before.
///
/// Safe for use by many threads. The callbacks run while others wait, so they should be quick.
public final class SessionRecorder {

    /// The format of the events opened here.
    static final int FORMAT = 1;

    private static final String FLUSHED = "the recording ended before the loop did";
    private static final String ROTATED = "a new session was begun before the loop ended";

    private final Clock clock;
    private final Ids ids;
    private final RecorderOptions options;
    private final Map<SessionId, Recording> open = new LinkedHashMap<>();
    private final Map<SessionId, Recording> completed = new LinkedHashMap<>();
    private final Set<SessionId> changed = new LinkedHashSet<>();
    private final Map<SessionId, Long> closed = new LinkedHashMap<>();
    private final Map<SessionId, SpawnRef> expected = new LinkedHashMap<>();
    private long dropped;

    public SessionRecorder(Clock clock, Ids ids, RecorderOptions options) {
        this.clock = clock;
        this.ids = ids;
        this.options = options;
    }

    /// Records the next event of a session.
    public synchronized void onEvent(SessionId session, SessionEvent event) {
        if (closed.containsKey(session)) {
            drop(session);
            return;
        }
        if (event instanceof LoopEvent.MessageDelta && !options.includeStreamingEvents()) {
            return;
        }
        var recording = open.get(session);
        if (recording == null) {
            open(session, event);
        } else {
            add(session, recording, event);
        }
    }

    /// Finishes a session and begins another in its place, if nothing is going on in it and nothing has been for
    /// strictly longer than the threshold. A session that waits for a person's yes is not idle.
    public synchronized Optional<SessionId> rotateIfIdle(SessionId session, Duration threshold) {
        var recording = open.get(session);
        if (recording == null || isBusy(recording.state()) || !isIdle(recording.state(), threshold)) {
            return Optional.empty();
        }
        return Optional.of(rotate(session, new Formation.InactivityTimeout(threshold.toSeconds(), session)));
    }

    /// Finishes a session and begins another in its place.
    public synchronized SessionId rotate(SessionId session) {
        return rotate(session, new Formation.Explicit());
    }

    /// What was recorded since the last checkpoint, in order, by session. A session's first entry is its
    /// [SessionOpened], which a store writes itself when it makes the session.
    ///
    /// What was handed out is never changed afterwards. So if a sub-agent's session turns out to be one only after
    /// it was handed out, its [#state] says so but its entries do not; those of its parent do.
    public synchronized Map<SessionId, List<Entry>> checkpoint() {
        var fresh = new LinkedHashMap<SessionId, List<Entry>>();
        for (var session : changed) {
            var recording = recordingOf(session);
            if (recording != null) {
                fresh.put(session, recording.handOut());
            }
        }
        changed.clear();
        return fresh;
    }

    /// Finishes every session. Loops that are still open end as aborted; what was finished in them is kept.
    public synchronized void flush() {
        finish(List.copyOf(open.keySet()), FLUSHED);
    }

    /// Finishes one session, if it is open.
    public synchronized void flush(SessionId session) {
        finish(List.of(session), FLUSHED);
    }

    /// Hands over the finished sessions, each of them once, in the order they were finished.
    ///
    /// Whoever keeps a store by checkpoints takes the last checkpoint before this: drained sessions have none.
    public synchronized List<Session> drainCompleted() {
        var sessions = completed.values().stream().map(Recording::session).toList();
        changed.removeAll(completed.keySet());
        completed.clear();
        return sessions;
    }

    /// A session as far as it is recorded, until it is drained.
    public synchronized Optional<SessionState> state(SessionId session) {
        return Optional.ofNullable(recordingOf(session)).map(Recording::state);
    }

    /// How many events were not recorded although they should have been: of all sessions.
    public synchronized long dropped() {
        return dropped;
    }

    /// How many events of a rejected or finished session were dropped.
    public synchronized long dropped(SessionId session) {
        return closed.getOrDefault(session, 0L);
    }

    private void open(SessionId session, SessionEvent first) {
        var opened = first instanceof SessionOpened given
                ? given.of(session)
                : opened(session, first.at(), options.scope(), new Formation.FirstLoop());
        if (!begin(opened)) {
            drop(session);
            return;
        }
        var recording = open.get(session);
        if (recording != null && !(first instanceof SessionOpened)) {
            add(session, recording, first);
        }
    }

    /// Opens a session, unless it is rejected.
    private boolean begin(SessionOpened opened) {
        var session = opened.session();
        var spawn = expected.get(session);
        var recording = new Recording(opened.spawn() != null || spawn == null ? opened : opened.spawnedBy(spawn));
        if (!options.before().test(recording.state())) {
            remember(closed, session, 0L);
            return false;
        }
        expected.remove(session);
        open.put(session, recording);
        changed.add(session);
        return true;
    }

    private void add(SessionId session, Recording recording, SessionEvent event) {
        if (!recording.add(event)) {
            dropped++;
            return;
        }
        changed.add(session);
        var child = childOf(event);
        if (child != null && event instanceof LoopEvent cause) {
            link(child.session(), new SpawnRef(session, cause.loop(), child.toolCall(), child.tool()));
        }
    }

    private static @Nullable ChildLoopRef childOf(SessionEvent event) {
        if (event instanceof LoopEvent.ToolFinished finished) {
            return finished.child();
        }
        return event instanceof LoopEvent.ChildSpawned spawned ? spawned.child() : null;
    }

    /// Tells the child who spawned it, now or when it comes.
    private void link(SessionId child, SpawnRef spawn) {
        var recording = recordingOf(child);
        if (recording == null) {
            if (!closed.containsKey(child) && !expected.containsKey(child)) {
                remember(expected, child, spawn);
            }
        } else if (!child.equals(spawn.session())) {
            recording.supplySpawn(spawn);
        }
    }

    private SessionId rotate(SessionId session, Formation formation) {
        var before = recordingOf(session);
        var scope = before == null ? options.scope() : before.state().scope();
        var next = ids.session();
        begin(opened(next, clock.instant(), scope, formation));
        finish(List.of(session), ROTATED);
        return next;
    }

    private static SessionOpened opened(SessionId session, Instant at, Scope scope, Formation formation) {
        return new SessionOpened(
                at,
                FORMAT,
                session,
                scope.owner(),
                scope.agent(),
                null,
                null,
                formation,
                null,
                null,
                null,
                null,
                Map.of());
    }

    /// Finishes them all before anybody is told, so that a callback that fails costs no session its end.
    private void finish(List<SessionId> sessions, String reason) {
        var finished = new ArrayList<Session>();
        for (var session : sessions) {
            var recording = open.remove(session);
            if (recording != null) {
                recording.abortLoops(clock.instant(), reason);
                completed.put(session, recording);
                changed.add(session);
                remember(closed, session, 0L);
                finished.add(recording.session());
            }
        }
        tell(finished);
    }

    private void tell(List<Session> finished) {
        RuntimeException failure = null;
        for (var session : finished) {
            try {
                options.after().accept(session);
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private @Nullable Recording recordingOf(SessionId session) {
        var recording = open.get(session);
        return recording == null ? completed.get(session) : recording;
    }

    private static boolean isBusy(SessionState state) {
        return switch (state.status()) {
            case RUNNING, WAITING -> true;
            case IDLE, ABORTED -> false;
        };
    }

    private boolean isIdle(SessionState state, Duration threshold) {
        return Duration.between(state.lastActivityAt(), clock.instant()).compareTo(threshold) > 0;
    }

    private void drop(SessionId session) {
        dropped++;
        closed.computeIfPresent(session, (_, count) -> count + 1);
    }

    private <V> void remember(Map<SessionId, V> memory, SessionId session, V value) {
        memory.put(session, value);
        if (memory.size() > options.closedMax()) {
            memory.remove(memory.keySet().iterator().next());
        }
    }
}
