package dev.skein.session;

import static dev.skein.session.Story.loop;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ContextViewTest {

    static List<Long> seeds() {
        return new Random(7).longs(200).boxed().toList();
    }

    @Test
    void a_session_without_loops_shows_nothing() {
        assertThat(Story.opened().view(50)).isEmpty();
    }

    @Test
    void a_view_follows_the_path_to_the_head() {
        var story = Story.opened().exchange("a", null).exchange("b", "a").exchange("c", "a");

        assertThat(story.view(50)).containsExactly("a?", "a!", "c?", "c!");
        assertThat(story.moveHead("b").view(50)).containsExactly("a?", "a!", "b?", "b!");
    }

    @Test
    void a_view_is_cut_to_the_newest() {
        var story = Story.opened();
        for (int i = 0; i < 40; i++) {
            story.exchange("l" + i, i == 0 ? null : "l" + (i - 1));
        }

        assertThat(story.view(50)).hasSize(50).startsWith("l15?").endsWith("l39!");
        assertThat(story.view(3)).containsExactly("l38!", "l39?", "l39!");
        assertThat(story.view(ContextView.ALL)).hasSize(80);
    }

    @Test
    void a_view_needs_room() {
        var session = Story.opened().session();

        assertThatIllegalArgumentException().isThrownBy(() -> session.context(0));
    }

    @Test
    void a_cut_through_results_drops_their_call_and_all_of_them() {
        var story = Story.opened()
                .start("a")
                .user("a", 0, "hi")
                .asks("a", 0, "c1", "c2")
                .finishes("a", 0, "c1")
                .finishes("a", 0, "c2")
                .assistant("a", 1, "done");

        assertThat(story.view(2)).containsExactly("done");
        assertThat(story.view(3)).containsExactly("done");
        assertThat(story.view(4)).containsExactly("call:c1,c2", "result of c1", "result of c2", "done");
    }

    @Test
    void the_newest_call_is_never_cut_to_nothing() {
        var story = Story.opened()
                .start("a")
                .user("a", 0, "hi")
                .asks("a", 0, "c1", "c2")
                .finishes("a", 0, "c1")
                .finishes("a", 0, "c2");

        assertThat(story.view(1)).containsExactly("call:c1,c2", "result of c1", "result of c2");
    }

    @Test
    void a_call_without_a_recorded_result_gets_one_that_says_so() {
        var story = Story.opened()
                .start("a")
                .asks("a", 0, "c1", "c2")
                .finishes("a", 0, "c2")
                .end("a", LoopStatus.ABORTED)
                .exchange("b", "a");

        var messages = story.session().context(50).messages();

        assertThat(messages.get(1).toolResults()).singleElement().satisfies(result -> {
            assertThat(result.call()).isEqualTo(Story.call("c1"));
            assertThat(result.isError()).isTrue();
            assertThat(messages.get(1).text()).contains("interrupted");
        });
        assertThat(Story.texts(messages.subList(2, 5))).containsExactly("result of c2", "b?", "b!");
    }

    @Test
    void a_result_that_came_after_a_steering_message_stands_behind_its_call() {
        var story = Story.opened()
                .start("a")
                .asks("a", 0, "c1", "c2")
                .finishes("a", 0, "c1")
                .user("a", 0, "hurry")
                .finishes("a", 0, "c2");

        assertThat(story.view(50)).containsExactly("call:c1,c2", "result of c1", "result of c2", "hurry");
    }

    @Test
    void a_result_that_came_in_the_next_loop_stands_behind_its_call() {
        var story = Story.opened()
                .start("a")
                .asks("a", 0, "c1")
                .end("a", LoopStatus.ABORTED)
                .start("b", "a")
                .finishes("b", 0, "c1")
                .assistant("b", 0, "done");

        assertThat(story.view(50)).containsExactly("call:c1", "result of c1", "done");
        assertThat(story.view(1)).containsExactly("done");
    }

    @Test
    void results_that_came_twice_or_unasked_are_left_out() {
        var story = Story.opened()
                .start("a")
                .asks("a", 0, "c1")
                .finishes("a", 0, "c1")
                .finishes("a", 0, "c1")
                .finishes("a", 0, "ghost");

        assertThat(story.view(50)).containsExactly("call:c1", "result of c1");
    }

    @Test
    void a_head_that_is_nowhere_shows_nothing() {
        var story = Story.opened().exchange("a", null);
        story.add(new SessionEvent.HeadMoved(story.now(), new LoopPointer(loop("ghost"), 99), null));

        assertThat(story.view(50)).isEmpty();
    }

    @Test
    void building_a_view_reads_only_what_it_shows() {
        var story = Story.opened();
        for (int i = 0; i < 1000; i++) {
            story.exchange("l" + i, i == 0 ? null : "l" + (i - 1));
        }
        var counting = new CountingSource(story.session());

        ContextView.of(counting, story.state(), 50);

        assertThat(counting.loopsRead).isEqualTo(25);
        assertThat(counting.blocksRead).isZero();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void every_window_over_any_conversation_is_valid(long seed) {
        var session = conversation(new Random(seed)).session();
        for (int max = 1; max <= 60; max++) {
            Views.assertValid(session, max);
        }
    }

    /// Loops of prompts, tool calls with results in any order, sometimes interrupted.
    private static Story conversation(Random random) {
        var story = Story.opened();
        for (int i = 0; i < 8; i++) {
            var loop = "l" + i;
            story.start(loop, i == 0 ? null : "l" + (i - 1)).user(loop, 0, "u" + i);
            for (int turn = 0; turn < random.nextInt(4); turn++) {
                tools(story, random, loop, turn, i);
            }
            story.assistant(loop, 9, "a" + i).end(loop);
        }
        return story;
    }

    private static void tools(Story story, Random random, String loop, int turn, int i) {
        var calls = new java.util.ArrayList<String>();
        for (int c = 0; c <= random.nextInt(5); c++) {
            calls.add("c" + i + "-" + turn + "-" + c);
        }
        story.asks(loop, turn, calls.toArray(String[]::new));
        java.util.Collections.shuffle(calls, random);
        for (var call : calls) {
            if (random.nextInt(8) == 0) {
                story.user(loop, turn, "steer");
            }
            if (random.nextInt(6) != 0) {
                story.finishes(loop, turn, call);
            }
        }
    }
}
