package dev.skein.session;

import static dev.skein.session.Story.NOON;
import static dev.skein.session.Story.loop;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Callbacks, rotation and sub-agents.
class RecorderLifecycleTest {

    private static final SessionId PARENT = SessionId.of("01900000-0000-7000-8000-000000000001");
    private static final SessionId CHILD = SessionId.of("01900000-0000-7000-8000-000000000002");
    private static final ChildLoopRef REF = new ChildLoopRef("c1", "sub_agent", loop("x"), CHILD);
    private static final SpawnRef SPAWN = new SpawnRef(PARENT, loop("a"), "c1", "sub_agent");
    private static final Duration HALF_AN_HOUR = Duration.ofMinutes(30);

    private final HandClock clock = new HandClock();
    private final SessionRecorder recorder = recorder(RecorderOptions.standard());

    /// A clock that stands still until it is set.
    private static final class HandClock extends Clock {
        private Instant now = NOON;

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    }

    private SessionRecorder recorder(RecorderOptions options) {
        return new SessionRecorder(clock, new Ids(clock, new Random(1)), options);
    }

    private static LoopEvent.LoopStarted start(String id) {
        return Story.started(NOON, id, null, null);
    }

    private static LoopEvent.LoopEnded end(String id) {
        return Story.ended(NOON, id, LoopStatus.COMPLETED);
    }

    private static LoopEvent.ToolFinished toolEnd() {
        return Story.toolFinished(NOON, "a", 0, "c1", REF);
    }

    private void parent(SessionEvent... events) {
        for (var event : events) {
            recorder.onEvent(PARENT, event);
        }
    }

    private void child(SessionEvent... events) {
        for (var event : events) {
            recorder.onEvent(CHILD, event);
        }
    }

    private SpawnRef spawnOfChild() {
        return recorder.state(CHILD).orElseThrow().opened().spawn();
    }

    @Test
    void before_is_asked_once_and_after_is_told_once() {
        var asked = new ArrayList<SessionId>();
        var told = new ArrayList<SessionId>();
        var recorder = recorder(RecorderOptions.standard()
                .before(state -> asked.add(state.id()))
                .after(session -> told.add(session.id())));
        recorder.onEvent(PARENT, start("a"));
        recorder.onEvent(PARENT, end("a"));
        assertThat(told).isEmpty();

        recorder.flush();
        recorder.flush();
        recorder.drainCompleted();

        assertThat(asked).containsExactly(PARENT);
        assertThat(told).containsExactly(PARENT);
    }

    @Test
    void a_rejected_session_is_really_rejected() {
        var recorder =
                recorder(RecorderOptions.standard().before(state -> !state.id().equals(CHILD)));
        recorder.onEvent(CHILD, start("x"));
        recorder.onEvent(PARENT, start("a"));
        recorder.onEvent(CHILD, end("x"));
        recorder.onEvent(CHILD, start("y"));

        assertThat(recorder.checkpoint()).containsOnlyKeys(PARENT);
        recorder.flush();
        assertThat(recorder.drainCompleted()).extracting(Session::id).containsExactly(PARENT);
        assertThat(recorder.state(CHILD)).isEmpty();
        assertThat(recorder.dropped(CHILD)).isEqualTo(3);
        assertThat(recorder.dropped()).isEqualTo(3);
    }

    @Test
    void a_failing_callback_costs_no_session_its_end() {
        var recorder = recorder(RecorderOptions.standard().after(_ -> {
            throw new IllegalStateException("billing is down");
        }));
        recorder.onEvent(PARENT, start("a"));
        recorder.onEvent(CHILD, start("x"));

        assertThatIllegalStateException()
                .isThrownBy(recorder::flush)
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));

        assertThat(recorder.drainCompleted()).hasSize(2);
    }

    @Test
    void the_memory_of_closed_sessions_is_bounded() {
        var recorder = recorder(new RecorderOptions(Scope.LOCAL, false, _ -> false, _ -> {}, 2));
        var ids = new Ids(clock, new Random(5));
        var first = ids.session();
        recorder.onEvent(first, start("a"));
        for (int i = 0; i < 2; i++) {
            recorder.onEvent(ids.session(), start("a"));
        }

        assertThat(recorder.dropped(first)).isZero();
        assertThat(recorder.dropped()).isEqualTo(3);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RecorderOptions(Scope.LOCAL, false, _ -> true, _ -> {}, 0));
    }

    @Test
    void a_session_is_rotated_only_after_strictly_more_than_the_threshold() {
        parent(start("a"), end("a"));

        clock.now = NOON.plus(HALF_AN_HOUR);
        assertThat(recorder.rotateIfIdle(PARENT, HALF_AN_HOUR)).isEmpty();

        clock.now = clock.now.plusMillis(1);
        var next = recorder.rotateIfIdle(PARENT, HALF_AN_HOUR).orElseThrow();

        assertThat(recorder.drainCompleted()).extracting(Session::id).containsExactly(PARENT);
        assertThat(recorder.state(next).orElseThrow().opened()).satisfies(opened -> {
            assertThat(opened.formation()).isEqualTo(new Formation.InactivityTimeout(1800, PARENT));
            assertThat(opened.at()).isEqualTo(clock.now);
        });
        assertThat(recorder.rotateIfIdle(PARENT, HALF_AN_HOUR)).isEmpty();
    }

    @Test
    void a_session_that_works_or_waits_for_a_yes_is_not_idle() {
        parent(start("a"));
        clock.now = NOON.plus(Duration.ofDays(1));

        assertThat(recorder.rotateIfIdle(PARENT, HALF_AN_HOUR)).isEmpty();

        parent(Story.opened()
                .start("a")
                .asksApproval("a", "c1")
                .entries()
                .getLast()
                .event());
        assertThat(recorder.rotateIfIdle(PARENT, HALF_AN_HOUR)).isEmpty();
        assertThat(recorder.state(PARENT).orElseThrow().status()).isEqualTo(SessionStatus.WAITING);
    }

    @Test
    void an_unknown_session_is_not_idle() {
        assertThat(recorder.rotateIfIdle(PARENT, Duration.ZERO)).isEmpty();
    }

    @Test
    void a_session_may_be_rotated_at_will() {
        var scope = Scope.ofOwner("ann").withAgent("coder");
        var told = new ArrayList<SessionId>();
        var recorder = recorder(RecorderOptions.standard().withScope(scope).after(session -> told.add(session.id())));
        recorder.onEvent(PARENT, start("a"));

        var next = recorder.rotate(PARENT);

        assertThat(told).containsExactly(PARENT);
        assertThat(recorder.drainCompleted().getFirst().loops())
                .extracting(LoopRecord::status)
                .containsExactly(LoopStatus.ABORTED);
        assertThat(recorder.state(next).orElseThrow().opened().formation()).isEqualTo(new Formation.Explicit());
        assertThat(recorder.state(next).orElseThrow().scope()).isEqualTo(scope);

        recorder.onEvent(next, start("b"));
        assertThat(recorder.state(next).orElseThrow().version()).isEqualTo(2);
    }

    @Test
    void a_child_that_came_first_learns_its_parent_at_the_tools_end() {
        child(start("x"), end("x"));
        assertThat(spawnOfChild()).isNull();

        parent(start("a"), toolEnd());

        assertThat(spawnOfChild()).isEqualTo(SPAWN);
        assertThat(recorder.state(CHILD).orElseThrow().version()).isEqualTo(3);
    }

    @Test
    void a_tool_may_end_before_its_child_does() {
        parent(start("a"));
        child(start("x"));
        parent(toolEnd(), end("a"));
        child(end("x"));
        recorder.flush();

        var sessions = recorder.drainCompleted();

        assertThat(sessions.get(0).loop(loop("a")).orElseThrow().childRefs()).containsExactly(REF);
        assertThat(sessions.get(1).state().opened().spawn()).isEqualTo(SPAWN);
        assertThat(sessions.get(1).entries().getFirst().event())
                .isEqualTo(sessions.get(1).state().opened());
    }

    @Test
    void a_child_may_begin_after_its_parent_told_of_it() {
        parent(start("a"), new LoopEvent.ChildSpawned(NOON, loop("a"), REF));
        child(start("x"));

        assertThat(spawnOfChild()).isEqualTo(SPAWN);
    }

    @Test
    void a_child_that_was_flushed_still_learns_its_parent() {
        child(start("x"), end("x"));
        recorder.flush(CHILD);

        parent(start("a"), toolEnd());

        assertThat(recorder.drainCompleted())
                .singleElement()
                .satisfies(
                        session -> assertThat(session.state().opened().spawn()).isEqualTo(SPAWN));
    }

    @Test
    void what_was_handed_out_is_not_rewritten() {
        child(start("x"));
        var handedOut = recorder.checkpoint().get(CHILD);

        parent(start("a"), toolEnd());

        assertThat(spawnOfChild()).isEqualTo(SPAWN);
        assertThat(recorder.checkpoint()).containsOnlyKeys(PARENT);
        recorder.flush(CHILD);
        assertThat(recorder.drainCompleted()).singleElement().satisfies(session -> {
            assertThat(session.state().opened().spawn()).isEqualTo(SPAWN);
            assertThat(session.entries()).startsWith(handedOut.toArray(Entry[]::new));
        });
    }

    @Test
    void a_child_that_knows_its_parent_is_left_alone() {
        var own = new SpawnRef(PARENT, loop("other"), "c9", "delegate");
        child(Story.opening(CHILD).spawnedBy(own));

        parent(start("a"), toolEnd(), toolEnd());

        assertThat(spawnOfChild()).isEqualTo(own);
    }

    @Test
    void a_session_is_not_its_own_child() {
        parent(
                start("a"),
                new LoopEvent.ChildSpawned(NOON, loop("a"), new ChildLoopRef("c1", "sub_agent", loop("a"), PARENT)));

        assertThat(recorder.state(PARENT).orElseThrow().opened().spawn()).isNull();
    }

    @Test
    void a_rejected_parent_tells_nothing() {
        var recorder =
                recorder(RecorderOptions.standard().before(state -> !state.id().equals(PARENT)));
        recorder.onEvent(CHILD, start("x"));
        recorder.onEvent(PARENT, start("a"));
        recorder.onEvent(PARENT, toolEnd());

        assertThat(recorder.state(CHILD).orElseThrow().opened().spawn()).isNull();
    }
}
