package dev.skein.session;

import static dev.skein.session.Story.loop;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.message.Cost;
import dev.skein.message.Usage;
import dev.skein.wire.EventCodec;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Random stories, sensible and senseless: whatever is told, the folds agree and nobody falls over.
class FoldPropertyTest {

    private static final int EVENTS = 120;

    static List<Long> seeds() {
        return new Random(20260101).longs(150).boxed().toList();
    }

    /// Random events over a handful of loops, most of which make no sense at their place.
    static Story chaos(long seed) {
        var random = new Random(seed);
        var story = Story.opened();
        for (int i = 0; i < EVENTS; i++) {
            step(story, random, "l" + random.nextInt(6), random.nextInt(3), "c" + random.nextInt(4));
        }
        return story;
    }

    private static void step(Story story, Random random, String loop, int turn, String call) {
        switch (random.nextInt(16)) {
            case 0, 1 -> startOnce(story, random, loop);
            case 2 -> story.turn(loop, turn);
            case 3, 4 -> story.user(loop, turn, "u" + random.nextInt(100));
            case 5 -> story.assistant(loop, turn, "a" + random.nextInt(100));
            case 6 -> story.asks(loop, turn, call, "c9");
            case 7, 8 -> story.finishes(loop, turn, call);
            case 9 -> story.endTurn(loop, turn, random.nextInt(50), random.nextInt(50));
            case 10 ->
                story.end(
                        loop,
                        List.of(LoopStatus.COMPLETED, LoopStatus.ABORTED, LoopStatus.REJECTED)
                                .get(random.nextInt(3)));
            case 11 -> story.asksApproval(loop, call);
            case 12 -> story.approves(loop, call);
            case 13 ->
                story.add(new SessionEvent.ParallelStarted(
                        story.now(), List.of(loop("p" + random.nextInt(9)), loop("q" + random.nextInt(9))), null));
            case 14 -> block(story, random, loop, turn);
            default ->
                story.add(
                        random.nextInt(4) == 0
                                ? new SessionEvent.SessionCleared(story.now())
                                : new SessionEvent.HeadMoved(
                                        story.now(), new LoopPointer(loop(loop), random.nextInt(EVENTS)), null));
        }
    }

    /// The state alone cannot know that a loop has ended long ago; journals start a loop once.
    private static void startOnce(Story story, Random random, String loop) {
        var id = loop + "-" + story.entries().size();
        var name = random.nextBoolean() ? id : loop;
        var known = story.entries().stream()
                .anyMatch(entry -> entry.event() instanceof LoopEvent.LoopStarted started
                        && started.loop().text().equals(name));
        if (!known) {
            story.add(Story.started(story.now(), name, "l" + random.nextInt(6), (long) random.nextInt(EVENTS)));
        }
    }

    private static void block(Story story, Random random, String loop, int turn) {
        if (random.nextBoolean()) {
            story.add(new SessionEvent.CompactionBlockRemoved(story.now(), "b" + random.nextInt(5)));
            return;
        }
        var until = new LoopPointer(loop(loop), random.nextInt(EVENTS));
        var previous = random.nextBoolean()
                ? null
                : new CompactionBlock.BlockPointer("b" + random.nextInt(5), random.nextInt(EVENTS));
        story.add(new SessionEvent.CompactionBlockSet(
                story.now(),
                new CompactionBlock(
                        "b" + random.nextInt(5), until, until, turn, List.of(), List.of(), story.now(), previous)));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void state_and_session_agree_on_what_was_used(long seed) {
        var session = chaos(seed).session();

        assertThat(session.loops().stream().map(LoopRecord::usage).reduce(Usage.NONE, Usage::plus))
                .isEqualTo(session.totalUsage());
        assertThat(session.loops().stream().map(LoopRecord::cost).reduce(Cost.NONE, Cost::plus))
                .isEqualTo(session.totalCost());
        assertThat(session.loops().stream()
                        .mapToLong(loop -> loop.said().size())
                        .sum())
                .isEqualTo(session.state().totals().messages());
        assertThat(session.loops().stream()
                        .mapToLong(loop -> loop.turns().size())
                        .sum())
                .isEqualTo(session.state().totals().turns());
        assertThat(session.loops().stream()
                        .filter(loop -> loop.startedAt() != null)
                        .count())
                .isEqualTo(session.state().totals().loops());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void state_and_session_agree_on_what_is_going_on(long seed) {
        var session = chaos(seed).session();

        for (var open : session.state().open()) {
            assertThat(session.loop(open.loop()).orElseThrow().status()).isEqualTo(open.status());
        }
        assertThat(session.loops().stream()
                        .filter(loop ->
                                loop.startedAt() != null && !loop.status().ended())
                        .map(LoopRecord::id))
                .isSubsetOf(session.state().open().stream()
                        .map(SessionState.OpenLoop::loop)
                        .toList());
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void folding_event_by_event_gives_the_same_as_folding_at_once(long seed) {
        var entries = chaos(seed).entries();
        var fold = new SessionFold();
        var state = SessionState.opening(entries.getFirst());
        fold.add(entries.getFirst());
        for (var entry : entries.subList(1, entries.size())) {
            fold.add(entry);
            fold.session();
            state = state.after(entry);
        }
        var whole = Session.replay(entries);

        assertThat(fold.session().state()).isEqualTo(whole.state()).isEqualTo(state);
        assertThat(List.copyOf(fold.session().loops())).isEqualTo(List.copyOf(whole.loops()));
        assertThat(fold.session().context(20)).isEqualTo(whole.context(20));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void a_session_that_went_over_the_wire_is_the_same(long seed) {
        var entries = chaos(seed).entries();
        var back = new ArrayList<Entry>();
        for (var entry : entries) {
            var bytes = EventCodec.encode(entry.event(), null);
            back.add(new Entry(
                    entry.seq(), EventCodec.decode(bytes, 0, bytes.length).event(), null, null));
        }

        assertThat(back).isEqualTo(entries);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void the_tree_has_no_circles_and_every_started_loop_is_in_it(long seed) {
        var session = chaos(seed).session();
        var seen = new HashSet<LoopId>();
        var queue = new ArrayList<>(session.roots());
        while (!queue.isEmpty()) {
            var loop = queue.removeLast();
            assertThat(seen.add(loop.id())).isTrue();
            queue.addAll(session.childrenOf(loop.id()));
        }

        assertThat(session.loops().stream()
                        .filter(loop -> loop.startedAt() != null)
                        .map(LoopRecord::id))
                .containsExactlyInAnyOrderElementsOf(seen);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void every_view_is_valid_for_a_provider(long seed) {
        var session = chaos(seed).session();
        for (var loop : session.loops()) {
            var story = new Story();
            session.entries().forEach(entry -> story.add(entry.event()));
            story.add(new SessionEvent.HeadMoved(story.now(), loop.pointer(), null));
            for (int max : new int[] {1, 2, 3, 7, 50}) {
                Views.assertValid(story.session(), max);
            }
        }
    }
}
