package dev.skein.session;

import static dev.skein.session.Story.loop;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Role;
import dev.skein.session.CompactionBlock.KeptTurns;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CompactionTest {

    private final Story story =
            Story.opened().exchange("a", null).exchange("b", "a").exchange("c", "b");

    /// Lays a summary over everything from one loop to another.
    private void summarise(String id, @Nullable String from, String until) {
        set(id, from, until, null, List.of());
    }

    private void set(
            String id, @Nullable String from, String until, @Nullable Integer untilTurn, List<KeptTurns> kept) {
        var summary = Message.of(new MessageId("sum-" + id), Role.SYSTEM, story.now(), "summary " + id);
        story.add(new SessionEvent.CompactionBlockSet(
                story.now(),
                new CompactionBlock(
                        id,
                        from == null ? null : story.pointer(from),
                        story.pointer(until),
                        untilTurn,
                        kept,
                        List.of(summary),
                        story.now(),
                        story.state().compaction())));
    }

    private void remove(String id) {
        story.add(new SessionEvent.CompactionBlockRemoved(story.now(), id));
    }

    @Test
    void a_block_stands_for_what_it_covers() {
        summarise("1", null, "b");

        assertThat(story.view(50)).containsExactly("summary 1", "c?", "c!");
        assertThat(story.session().loop(loop("b")).orElseThrow().compaction().id())
                .isEqualTo("1");
    }

    @Test
    void the_originals_stay_and_come_back_when_the_block_is_removed() {
        summarise("1", null, "b");
        assertThat(story.session().loop(loop("a")).orElseThrow().messages()).hasSize(2);

        remove("1");

        assertThat(story.view(50)).containsExactly("a?", "a!", "b?", "b!", "c?", "c!");
        assertThat(story.session().loop(loop("b")).orElseThrow().compaction()).isNull();
    }

    @Test
    void a_block_over_the_middle_leaves_what_is_before() {
        summarise("1", "b", "b");

        assertThat(story.view(50)).containsExactly("a?", "a!", "summary 1", "c?", "c!");
    }

    @Test
    void blocks_follow_each_other() {
        summarise("1", null, "a");
        summarise("2", "b", "b");

        assertThat(story.view(50)).containsExactly("summary 1", "summary 2", "c?", "c!");
    }

    @Test
    void a_newer_block_covers_an_older_one_and_gives_it_back() {
        summarise("1", null, "a");
        summarise("2", null, "b");
        assertThat(story.view(50)).containsExactly("summary 2", "c?", "c!");

        remove("2");

        assertThat(story.view(50)).containsExactly("summary 1", "b?", "b!", "c?", "c!");
    }

    @Test
    void of_two_blocks_that_end_in_one_loop_the_newer_counts_whichever_is_removed() {
        summarise("1", null, "b");
        summarise("2", "b", "b");
        remove("1");

        assertThat(story.view(50)).containsExactly("a?", "a!", "summary 2", "c?", "c!");
        assertThat(story.session().loop(loop("b")).orElseThrow().compaction().id())
                .isEqualTo("2");

        remove("2");
        assertThat(story.session().loop(loop("b")).orElseThrow().compaction()).isNull();
        assertThat(story.view(50)).hasSize(6);
    }

    @Test
    void a_block_counts_only_on_the_path_that_goes_through_its_end() {
        summarise("1", null, "c");
        story.exchange("d", "b");

        assertThat(story.view(50)).containsExactly("a?", "a!", "b?", "b!", "d?", "d!");
        assertThat(story.moveHead("c").view(50)).containsExactly("summary 1");
    }

    @Test
    void a_block_is_found_although_a_newer_one_was_set_further_back() {
        summarise("1", null, "c");
        story.moveHead("a");
        summarise("2", null, "a");
        story.moveHead("c");

        assertThat(story.view(50)).containsExactly("summary 1");
        assertThat(story.moveHead("b").view(50)).containsExactly("summary 2", "b?", "b!");
    }

    @Test
    void kept_turns_stay_word_for_word_before_the_summary() {
        set("1", null, "b", null, List.of(new KeptTurns(story.pointer("a"), 0, 0)));

        assertThat(story.view(50)).containsExactly("a?", "a!", "summary 1", "c?", "c!");
    }

    @Test
    void a_block_may_end_within_a_loop() {
        story.start("d", "c")
                .user("d", 0, "first")
                .assistant("d", 0, "one")
                .user("d", 1, "second")
                .assistant("d", 1, "two");
        set("1", null, "d", 0, List.of());

        assertThat(story.view(50)).containsExactly("summary 1", "second", "two");
    }

    @Test
    void clearing_hides_summaries_too() {
        summarise("1", null, "c");
        story.add(new SessionEvent.SessionCleared(story.now()));

        assertThat(story.exchange("d", null).view(50)).containsExactly("d?", "d!");
    }

    @Test
    void a_summary_is_cut_like_any_message() {
        summarise("1", null, "b");

        assertThat(story.view(2)).containsExactly("c?", "c!");
        assertThat(story.view(3)).containsExactly("summary 1", "c?", "c!");
    }

    @Test
    void a_block_over_an_unknown_loop_makes_no_loop() {
        story.add(new SessionEvent.CompactionBlockSet(
                story.now(),
                new CompactionBlock(
                        "x", null, new LoopPointer(loop("ghost"), 99), null, List.of(), List.of(), story.now(), null)));
        remove("nobody");

        assertThat(story.session().loops()).hasSize(3);
        assertThat(story.view(50)).hasSize(6);
    }

    @Test
    void only_blocks_newer_than_what_is_shown_are_read() {
        for (int i = 0; i < 100; i++) {
            var until = i == 0 ? "c" : "l" + (i - 1);
            summarise("s" + i, null, until);
            story.exchange("l" + i, until);
        }
        var counting = new CountingSource(story.session());

        assertThat(ContextView.of(counting, story.state(), 50).messages()).hasSize(3);
        assertThat(counting.blocksRead).isEqualTo(1);
    }
}
