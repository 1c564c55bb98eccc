package dev.skein.provider.anthropic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.ToolCallId;
import dev.skein.model.Model;
import dev.skein.model.ModelName;
import dev.skein.model.ModelRequest;
import dev.skein.model.Sampling;
import dev.skein.provider.Models;
import dev.skein.provider.catalog.ModelInfo;
import dev.skein.testkit.provider.Answer;
import dev.skein.testkit.provider.AnthropicWire;
import dev.skein.testkit.provider.ModelContract;
import dev.skein.testkit.provider.Wire;
import dev.skein.wire.Json;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.JsonNodeFactory;

class AnthropicModelTest extends ModelContract {

    @Override
    protected Wire wire() {
        return new AnthropicWire();
    }

    @Override
    protected Model model(URI baseUrl, Duration silence) {
        var info = ModelInfo.unknown(new ModelName("anthropic", "test"));
        return Models.to(baseUrl, KEY, silence, (endpoint, http) -> new AnthropicModel(info, endpoint, http));
    }

    @Test
    void thinking_has_a_budget_beside_the_limit_and_no_temperature() {
        server.script(Answer.says("ok"));

        ask(new ModelRequest(null, List.of(user("hi")), List.of(), new Sampling(0.5, null, 500, "low")));

        var sent = server.onlyRequest();
        assertThat(sent.path("thinking").path("type").asString()).isEqualTo("enabled");
        assertThat(sent.path("thinking").path("budget_tokens").asInt()).isEqualTo(4_096);
        assertThat(sent.path("max_tokens").asInt()).isEqualTo(4_596);
        assertThat(sent.has("temperature")).isFalse();
    }

    @Test
    void without_thinking_the_sampling_is_sent_as_it_is() {
        server.script(Answer.says("ok"));

        ask(new ModelRequest(null, List.of(user("hi")), List.of(), new Sampling(0.5, null, 500, null)));

        var sent = server.onlyRequest();
        assertThat(sent.path("temperature").asDouble()).isEqualTo(0.5);
        assertThat(sent.path("max_tokens").asInt()).isEqualTo(500);
        assertThat(sent.has("thinking")).isFalse();
    }

    @Test
    void what_opens_every_request_is_marked_for_the_cache() {
        server.script(Answer.says("ok"));

        ask(new ModelRequest("Be brief.", List.of(user("hi")), List.of(tool("now", "{}")), Sampling.DEFAULT));

        var sent = server.onlyRequest();
        assertThat(sent.path("system")
                        .path(0)
                        .path("cache_control")
                        .path("type")
                        .asString())
                .isEqualTo("ephemeral");
        assertThat(sent.path("tools").path(0).path("cache_control").path("type").asString())
                .isEqualTo("ephemeral");
    }

    @Test
    void thoughts_that_are_not_signed_or_not_anthropics_are_not_sent_back() {
        var foreign = new Message(
                new MessageId("m"),
                Role.ASSISTANT,
                Instant.EPOCH,
                List.of(new Part.Thinking("foreign", "sig", null), new Part.Text("a")),
                new Message.Reply("gpt", "openai", null, null, null),
                Map.of());

        ask(
                Answer.says("ok"),
                user("hi"),
                foreign,
                user("and"),
                message(Role.ASSISTANT, new Part.Thinking("unsigned", null, null), new Part.Text("b")),
                user("go"));

        assertThat(wire.thoughtsOf(server.onlyRequest())).isEmpty();
        assertThat(wire.promptsOf(server.onlyRequest())).containsExactly("hi", "and", "go");
    }

    @Test
    void the_parts_of_a_message_are_sent_back_in_their_order() {
        ask(
                Answer.says("ok"),
                user("go"),
                message(
                        Role.ASSISTANT,
                        new Part.Text("one"),
                        new Part.Thinking("two", "sig", null),
                        new Part.Thinking("", null, "three"),
                        new Part.Text("four"),
                        new Part.Text("five"),
                        call("six", "now", "{}"),
                        call("seven", "now", "{}")),
                message(
                        Role.TOOL,
                        Part.ToolResult.text(new ToolCallId("six"), "now", "6"),
                        Part.ToolResult.text(new ToolCallId("seven"), "now", "7")));

        var said = server.onlyRequest()
                .path("messages")
                .valueStream()
                .filter(message -> message.path("role").asString().equals("assistant"))
                .flatMap(message -> message.path("content").valueStream())
                .map(block -> block.path("type").asString())
                .toList();
        assertThat(said)
                .containsExactly("text", "thinking", "redacted_thinking", "text", "text", "tool_use", "tool_use");
    }

    @Test
    void a_failed_tool_is_sent_back_as_failed() {
        ask(
                Answer.says("ok"),
                user("go"),
                message(Role.ASSISTANT, call("c", "now", "{}")),
                message(
                        Role.TOOL,
                        new Part.ToolResult(new ToolCallId("c"), "now", List.of(new Part.Text("no")), true, null)));

        assertThat(server.onlyRequest().toString()).contains("\"is_error\":true");
    }

    @Test
    void arguments_that_were_no_object_are_sent_back_inside_one() {
        var malformed =
                new Part.ToolCall(new ToolCallId("c"), "now", JsonNodeFactory.instance.stringNode("{oops"), null);

        ask(
                Answer.says("ok"),
                user("go"),
                message(Role.ASSISTANT, malformed),
                message(Role.TOOL, Part.ToolResult.text(new ToolCallId("c"), "now", "what?")));

        assertThat(wire.toolCallsOf(server.onlyRequest())
                        .get("c")
                        .path("malformed")
                        .asString())
                .isEqualTo("{oops");
    }

    @Test
    void a_shape_is_sent_as_an_output_format() {
        server.script(Answer.says("{}"));

        ask(shaped(THING));

        assertThat(server.onlyRequest().path("output_config"))
                .isEqualTo(Json.MAPPER.readTree(
                        "{\"format\": {\"type\": \"json_schema\", \"schema\": %s}}".formatted(THING)));
    }

    @ParameterizedTest
    @CsvSource({
        "claude-opus-4-6, true",
        "claude-haiku-4-5-20251001, true",
        "claude-sonnet-5, true",
        "claude-opus-4-1, false",
        "claude-opus-4-20250514, false",
        "claude-sonnet-4-20250514, false",
        "claude-3-5-sonnet-20240620, false"
    })
    void only_newer_models_hold_answers_to_a_shape_and_only_to_one_without_holes(String name, boolean holds) {
        var info = ModelInfo.unknown(new ModelName("anthropic", name));
        var model = Models.to(
                URI.create("http://127.0.0.1:1"),
                KEY,
                Duration.ofSeconds(1),
                (endpoint, http) -> new AnthropicModel(info, endpoint, http));

        assertThat(model.holds(shape(THING), true)).isEqualTo(holds);
        assertThat(model.holds(shape("{\"type\":\"object\"}"), false)).isFalse();
        assertThat(model.holds(shape(THING.replace("\"string\"", "\"string\",\"minLength\":1")), false))
                .isFalse();
    }
}
