package dev.skein.session;

import static dev.skein.session.Story.loop;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.skein.message.Cost;
import dev.skein.message.Usage;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SessionTest {

    private static List<String> ids(List<LoopRecord> loops) {
        return loops.stream().map(loop -> loop.id().text()).toList();
    }

    @Test
    void a_session_starts_with_being_opened() {
        assertThatIllegalStateException().isThrownBy(() -> new SessionFold().session());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Story()
                        .add(new SessionEvent.SessionCleared(Story.NOON))
                        .session())
                .withMessageContaining("session_opened");
    }

    @Test
    void events_have_no_gaps() {
        var state = Story.opened().state();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> state.after(Entry.of(3, new SessionEvent.SessionCleared(Story.NOON))))
                .withMessageContaining("3 does not follow 1");
    }

    @Test
    void one_loop_is_root_head_and_path() {
        var story = Story.opened().exchange("a", null);
        var session = story.session();

        assertThat(ids(session.roots())).containsExactly("a");
        assertThat(ids(session.path())).containsExactly("a");
        assertThat(session.state().head()).isEqualTo(story.pointer("a"));
        assertThat(session.loop(loop("a")).orElseThrow()).satisfies(record -> {
            assertThat(record.status()).isEqualTo(LoopStatus.COMPLETED);
            assertThat(record.session()).isEqualTo(Story.ID);
            assertThat(Story.texts(record.messages())).containsExactly("a?", "a!");
            assertThat(record.startedAt()).isBefore(record.endedAt());
            assertThat(record.events()).hasSize(6);
        });
    }

    @Test
    void the_tree_is_linked_both_ways() {
        var session = Story.opened()
                .exchange("a", null)
                .exchange("b", "a")
                .exchange("c", "a")
                .exchange("d", "c")
                .session();

        assertThat(ids(session.roots())).containsExactly("a");
        assertThat(ids(session.childrenOf(loop("a")))).containsExactly("b", "c");
        assertThat(ids(session.childrenOf(loop("b")))).isEmpty();
        assertThat(ids(session.childrenOf(loop("nobody")))).isEmpty();
        assertThat(ids(session.pathTo(loop("d")))).containsExactly("a", "c", "d");
        assertThat(ids(session.pathTo(loop("nobody")))).isEmpty();
        assertThat(session.loops()).allSatisfy(child -> {
            if (child.parent() != null) {
                assertThat(ids(session.childrenOf(child.parent())))
                        .contains(child.id().text());
            }
        });
    }

    @Test
    void totals_are_those_of_all_loops() {
        var session = Story.opened().exchange("a", null).exchange("b", "a").session();

        assertThat(session.totalUsage()).isEqualTo(Usage.of(20, 10));
        assertThat(session.totalCost()).isEqualTo(Cost.ofUsd("0.02"));
        assertThat(session.state().totals().messages()).isEqualTo(4);
        assertThat(session.state().totals().turns()).isEqualTo(2);
        assertThat(session.state().totals().loops()).isEqualTo(2);
    }

    @Test
    void a_running_loop_counts_already() {
        var state = Story.opened().start("a").turn("a", 0).endTurn("a", 0, 7, 3).state();

        assertThat(state.usage()).isEqualTo(Usage.of(7, 3));
        assertThat(state.totals().usage()).isEqualTo(Usage.NONE);
    }

    @Test
    void what_the_end_tells_replaces_the_sum_of_turns() {
        var story = Story.opened().start("a").turn("a", 0).endTurn("a", 0, 7, 3);
        story.add(new LoopEvent.LoopEnded(
                story.now(), loop("a"), LoopStatus.COMPLETED, null, Usage.of(9, 9), Cost.ofUsd("1")));

        assertThat(story.session().totalUsage()).isEqualTo(Usage.of(9, 9));
        assertThat(story.session().loop(loop("a")).orElseThrow().cost()).isEqualTo(Cost.ofUsd("1"));
    }

    @Test
    void a_loop_whose_parent_is_of_another_session_is_a_root() {
        var story = Story.opened();
        story.add(Story.started(story.now(), "sub", "elsewhere", 7L));

        assertThat(ids(story.session().roots())).containsExactly("sub");
        assertThat(ids(story.session().path())).containsExactly("sub");
    }

    @Test
    void a_loop_that_names_itself_as_its_parent_is_a_root() {
        var story = Story.opened();
        story.add(Story.started(story.now(), "a", "a", 2L));

        assertThat(ids(story.session().roots())).containsExactly("a");
        assertThat(ids(story.session().path())).containsExactly("a");
        assertThat(story.view(50)).isEmpty();
    }

    @Test
    void loops_that_name_each_other_as_parents_make_no_circle() {
        var story = Story.opened();
        story.add(Story.started(story.now(), "a", "b", 3L));
        story.add(Story.started(story.now(), "b", "a", 2L));

        assertThat(ids(story.session().pathTo(loop("b")))).containsExactly("a", "b");
        assertThat(ids(story.session().pathTo(loop("a")))).containsExactly("a");
    }

    @Test
    void a_second_start_or_end_changes_nothing() {
        var once = Story.opened().exchange("a", null).start("b", "a").end("b");
        var twice = Story.opened().exchange("a", null).start("b", "a");
        twice.add(Story.started(twice.now(), "b", null, null)).end("b").end("b", LoopStatus.ABORTED);

        assertThat(ids(twice.session().pathTo(loop("b")))).containsExactly("a", "b");
        assertThat(twice.state().totals()).isEqualTo(once.state().totals());
        assertThat(twice.state().status()).isEqualTo(SessionStatus.IDLE);
        assertThat(twice.session().loop(loop("b")).orElseThrow().status()).isEqualTo(LoopStatus.COMPLETED);
    }

    @Test
    void events_of_a_loop_that_never_started_are_kept_and_count_no_usage() {
        var session = Story.opened()
                .exchange("a", null)
                .user("ghost", 0, "boo")
                .endTurn("ghost", 0, 99, 99)
                .end("ghost", LoopStatus.ABORTED)
                .session();

        assertThat(Story.texts(session.loop(loop("ghost")).orElseThrow().messages()))
                .containsExactly("boo");
        assertThat(session.totalUsage()).isEqualTo(Usage.of(10, 5));
        assertThat(session.state().status()).isEqualTo(SessionStatus.IDLE);
        assertThat(ids(session.path())).containsExactly("a");
    }

    @Test
    void sub_agents_are_referred_to_once() {
        var child = new ChildLoopRef("c1", "sub_agent", loop("x"), Story.ID);
        var story = Story.opened().start("a");
        story.add(new LoopEvent.ChildSpawned(story.now(), loop("a"), child));
        story.add(Story.toolFinished(story.now(), "a", 0, "c1", child));

        assertThat(story.session().loop(loop("a")).orElseThrow().childRefs()).containsExactly(child);
    }

    @Test
    void an_opaque_event_changes_nothing_but_is_kept() {
        var body = tools.jackson.databind.node.JsonNodeFactory.instance.objectNode();
        var story = Story.opened().exchange("a", null);
        var before = story.state();
        story.add(new SessionEvent.Opaque(java.time.Instant.EPOCH, "future", body));

        assertThat(story.state().head()).isEqualTo(before.head());
        assertThat(story.state().lastActivityAt()).isEqualTo(before.lastActivityAt());
        assertThat(story.session().entries()).hasSize(8);
    }

    @Test
    void a_session_never_changes() {
        var session = Story.opened().exchange("a", null).session();

        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> session.entries().clear());
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> session.loops().clear());
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void a_hundred_thousand_loops_are_replayed_and_walked() {
        var story = new SessionFold();
        story.add(Entry.of(1, Story.opening(Story.ID)));
        long seq = 1;
        long parent = 0;
        for (int i = 0; i < 100_000; i++) {
            var start = ++seq;
            story.add(Entry.of(
                    start, Story.started(Story.NOON, "l" + i, i == 0 ? null : "l" + (i - 1), i == 0 ? null : parent)));
            story.add(Entry.of(++seq, Story.ended(Story.NOON, "l" + i, LoopStatus.COMPLETED)));
            parent = start;
        }
        var session = story.session();

        assertThat(session.path()).hasSize(100_000);
        assertThat(session.loops())
                .allSatisfy(loop -> assertThat(session.childrenOf(loop.id()))
                        .hasSize(loop.id().equals(loop("l99999")) ? 0 : 1));
        assertThat(session.context(50).messages()).isEmpty();
    }
}
