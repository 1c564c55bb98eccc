package dev.skein.testkit.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.skein.cancellation.Cancellation;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.ToolCallId;
import dev.skein.message.Usage;
import dev.skein.model.ModelReply.StopReason;
import dev.skein.model.ModelRequest;
import dev.skein.model.ReplyFragment;
import dev.skein.model.Sampling;
import dev.skein.testkit.provider.Answer.Step;
import dev.skein.testkit.provider.Wire.Feature;
import dev.skein.wire.Json;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The promises of [dev.skein.model.Model], against a provider that speaks the real format. Extend it for each
/// provider.
///
/// Here are replies, tools and what goes out; [ModelEndingContract] and [ModelFailureContract], which come with it,
/// have cancellation and failures. What a format cannot carry is skipped, as its [Wire] says.
@Timeout(180)
public abstract class ModelContract extends ModelFailureContract {

    private static final String SCHEMA = """
            {"type": "object", "required": ["path"], "properties": {
              "path": {"type": "string", "minLength": 1},
              "lines": {"type": "array", "items": {"type": "integer"}},
              "mode": {"enum": ["r", "w"], "default": "r"}}}""";

    // Promise 1 and 2: the reply is complete, and its words came before it.

    @Test
    void a_reply_is_complete_when_the_call_returns() {
        var reply = ask(Answer.says("Hello", ", ", "world", "!"), user("hi"));

        assertThat(reply.parts()).containsExactly(new Part.Text("Hello, world!"));
        assertThat(reply.stopReason()).isEqualTo(StopReason.STOP);
    }

    @Test
    void every_word_is_handed_over_as_it_comes() throws Exception {
        var gate = new Gate();
        var heard = new CountDownLatch(1);
        server.script(Answer.reply(new Step.Say("one "), new Step.WaitAt(gate), new Step.Say("two")));
        var answer = start(() -> model(server.baseUrl())
                .reply(
                        request(user("count")),
                        fragment -> {
                            fragments.add(fragment);
                            heard.countDown();
                        },
                        new Cancellation()));
        gate.awaitArrival();
        assertThat(heard.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(spokenText()).isEqualTo("one ");
        assertThat(answer).isNotDone();

        gate.open();

        assertThat(answer.join().parts()).containsExactly(new Part.Text("one two"));
        assertThat(spokenText()).isEqualTo("one two");
    }

    @Test
    void text_in_any_script_and_with_any_line_ends_arrives_as_it_was() {
        var text = "ünï \r\n\n\t日本語 🧶 data: [DONE] \u2028 \"quoted\" \\";

        assertThat(ask(Answer.says(text), user(text)).parts()).containsExactly(new Part.Text(text));
        assertThat(wire.promptsOf(server.onlyRequest())).containsExactly(text);
    }

    @Test
    void an_empty_reply_is_a_reply() {
        assertThat(ask(Answer.reply(), user("hush")).parts()).isEmpty();
    }

    @Test
    void thinking_is_handed_over_and_kept_apart_from_the_text() {
        assumeTrue(wire.features().contains(Feature.THINKING));
        var reply = ask(Answer.reply(new Step.Think("hmm", "sig=="), new Step.Say("yes")), user("really?"));

        var signature = wire.features().contains(Feature.SIGNATURES) ? "sig==" : null;
        assertThat(reply.parts()).containsExactly(new Part.Thinking("hmm", signature, null), new Part.Text("yes"));
        assertThat(spokenThoughts()).isEqualTo("hmm");
        assertThat(spokenText()).isEqualTo("yes");
    }

    @Test
    void each_thought_keeps_its_own_signature_and_its_place() {
        assumeTrue(wire.features().contains(Feature.SIGNATURES));
        var reply = ask(
                Answer.calls(
                        new Step.Think("first", "sig-1"),
                        new Step.Say("so"),
                        new Step.Think("second", "sig-2"),
                        new Step.Call("call00001", "read", "{\"path\":\"a\"}")),
                user("go"));

        assertThat(reply.parts())
                .containsExactly(
                        new Part.Thinking("first", "sig-1", null),
                        new Part.Text("so"),
                        new Part.Thinking("second", "sig-2", null),
                        call("call00001", "read", "{\"path\":\"a\"}"));
    }

    @Test
    void signed_thoughts_are_sent_back_as_they_were() {
        assumeTrue(wire.features().contains(Feature.SIGNATURES));
        ask(
                Answer.says("done"),
                user("go"),
                message(
                        Role.ASSISTANT,
                        new Part.Thinking("first", "sig-1", null),
                        new Part.Text("so"),
                        new Part.Thinking("second", "sig-2", null),
                        call("call00001", "read", "{}")),
                message(Role.TOOL, Part.ToolResult.text(new ToolCallId("call00001"), "read", "x")));

        assertThat(wire.thoughtsOf(server.onlyRequest())).isEqualTo(Map.of("first", "sig-1", "second", "sig-2"));
        assertThat(wire.toolCallsOf(server.onlyRequest())).containsOnlyKeys("call00001");
    }

    @Test
    void hidden_thoughts_survive_the_way_there_and_back() {
        assumeTrue(wire.features().contains(Feature.HIDDEN_THINKING));
        var reply = ask(Answer.reply(new Step.ThinkSecretly("xyz"), new Step.Say("ok")), user("go"));
        assertThat(reply.parts()).containsExactly(new Part.Thinking("", null, "xyz"), new Part.Text("ok"));

        server.script(Answer.says("again"));
        ask(request(user("go"), message(Role.ASSISTANT, reply.parts().toArray(Part[]::new)), user("on")));

        assertThat(server.requests().getLast().body().toString()).contains("\"redacted_thinking\"", "\"xyz\"");
    }

    @Test
    void two_blocks_of_text_stay_two() {
        assumeTrue(wire.features().contains(Feature.BLOCKS));
        var reply = ask(Answer.reply(new Step.Say("one"), new Step.NewBlock(), new Step.Say("two")), user("go"));

        assertThat(reply.parts()).containsExactly(new Part.Text("one"), new Part.Text("two"));
        assertThat(spokenText()).isEqualTo("onetwo");
    }

    // Tools.

    @Test
    void a_tool_call_arrives_in_pieces_and_as_a_whole() {
        var reply = ask(Answer.calls(new Step.Call("call00001", "read", "{\"path\":\"a.txt\"}")), user("read a.txt"));

        assertThat(reply.parts()).containsExactly(call("call00001", "read", "{\"path\":\"a.txt\"}"));
        assertThat(reply.stopReason()).isEqualTo(StopReason.TOOL_USE);
        assertThat(spokenArguments("call00001")).isEqualTo("{\"path\":\"a.txt\"}");
    }

    @Test
    void two_tool_calls_in_one_reply_keep_their_order_and_arguments() {
        var reply = ask(
                Answer.calls(
                        new Step.Say("Both:"),
                        new Step.Call("call00001", "read", "{\"path\":\"a\"}"),
                        new Step.Call("call00002", "read", "{\"path\":\"b\"}")),
                user("read a and b"));

        assertThat(reply.parts())
                .containsExactly(
                        new Part.Text("Both:"),
                        call("call00001", "read", "{\"path\":\"a\"}"),
                        call("call00002", "read", "{\"path\":\"b\"}"));
        assertThat(spokenArguments("call00002")).isEqualTo("{\"path\":\"b\"}");
    }

    @Test
    void a_tool_call_without_arguments_has_an_empty_object() {
        assertThat(ask(Answer.calls(new Step.Call("call00001", "now", "")), user("time?"))
                        .parts())
                .containsExactly(call("call00001", "now", "{}"));
    }

    @Test
    void arguments_that_are_no_json_are_kept_as_the_model_said_them() {
        assumeTrue(wire.features().contains(Feature.ARGUMENT_TEXT));
        var reply = ask(Answer.calls(new Step.Call("call00001", "read", "{\"path\": oops")), user("read"));

        assertThat(reply.parts()).singleElement().satisfies(part -> {
            var arguments = ((Part.ToolCall) part).arguments();
            assertThat(arguments.asString()).isEqualTo("{\"path\": oops");
        });
    }

    @Test
    void tools_are_offered_with_their_whole_schema() {
        server.script(Answer.says("ok"));
        ask(new ModelRequest(null, List.of(user("hi")), List.of(tool("read", SCHEMA)), Sampling.DEFAULT));

        var schema = Json.MAPPER.readTree(SCHEMA);
        assertThat(wire.toolsOf(server.onlyRequest())).hasSize(1).hasEntrySatisfying("read", offered -> {
            assertThat(offered.path("properties")).isEqualTo(schema.path("properties"));
            assertThat(offered.path("required")).isEqualTo(schema.path("required"));
        });
    }

    @Test
    void calls_and_results_in_the_history_reach_the_provider() {
        ask(
                Answer.says("thanks"),
                user("read a and b"),
                message(
                        Role.ASSISTANT,
                        new Part.Text("Both:"),
                        call("call00001", "read", "{\"path\":\"a\"}"),
                        call("call00002", "read", "{\"path\":\"b\"}")),
                message(Role.TOOL, Part.ToolResult.text(new ToolCallId("call00001"), "read", "first")),
                message(Role.TOOL, Part.ToolResult.text(new ToolCallId("call00002"), "read", "")));

        var sent = server.onlyRequest();
        assertThat(wire.toolCallsOf(sent))
                .isEqualTo(Map.of(
                        "call00001", Json.MAPPER.readTree("{\"path\":\"a\"}"),
                        "call00002", Json.MAPPER.readTree("{\"path\":\"b\"}")));
        assertThat(wire.toolResultsOf(sent)).isEqualTo(Map.of("call00001", "first", "call00002", ""));
    }

    // What else goes out.

    @Test
    void the_system_text_reaches_the_provider_as_such() {
        server.script(Answer.says("ok"));
        ask(new ModelRequest("Be brief.", List.of(user("hi")), List.of(), Sampling.DEFAULT));

        assertThat(wire.systemOf(server.onlyRequest())).isEqualTo("Be brief.");
        assertThat(wire.promptsOf(server.onlyRequest())).containsExactly("hi");
    }

    @Test
    void images_reach_the_provider_by_data() {
        ask(
                Answer.says("nice"),
                message(Role.USER, new Part.Text("look"), new Part.Image("image/png", "aGk=", null, null)));

        assertThat(wire.imagesOf(server.onlyRequest())).containsExactly("data:image/png;base64,aGk=");
        assertThat(wire.promptsOf(server.onlyRequest())).containsExactly("look");
    }

    @Test
    void images_reach_the_provider_by_address() {
        assumeTrue(wire.features().contains(Feature.IMAGE_ADDRESSES));
        ask(
                Answer.says("nice"),
                message(
                        Role.USER,
                        new Part.Text("look"),
                        new Part.Image(null, null, "https://example.org/cat.jpg", null)));

        assertThat(wire.imagesOf(server.onlyRequest())).containsExactly("https://example.org/cat.jpg");
    }

    @Test
    void an_image_that_a_tool_returned_reaches_the_provider() {
        var picture = new Part.Image("image/png", "aGk=", null, null);
        ask(
                Answer.says("nice"),
                user("shoot"),
                message(Role.ASSISTANT, call("call00001", "shoot", "{}")),
                message(
                        Role.TOOL,
                        new Part.ToolResult(
                                new ToolCallId("call00001"),
                                "shoot",
                                List.of(new Part.Text("click"), picture),
                                false,
                                null)));

        assertThat(wire.toolResultsOf(server.onlyRequest())).isEqualTo(Map.of("call00001", "click"));
        assertThat(wire.imagesOf(server.onlyRequest())).containsExactly("data:image/png;base64,aGk=");
    }

    @Test
    void the_key_is_sent_where_the_provider_expects_it() {
        ask(Answer.says("ok"), user("hi"));

        var header = wire.authorization(KEY);
        assertThat(server.requests().getFirst().headers())
                .containsEntry(header.getKey().toLowerCase(Locale.ROOT), header.getValue());
    }

    // Usage and reasons to stop.

    @Test
    void tokens_are_counted_with_their_kinds() {
        var features = wire.features();
        var usage = new Usage(
                120,
                45,
                features.contains(Feature.CACHE_READS) ? 30 : 0,
                features.contains(Feature.CACHE_WRITES) ? 20 : 0,
                features.contains(Feature.REASONING_TOKENS) ? 15 : 0);

        var reply = ask(new Answer.Stream(List.of(new Step.Say("ok")), StopReason.STOP, usage), user("hi"));

        assertThat(reply.usage()).isEqualTo(usage);
    }

    @Test
    void every_reason_to_stop_is_understood() {
        for (var reason : List.of(StopReason.STOP, StopReason.LENGTH, StopReason.FILTERED)) {
            if (reason == StopReason.FILTERED && !wire.features().contains(Feature.FILTERING)) {
                continue;
            }
            var answer = new Answer.Stream(List.of(new Step.Say("so")), reason, Usage.of(1, 1));

            assertThat(ask(answer, user("hi")).stopReason()).isEqualTo(reason);
        }
    }

    /// More than any pool of threads that a library might bring along would carry at once.
    @Test
    void hundreds_of_streams_are_open_at_the_same_time_and_do_not_mix() throws Exception {
        var streams = 300;
        var gate = new Gate();
        var begun = new CountDownLatch(streams);
        server.always(request -> Answer.reply(
                new Step.Say(wire.promptsOf(request.body()).getFirst()), new Step.WaitAt(gate), new Step.Say("!")));
        var model = model(server.baseUrl());

        var answers = IntStream.range(0, streams)
                .mapToObj(i -> start(() -> model.reply(
                        request(user("number " + i)),
                        fragment -> {
                            if (!fragment.equals(new ReplyFragment.Text("!"))) {
                                begun.countDown();
                            }
                        },
                        new Cancellation())))
                .toList();

        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(answers).noneMatch(answer -> answer.isDone());
        gate.open();
        for (int i = 0; i < streams; i++) {
            assertThat(answers.get(i).join().parts()).containsExactly(new Part.Text("number " + i + "!"));
        }
    }
}
