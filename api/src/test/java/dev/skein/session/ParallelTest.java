package dev.skein.session;

import static dev.skein.session.Story.loop;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.message.Usage;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ParallelTest {

    private static final List<LoopId> BRANCHES = List.of(loop("p"), loop("q"), loop("r"));

    private static Story announced() {
        var story = Story.opened().exchange("a", null);
        return story.add(new SessionEvent.ParallelStarted(story.now(), BRANCHES, story.pointer("a")));
    }

    private static Story chosen(Story story, String winner, int index) {
        return story.add(new SessionEvent.ParallelEnded(story.now(), BRANCHES, loop(winner), index, Usage.of(3, 1)));
    }

    private static LoopRecord record(Story story, String loop) {
        return story.session().loop(loop(loop)).orElseThrow();
    }

    @Test
    void announced_branches_are_pending_and_know_their_group() {
        var story = announced();

        assertThat(Stream.of("p", "q", "r").map(id -> record(story, id).status()))
                .containsOnly(LoopStatus.PENDING);
        assertThat(story.session().parallelSiblings(loop("q")))
                .extracting(LoopRecord::id)
                .isEqualTo(BRANCHES);
        assertThat(story.state().status()).isEqualTo(SessionStatus.RUNNING);
        assertThat(record(story, "p").parallel()).isEqualTo(new ParallelGroup(BRANCHES, null, null, Usage.NONE));
    }

    @Test
    void a_branch_does_not_become_the_head_by_starting() {
        var story = announced().start("p", "a").start("q", "a");

        assertThat(story.state().head()).isEqualTo(story.pointer("a"));
        assertThat(record(story, "p").status()).isEqualTo(LoopStatus.RUNNING);
        assertThat(record(story, "r").status()).isEqualTo(LoopStatus.PENDING);
    }

    @Test
    void the_winner_becomes_the_head_and_the_others_are_kept() {
        var story = announced().exchange("p", "a").exchange("q", "a").exchange("r", "a");
        chosen(story, "q", 1);

        assertThat(story.state().head()).isEqualTo(story.pointer("q"));
        assertThat(story.state().open()).isEmpty();
        assertThat(story.state().status()).isEqualTo(SessionStatus.IDLE);
        assertThat(story.view(50)).containsExactly("a?", "a!", "q?", "q!");
        assertThat(record(story, "p").parallel().isSelected(loop("p"))).isFalse();
        assertThat(record(story, "q").parallel()).satisfies(group -> {
            assertThat(group.isSelected(loop("q"))).isTrue();
            assertThat(group.selectedIndex()).isEqualTo(1);
        });
        assertThat(story.session().childrenOf(loop("a"))).hasSize(3);
        assertThat(story.session().parallelSiblings(loop("a"))).isEmpty();
    }

    @Test
    void the_judges_tokens_count() {
        var story = announced().exchange("p", "a").exchange("q", "a").exchange("r", "a");

        assertThat(chosen(story, "q", 1).session().totalUsage()).isEqualTo(Usage.of(43, 21));
    }

    @Test
    void interleaved_branches_are_kept_apart() {
        var story = announced()
                .start("p", "a")
                .start("q", "a")
                .user("p", 0, "from p")
                .user("q", 0, "from q")
                .endTurn("q", 0, 2, 2)
                .endTurn("p", 0, 1, 1)
                .end("q")
                .end("p");

        assertThat(Story.texts(record(story, "p").messages())).containsExactly("from p");
        assertThat(Story.texts(record(story, "q").messages())).containsExactly("from q");
        assertThat(record(story, "p").usage()).isEqualTo(Usage.of(1, 1));
        assertThat(record(story, "q").usage()).isEqualTo(Usage.of(2, 2));
    }

    @Test
    void a_loser_that_still_runs_comes_to_its_own_end() {
        var story = announced().exchange("p", "a").start("q", "a");
        chosen(story, "p", 0);
        assertThat(story.state().status()).isEqualTo(SessionStatus.RUNNING);

        story.endTurn("q", 0, 1, 1).end("q", LoopStatus.ABORTED);

        assertThat(story.state().head()).isEqualTo(story.pointer("p"));
        assertThat(story.state().open()).isEmpty();
        assertThat(story.state().usage()).isEqualTo(Usage.of(24, 12));
    }

    @Test
    void a_branch_that_never_started_is_no_longer_waited_for() {
        var story = announced().exchange("p", "a");
        chosen(story, "p", 0);

        assertThat(story.state().status()).isEqualTo(SessionStatus.IDLE);
    }

    @Test
    void a_branch_that_ends_twice_counts_once() {
        var story = announced().exchange("p", "a");
        story.add(
                new LoopEvent.LoopEnded(story.now(), loop("p"), LoopStatus.COMPLETED, null, Usage.of(100, 100), null));
        story.endTurn("p", 1, 50, 50);

        assertThat(chosen(story, "p", 0).state().usage()).isEqualTo(Usage.of(23, 11));
    }

    @Test
    void a_branch_that_started_before_it_was_announced_is_not_forgotten() {
        var story = Story.opened().exchange("a", null).start("p", "a").endTurn("p", 0, 5, 5);
        story.add(new SessionEvent.ParallelStarted(story.now(), BRANCHES, story.pointer("a")));
        story.end("p");

        assertThat(story.state().usage()).isEqualTo(Usage.of(15, 10));
        assertThat(chosen(story, "p", 0).state().head()).isEqualTo(story.pointer("p"));
    }
}
