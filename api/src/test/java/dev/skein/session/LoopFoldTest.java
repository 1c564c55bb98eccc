package dev.skein.session;

import static dev.skein.session.Story.loop;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.message.Cost;
import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Role;
import dev.skein.message.Usage;
import java.util.List;
import org.junit.jupiter.api.Test;

class LoopFoldTest {

    private static LoopRecord record(Story story) {
        return story.session().loop(loop("a")).orElseThrow();
    }

    @Test
    void a_turn_holds_its_input_output_results_and_usage() {
        var story = Story.opened()
                .start("a")
                .turn("a", 0)
                .user("a", 0, "hi")
                .asks("a", 0, "c1")
                .finishes("a", 0, "c1")
                .endTurn("a", 0, 10, 5);

        assertThat(record(story).turns()).singleElement().satisfies(turn -> {
            assertThat(turn.id()).isEqualTo(new TurnId(loop("a"), 0));
            assertThat(Story.texts(turn.input())).containsExactly("hi");
            assertThat(turn.output().toolCalls()).hasSize(1);
            assertThat(Story.texts(turn.toolResults())).containsExactly("result of c1");
            assertThat(turn.usage()).isEqualTo(Usage.of(10, 5));
            assertThat(turn.cost()).isEqualTo(Cost.ofUsd("0.01"));
            assertThat(turn.startedAt()).isBefore(turn.endedAt());
            assertThat(turn.trigger()).isEqualTo(Trigger.USER);
        });
    }

    @Test
    void several_turns_hold_what_was_said_in_each() {
        var story = Story.opened()
                .start("a")
                .turn("a", 0)
                .user("a", 0, "hi")
                .asks("a", 0, "c1")
                .finishes("a", 0, "c1")
                .endTurn("a", 0, 1, 1)
                .turn("a", 1)
                .user("a", 1, "and?")
                .assistant("a", 1, "done")
                .endTurn("a", 1, 2, 2)
                .end("a");

        var turns = record(story).turns();

        assertThat(turns).hasSize(2);
        assertThat(Story.texts(turns.get(1).input())).containsExactly("and?");
        assertThat(turns.get(1).output().text()).isEqualTo("done");
        assertThat(turns.get(1).toolResults()).isEmpty();
        assertThat(record(story).usage()).isEqualTo(Usage.of(3, 3));
    }

    @Test
    void a_turn_cut_short_is_no_turn_but_what_was_said_is_kept() {
        var story = Story.opened()
                .start("a")
                .turn("a", 0)
                .user("a", 0, "hi")
                .assistant("a", 0, "hello")
                .endTurn("a", 0, 1, 1)
                .turn("a", 1)
                .asks("a", 1, "c1")
                .end("a", LoopStatus.ABORTED);

        assertThat(record(story).turns()).hasSize(1);
        assertThat(Story.texts(record(story).messages())).containsExactly("hi", "hello", "call:c1");
        assertThat(record(story).status()).isEqualTo(LoopStatus.ABORTED);
    }

    @Test
    void a_loop_without_turn_events_has_messages_and_no_turns() {
        var story = Story.opened()
                .start("a")
                .user("a", 0, "hi")
                .assistant("a", 0, "hello")
                .end("a");

        assertThat(record(story).turns()).isEmpty();
        assertThat(record(story).messages()).hasSize(2);
    }

    @Test
    void results_stand_in_the_order_asked_although_they_came_in_another() {
        var story = Story.opened()
                .start("a")
                .asks("a", 0, "c1", "c2", "c3")
                .finishes("a", 0, "c3")
                .finishes("a", 0, "c1")
                .finishes("a", 0, "c2")
                .asks("a", 1, "c5", "c4")
                .finishes("a", 1, "c4")
                .finishes("a", 1, "c5");

        assertThat(Story.texts(record(story).messages()))
                .containsExactly(
                        "call:c1,c2,c3",
                        "result of c1",
                        "result of c2",
                        "result of c3",
                        "call:c5,c4",
                        "result of c5",
                        "result of c4");
    }

    @Test
    void a_result_nobody_asked_for_is_kept_behind_the_others() {
        var story = Story.opened()
                .start("a")
                .asks("a", 0, "c1")
                .finishes("a", 0, "ghost")
                .finishes("a", 0, "c1");

        assertThat(Story.texts(record(story).messages())).containsExactly("call:c1", "result of c1", "result of ghost");
    }

    @Test
    void every_event_of_the_loop_is_there_in_order() {
        var story = Story.opened().exchange("a", null).exchange("b", "a");

        assertThat(record(story).events()).extracting(Entry::seq).containsExactly(2L, 3L, 4L, 5L, 6L, 7L);
    }

    @Test
    void the_kinds_of_continuation_tell_how_a_loop_relates_to_its_parent() {
        assertThat(Continuation.rerun(Story.NOON))
                .isEqualTo(new Continuation(Continuation.Kind.RERUN, "2026-01-01T12:00:00Z"));
        assertThat(Continuation.branch(Story.NOON).kind()).isEqualTo(Continuation.Kind.BRANCH);
        assertThat(Continuation.INITIAL.tag()).isNull();
    }

    @Test
    void what_was_said_elsewhere_becomes_a_finished_loop_with_its_turns() {
        var messages = List.of(
                Message.of(new MessageId("1"), Role.USER, Story.NOON, "hi"),
                Message.of(new MessageId("2"), Role.ASSISTANT, Story.NOON, Story.toolCall("c1")),
                Message.of(
                        new MessageId("3"),
                        Role.TOOL,
                        Story.NOON,
                        dev.skein.message.Part.ToolResult.text(Story.call("c1"), "tool", "ok")),
                Message.of(new MessageId("4"), Role.ASSISTANT, Story.NOON, "done"),
                Message.of(new MessageId("5"), Role.USER, Story.NOON, "thanks"),
                Message.of(new MessageId("6"), Role.ASSISTANT, Story.NOON, "bye"));
        var story = Story.opened();
        Exchange.loop(loop("a"), null, messages).forEach(story::add);

        assertThat(record(story).messages()).isEqualTo(messages);
        assertThat(record(story).turns()).hasSize(3);
        assertThat(record(story).status()).isEqualTo(LoopStatus.COMPLETED);
    }
}
