package dev.skein.provider.offline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.Cancelled;
import dev.skein.message.Cost;
import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.ToolCallId;
import dev.skein.model.ModelReply;
import dev.skein.model.ModelReply.StopReason;
import dev.skein.model.ModelRequest;
import dev.skein.model.ReplyFragment;
import dev.skein.model.Sampling;
import dev.skein.tool.ToolSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

class OfflineModelTest {

    private final OfflineModel model = new OfflineModel();
    private final List<ReplyFragment> fragments = new ArrayList<>();

    @Test
    void the_first_sentence_says_that_it_is_no_language_model() {
        assertThat(text(answer(said("hello there"))))
                .isEqualTo("This is Skein's offline model, not a language model. You said: hello there");
    }

    @Test
    void a_reply_is_streamed_word_by_word() {
        var reply = answer(said("one two"));

        assertThat(streamed()).isEqualTo(text(reply));
        assertThat(fragments).hasSize(text(reply).split(" ").length);
    }

    @Test
    void the_same_conversation_gets_the_same_reply() {
        assertThat(answer(said("same"))).isEqualTo(answer(said("same")));
    }

    @Test
    void a_tool_the_prompt_names_is_called_with_its_arguments() {
        var reply = answer(said("please call clock {\"zone\": \"UTC\"} now"));

        assertThat(reply.stopReason()).isEqualTo(StopReason.TOOL_USE);
        assertThat(calls(reply)).singleElement().satisfies(call -> {
            assertThat(call.name()).isEqualTo("clock");
            assertThat(call.arguments().path("zone").asString()).isEqualTo("UTC");
        });
        assertThat(fragments.getLast()).isInstanceOf(ReplyFragment.ToolArguments.class);
    }

    @Test
    void several_tools_can_be_named_and_each_call_has_its_own_id() {
        var reply = answer(said("use the clock and then call shell {\"command\": \"ls {a,b}\"}"));

        assertThat(calls(reply)).extracting(Part.ToolCall::name).containsExactly("clock", "shell");
        assertThat(calls(reply)).extracting(Part.ToolCall::id).doesNotHaveDuplicates();
        assertThat(calls(reply).getLast().arguments().path("command").asString())
                .isEqualTo("ls {a,b}");
    }

    @Test
    void arguments_that_are_no_json_are_left_out() {
        assertThat(calls(answer(said("call clock {oops"))))
                .singleElement()
                .satisfies(call -> assertThat(call.arguments().isEmpty()).isTrue());
    }

    @Test
    void a_tool_that_is_not_offered_is_not_called() {
        var reply = answer(said("call rocket {}"));

        assertThat(calls(reply)).isEmpty();
        assertThat(text(reply)).contains("No tool called rocket is offered.");
        assertThat(reply.stopReason()).isEqualTo(StopReason.STOP);
    }

    @Test
    void what_a_tool_answered_is_reported_and_the_tool_is_not_called_again() {
        var asked = calls(answer(said("use clock"))).getFirst();

        var reply = answer(
                said("use clock"),
                message(Role.ASSISTANT, asked),
                message(Role.TOOL, Part.ToolResult.text(asked.id(), "clock", "twelve o'clock")));

        assertThat(text(reply)).endsWith("The tool clock answered: twelve o'clock");
        assertThat(calls(reply)).isEmpty();
    }

    @Test
    void a_failed_tool_is_reported_as_failed() {
        var call = new ToolCallId("c");
        var failure = new Part.ToolResult(call, "clock", List.of(new Part.Text("stopped")), true, null);

        assertThat(text(answer(said("use clock"), message(Role.TOOL, failure))))
                .endsWith("The tool clock failed: stopped");
    }

    @Test
    void a_new_prompt_after_a_tool_result_counts_more_than_the_result() {
        var result = Part.ToolResult.text(new ToolCallId("c"), "clock", "noon");

        assertThat(text(answer(message(Role.TOOL, result), said("thanks")))).endsWith("You said: thanks");
    }

    @Test
    void a_reply_stops_at_the_limit_of_tokens() {
        var reply = answer(new Sampling(null, null, 6, null), said("a long story"));

        assertThat(reply.stopReason()).isEqualTo(StopReason.LENGTH);
        assertThat(text(reply)).isEqualTo("This is Skein's offline ").isEqualTo(streamed());
        assertThat(reply.usage().outputTokens()).isLessThanOrEqualTo(6);
    }

    @Test
    void tokens_are_estimated_and_cost_nothing() {
        var reply = answer(said("x".repeat(40)));

        assertThat(reply.usage().inputTokens()).isEqualTo(10);
        assertThat(reply.usage().outputTokens()).isPositive();
        assertThat(reply.cost()).isEqualTo(Cost.NONE);
    }

    @Test
    void a_cancelled_call_says_nothing() {
        var cancellation = new Cancellation();
        cancellation.cancel("enough");

        assertThatThrownBy(() -> model.reply(request(Sampling.DEFAULT, said("hi")), fragments::add, cancellation))
                .isInstanceOf(Cancelled.class);
        assertThat(fragments).isEmpty();
    }

    @Test
    void a_call_that_is_cancelled_midway_says_no_more() {
        var cancellation = new Cancellation();

        assertThatThrownBy(() -> model.reply(
                        request(Sampling.DEFAULT, said("hi")),
                        fragment -> {
                            fragments.add(fragment);
                            cancellation.cancel("enough");
                        },
                        cancellation))
                .isInstanceOf(Cancelled.class);
        assertThat(fragments).hasSize(1);
    }

    @Test
    void an_empty_conversation_is_answered() {
        assertThat(text(answer())).endsWith("Nothing was said yet.");
    }

    @Test
    void a_tool_is_called_for_plain_words_and_its_lines_are_shown_as_they_are() {
        var prompt = said("list the files in src");
        var request = new ModelRequest(null, List.of(prompt), List.of(tool("list")), Sampling.DEFAULT);
        var call =
                calls(model.reply(request, fragments::add, new Cancellation())).getFirst();
        assertThat(call.name()).isEqualTo("list");
        assertThat(call.arguments().toString()).isEqualTo("{\"path\":\"src\"}");

        var reply = answer(
                prompt,
                message(Role.ASSISTANT, call),
                message(Role.TOOL, Part.ToolResult.text(call.id(), "list", "a.txt\n  b.txt\n")));

        assertThat(text(reply)).isEqualTo(OfflineModel.DISCLAIMER + " The tool list answered:\na.txt\n  b.txt");
    }

    @Test
    void it_can_quote_what_was_said_before() {
        var reply = answer(
                said("my cat is called Tom"),
                message(Role.ASSISTANT, new Part.Text("Well.")),
                said("and it is grey"),
                message(Role.ASSISTANT, new Part.Text("Fine.")),
                said("What did I say before?"));

        assertThat(text(reply))
                .isEqualTo(
                        OfflineModel.DISCLAIMER + " Before this you said:\n1. my cat is called Tom\n2. and it is grey");
        assertThat(text(answer(said("what did I say?")))).endsWith("Before this you said nothing in this session.");
    }

    @Test
    void it_counts() {
        assertThat(text(answer(said("Count to 5, please")))).isEqualTo(OfflineModel.DISCLAIMER + " 1 2 3 4 5");
    }

    @Test
    void it_speaks_slowly_only_when_asked_to() {
        var pauses = new AtomicInteger();
        var slow = new OfflineModel((_, _) -> pauses.incrementAndGet());

        slow.reply(request(Sampling.DEFAULT, said("count to 5")), fragments::add, new Cancellation());
        assertThat(pauses).hasValue(0);
        fragments.clear();

        slow.reply(request(Sampling.DEFAULT, said("count to 5 slowly")), fragments::add, new Cancellation());
        assertThat(pauses).hasValue(fragments.size());
    }

    @Test
    void a_slow_reply_is_cancelled_in_the_middle_of_a_pause() {
        var cancellation = new Cancellation();
        var heard = new CountDownLatch(1);
        var answer = CompletableFuture.supplyAsync(
                () -> model.reply(
                        request(Sampling.DEFAULT, said("count to 10000 slowly")), _ -> heard.countDown(), cancellation),
                Thread::startVirtualThread);
        assertThatNoException().isThrownBy(heard::await);

        cancellation.cancel("enough");

        assertThat(answer)
                .failsWithin(Duration.ofSeconds(60))
                .withThrowableThat()
                .withCauseInstanceOf(Cancelled.class);
    }

    private ModelReply answer(Message... messages) {
        return answer(Sampling.DEFAULT, messages);
    }

    private ModelReply answer(Sampling sampling, Message... messages) {
        fragments.clear();
        return model.reply(request(sampling, messages), fragments::add, new Cancellation());
    }

    private static ModelRequest request(Sampling sampling, Message... messages) {
        return new ModelRequest(null, Arrays.asList(messages), List.of(tool("clock"), tool("shell")), sampling);
    }

    private static ToolSpec tool(String name) {
        return new ToolSpec(
                name, "a tool", JsonNodeFactory.instance.objectNode(), ToolSpec.Repeat.SAFE, ToolSpec.Effect.READS);
    }

    private static Message said(String text) {
        return message(Role.USER, new Part.Text(text));
    }

    private static Message message(Role role, Part part) {
        return Message.of(new MessageId("m"), role, Instant.EPOCH, part);
    }

    private String streamed() {
        return fragments.stream()
                .map(fragment -> ((ReplyFragment.Text) fragment).text())
                .collect(Collectors.joining());
    }

    private static String text(ModelReply reply) {
        return ((Part.Text) reply.parts().getFirst()).text();
    }

    private static List<Part.ToolCall> calls(ModelReply reply) {
        return reply.parts().stream()
                .filter(Part.ToolCall.class::isInstance)
                .map(Part.ToolCall.class::cast)
                .toList();
    }
}
