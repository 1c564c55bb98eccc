package dev.skein.session;

import static dev.skein.session.Story.NOON;
import static dev.skein.session.Story.loop;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.message.MessageId;
import dev.skein.message.Usage;
import dev.skein.wire.FormatVersion;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SessionRecorderTest {

    private static final SessionId ONE = SessionId.of("01900000-0000-7000-8000-000000000001");
    private static final SessionId TWO = SessionId.of("01900000-0000-7000-8000-000000000002");
    private static final Clock CLOCK = Clock.fixed(NOON.plusSeconds(60), ZoneOffset.UTC);

    private final SessionRecorder recorder = recorder(RecorderOptions.standard());

    private static SessionRecorder recorder(RecorderOptions options) {
        return new SessionRecorder(CLOCK, new Ids(CLOCK, new Random(1)), options);
    }

    private static LoopEvent.LoopStarted start(String id) {
        return Story.started(NOON, id, null, null);
    }

    private static LoopEvent.LoopEnded end(String id) {
        return Story.ended(NOON, id, LoopStatus.COMPLETED);
    }

    private static LoopEvent.MessageEnded said(String loop, String text) {
        var message = dev.skein.message.Message.of(new MessageId("m"), dev.skein.message.Role.USER, NOON, text);
        return new LoopEvent.MessageEnded(NOON, loop(loop), 0, message);
    }

    private static LoopEvent.MessageDelta delta(String loop) {
        return new LoopEvent.MessageDelta(NOON, loop(loop), 0, new MessageId("m"), Delta.TEXT, "x");
    }

    private Session flushed() {
        recorder.flush();
        return recorder.drainCompleted().getFirst();
    }

    private void on(SessionEvent... events) {
        for (var event : events) {
            recorder.onEvent(ONE, event);
        }
    }

    @Test
    void a_session_opens_with_the_first_event_that_names_it() {
        on(start("a"), said("a", "hi"), end("a"));

        var session = flushed();

        assertThat(session.id()).isEqualTo(ONE);
        assertThat(session.state().scope()).isEqualTo(Scope.LOCAL);
        assertThat(session.state().opened().formation()).isEqualTo(new Formation.FirstLoop());
        assertThat(session.state().opened().format())
                .isEqualTo(FormatVersion.current().number());
        assertThat(session.entries()).extracting(Entry::seq).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void a_session_that_tells_how_it_was_opened_is_believed_except_for_its_id() {
        on(Story.opening(TWO), start("a"), end("a"));

        assertThat(flushed().state().opened()).isEqualTo(Story.opening(ONE));
    }

    @Test
    void the_default_scope_is_a_setting() {
        var scope = Scope.ofOwner("ann").withAgent("coder");
        var recorder = recorder(RecorderOptions.standard().withScope(scope));
        recorder.onEvent(ONE, start("a"));

        assertThat(recorder.state(ONE).orElseThrow().scope()).isEqualTo(scope);
    }

    @Test
    void fragments_are_left_out_and_take_no_number() {
        on(start("a"), delta("a"), delta("a"), said("a", "x"), end("a"));

        assertThat(flushed().entries()).hasSize(4).extracting(Entry::seq).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void fragments_are_recorded_if_asked_for() {
        var recorder = recorder(RecorderOptions.standard().withStreamingEvents());
        recorder.onEvent(ONE, start("a"));
        recorder.onEvent(ONE, delta("a"));

        assertThat(recorder.state(ONE).orElseThrow().version()).isEqualTo(3);
    }

    @Test
    void that_a_message_began_is_recorded_either_way() {
        on(
                start("a"),
                new LoopEvent.MessageStarted(NOON, loop("a"), 0, new MessageId("m"), dev.skein.message.Role.ASSISTANT));

        assertThat(recorder.state(ONE).orElseThrow().version()).isEqualTo(3);
    }

    @Test
    void a_fragment_alone_opens_no_session() {
        on(delta("a"));

        assertThat(recorder.state(ONE)).isEmpty();
    }

    @Test
    void sessions_and_branches_that_interleave_are_kept_apart() {
        var branches = List.of(loop("p"), loop("q"));
        recorder.onEvent(ONE, start("a"));
        recorder.onEvent(TWO, start("a"));
        recorder.onEvent(ONE, said("a", "one"));
        recorder.onEvent(TWO, said("a", "two"));
        on(end("a"), new SessionEvent.ParallelStarted(NOON, branches, new LoopPointer(loop("a"), 77)));
        assertThat(recorder.state(ONE).orElseThrow().open())
                .extracting(SessionState.OpenLoop::status)
                .containsOnly(LoopStatus.PENDING);
        on(Story.started(NOON, "p", "a", 77L), Story.started(NOON, "q", "a", null));
        on(said("q", "from q"), said("p", "from p"), end("q"), end("p"));
        on(new SessionEvent.ParallelEnded(NOON, branches, loop("q"), 1, Usage.NONE));

        recorder.flush();
        var sessions = recorder.drainCompleted();

        assertThat(sessions).extracting(Session::id).containsExactly(ONE, TWO);
        assertThat(Story.texts(sessions.get(0).context(50).messages())).containsExactly("one", "from q");
        assertThat(Story.texts(sessions.get(1).context(50).messages())).containsExactly("two");
        assertThat(sessions.get(0).parallelSiblings(loop("p"))).hasSize(2);
    }

    @Test
    void sequence_numbers_inside_events_are_set_anew() {
        on(start("a"), end("a"), Story.started(NOON, "b", "a", 999L), said("b", "hi"), end("b"));
        on(new SessionEvent.HeadMoved(NOON, new LoopPointer(loop("a"), 999), null));
        on(
                new SessionEvent.CompactionBlockSet(NOON, block("1")),
                new SessionEvent.CompactionBlockSet(NOON, block("2")));

        var session = flushed();

        assertThat(session.state().head()).isEqualTo(new LoopPointer(loop("a"), 2));
        assertThat(session.loop(loop("b")).orElseThrow().parentSeq()).isEqualTo(2);
        assertThat(session.loop(loop("a")).orElseThrow().compaction()).satisfies(block -> {
            assertThat(block.until()).isEqualTo(new LoopPointer(loop("a"), 2));
            assertThat(block.previous()).isEqualTo(new CompactionBlock.BlockPointer("1", 8));
        });
    }

    private static CompactionBlock block(String id) {
        return new CompactionBlock(id, null, new LoopPointer(loop("a"), 999), null, List.of(), List.of(), NOON, null);
    }

    @Test
    void flushing_aborts_open_loops_and_keeps_what_was_finished() {
        on(start("a"), said("a", "hi"));
        on(new SessionEvent.ParallelStarted(NOON, List.of(loop("p")), null));

        var session = flushed();

        assertThat(session.loops()).extracting(LoopRecord::status).containsOnly(LoopStatus.ABORTED);
        assertThat(Story.texts(session.loop(loop("a")).orElseThrow().messages()))
                .containsExactly("hi");
        assertThat(session.loop(loop("a")).orElseThrow().endedAt()).isEqualTo(CLOCK.instant());
        assertThat(session.state().status()).isEqualTo(SessionStatus.ABORTED);
        assertThat(session.entries().getLast().event())
                .isInstanceOfSatisfying(
                        LoopEvent.LoopEnded.class,
                        ended -> assertThat(ended.reason()).isEqualTo("the recording ended before the loop did"));
    }

    @Test
    void finished_sessions_are_handed_over_once() {
        on(start("a"), end("a"));
        assertThat(recorder.drainCompleted()).isEmpty();

        recorder.flush();
        recorder.flush();

        assertThat(recorder.drainCompleted()).hasSize(1);
        assertThat(recorder.drainCompleted()).isEmpty();
        assertThat(recorder.state(ONE)).isEmpty();
    }

    @Test
    void one_session_may_be_flushed_alone() {
        on(start("a"));
        recorder.onEvent(TWO, start("b"));

        recorder.flush(ONE);

        assertThat(recorder.drainCompleted()).extracting(Session::id).containsExactly(ONE);
        assertThat(recorder.state(TWO).orElseThrow().status()).isEqualTo(SessionStatus.RUNNING);
    }

    @Test
    void events_after_the_end_are_dropped_and_counted() {
        on(start("a"));
        recorder.flush();
        on(end("a"), start("b"));

        assertThat(recorder.dropped()).isEqualTo(2);
        assertThat(recorder.dropped(ONE)).isEqualTo(2);
        assertThat(recorder.drainCompleted())
                .singleElement()
                .satisfies(session -> assertThat(session.entries()).hasSize(3));
    }

    @Test
    void a_checkpoint_hands_out_what_is_new() {
        on(start("a"));
        recorder.onEvent(TWO, start("b"));
        assertThat(recorder.checkpoint())
                .containsOnlyKeys(ONE, TWO)
                .allSatisfy((_, entries) ->
                        assertThat(entries).extracting(Entry::seq).containsExactly(1L, 2L));
        assertThat(recorder.checkpoint()).isEmpty();

        on(said("a", "hi"));
        assertThat(recorder.checkpoint())
                .containsOnlyKeys(ONE)
                .hasEntrySatisfying(
                        ONE,
                        entries -> assertThat(entries).extracting(Entry::seq).containsExactly(3L));
    }

    @Test
    void all_checkpoints_together_are_the_session() {
        var handedOut = new ArrayList<Entry>();
        for (var entry : Story.opened()
                .exchange("a", null)
                .exchange("b", "a")
                .start("c", "b")
                .entries()) {
            on(entry.event());
            handedOut.addAll(recorder.checkpoint().getOrDefault(ONE, List.of()));
        }
        recorder.flush();
        handedOut.addAll(recorder.checkpoint().get(ONE));

        assertThat(recorder.drainCompleted().getFirst().entries()).isEqualTo(handedOut);
        assertThat(recorder.checkpoint()).isEmpty();
    }

    @Test
    void senseless_events_do_not_disturb_the_others() {
        on(start("a"), said("a", "hi"));
        on(start("a"), Story.opening(TWO), said("ghost", "boo"), end("ghost"), start("\u0000../odd id"));
        on(Story.started(NOON, "self", "self", 1L), end("a"), start("a"), end("a"));

        var session = flushed();

        assertThat(session.id()).isEqualTo(ONE);
        assertThat(session.loop(loop("a")).orElseThrow().status()).isEqualTo(LoopStatus.COMPLETED);
        assertThat(Story.texts(session.loop(loop("a")).orElseThrow().messages()))
                .containsExactly("hi");
        assertThat(Story.texts(session.loop(loop("ghost")).orElseThrow().messages()))
                .containsExactly("boo");
        assertThat(session.state().totals().loops()).isEqualTo(3);
        assertThat(recorder.dropped()).isEqualTo(3);
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void many_loops_and_checkpoints_are_recorded_one_by_one() {
        var entries = 0L;
        for (int i = 0; i < 100_000; i++) {
            on(Story.started(NOON, "l" + i, i == 0 ? null : "l" + (i - 1), null), end("l" + i));
            entries += recorder.checkpoint().get(ONE).size();
        }

        assertThat(entries).isEqualTo(200_001);
        assertThat(flushed().path()).hasSize(100_000);
    }

    @Test
    void many_threads_may_record_at_once() throws InterruptedException {
        var threads = IntStream.range(0, 8)
                .mapToObj(thread -> Thread.ofVirtual().start(() -> {
                    for (int i = 0; i < 500; i++) {
                        on(start(thread + "-" + i), end(thread + "-" + i));
                    }
                }))
                .toList();
        for (var thread : threads) {
            thread.join();
        }

        assertThat(flushed().loops())
                .hasSize(4000)
                .allSatisfy(loop -> Assertions.assertThat(loop.status()).isEqualTo(LoopStatus.COMPLETED));
    }

    @Test
    void recording_a_random_story_gives_the_same_as_replaying_it() {
        for (long seed = 0; seed < 30; seed++) {
            var story = Story.opened();
            var random = new Random(seed);
            var last = "";
            for (int i = 0; i < 20; i++) {
                var parent = i == 0 || random.nextInt(5) == 0 ? null : last;
                last = "l" + i;
                story.exchange(last, parent);
            }
            var recorder = recorder(RecorderOptions.standard());
            story.entries().forEach(entry -> recorder.onEvent(ONE, entry.event()));
            recorder.flush();

            assertThat(recorder.drainCompleted().getFirst().entries()).isEqualTo(story.entries());
        }
    }

    @Test
    void time_stamps_are_those_of_the_events() {
        on(start("a"), end("a"));

        assertThat(flushed().entries()).extracting(entry -> entry.event().at()).containsOnly(NOON);
    }
}
