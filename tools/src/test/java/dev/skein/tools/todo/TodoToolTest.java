package dev.skein.tools.todo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.cancellation.Cancellation;
import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tools.call.Calls;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TodoToolTest {

    private final List<Message> conversation = new ArrayList<>();

    private Tool tool = restarted();

    /// A tool that remembers nothing but the conversation.
    private Tool restarted() {
        return TodoTool.over(_ -> List.copyOf(conversation));
    }

    private ToolOutcome call(String loop, Object... arguments) throws InterruptedException {
        return tool.run(Calls.request("todo", loop, arguments), new Cancellation());
    }

    /// Calls it and records the result, as the engine does.
    private String said(String loop, Object... arguments) throws InterruptedException {
        var outcome = call(loop, arguments);
        record(outcome);
        return Calls.words(outcome);
    }

    private void record(ToolOutcome outcome) {
        Part result = outcome.resultOf(Calls.call("todo"));
        conversation.add(Message.of(new MessageId("m" + conversation.size()), Role.TOOL, Instant.EPOCH, result));
    }

    @Test
    void a_list_is_begun_extended_worked_off_and_cleared() throws InterruptedException {
        assertThat(said("a", "action", "list")).isEqualTo("Nothing to do.");
        assertThat(said("a", "action", "init", "items", List.of("wash", "cook")))
                .isEqualTo("[ ] 1. wash\n[ ] 2. cook\n");
        assertThat(said("a", "action", "add", "items", List.of("eat"))).endsWith("[ ] 3. eat\n");
        assertThat(said("a", "action", "done", "number", 2)).isEqualTo("[ ] 1. wash\n[x] 2. cook\n[ ] 3. eat\n");
        assertThat(said("a", "action", "clear")).isEqualTo("Nothing to do.");
    }

    @Test
    void it_survives_a_restart_and_goes_on_in_the_next_loop() throws InterruptedException {
        said("a", "action", "init", "items", List.of("wash", "cook"));
        tool = restarted();

        assertThat(said("b", "action", "done", "number", 1)).isEqualTo("[x] 1. wash\n[ ] 2. cook\n");
    }

    @Test
    void it_goes_back_when_the_conversation_does() throws InterruptedException {
        said("a", "action", "init", "items", List.of("wash"));
        said("b", "action", "clear");
        conversation.removeLast();

        assertThat(said("c", "action", "list")).isEqualTo("[ ] 1. wash\n");
    }

    @Test
    void a_call_that_was_cut_off_can_be_made_again() throws InterruptedException {
        said("a", "action", "init", "items", List.of("wash"));
        var lost = call("a", "action", "add", "items", List.of("cook"));
        record(call("a", "action", "add", "items", List.of("eat")));
        tool = restarted();

        assertThat(Calls.words(lost)).contains("cook");
        assertThat(said("a", "action", "add", "items", List.of("cook")))
                .isEqualTo("[ ] 1. wash\n[ ] 2. cook\n[ ] 3. eat\n");
    }

    @Test
    void calls_side_by_side_lose_nothing_in_whatever_order_they_are_recorded() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = IntStream.range(0, 20)
                    .mapToObj(i -> threads.submit(() -> call("a", "action", "add", "items", List.of("item " + i))))
                    .toList();
            for (var outcome : running) {
                record(outcome.get());
            }
        }
        java.util.Collections.shuffle(conversation, new java.util.Random(3));
        tool = restarted();

        assertThat(said("b", "action", "list").lines()).hasSize(20);
    }

    @Test
    void mistakes_are_explained_and_change_nothing() throws InterruptedException {
        said("a", "action", "init", "items", List.of("wash"));

        assertThat(said("a", "action", "done", "number", 7)).isEqualTo("failed: there is no item 7; the list has 1");
        assertThat(said("a", "action", "fly")).contains("there is no action 'fly'");
        assertThat(said("a", "action", "add")).contains("'items' is missing");
        assertThat(said("a", "action", "add", "items", List.of(" "))).contains("is empty");
        assertThat(said("a", "action", "list")).isEqualTo("[ ] 1. wash\n");
    }
}
