package dev.skein.provider.mistral;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.skein.testkit.provider.Answer.Step;
import dev.skein.testkit.provider.MistralWire;
import dev.skein.testkit.provider.ModelContract;
import dev.skein.testkit.provider.Wire;
import dev.skein.wire.Json;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class MistralModelTest extends ModelContract {

    @Override
    protected Wire wire() {
        return new MistralWire();
    }

    @Override
    protected Model model(URI baseUrl, Duration silence) {
        var info = ModelInfo.unknown(new ModelName("mistral", "test"));
        return Models.to(baseUrl, KEY, silence, (endpoint, http) -> new MistralModel(info, endpoint, http));
    }

    @Test
    void only_fields_that_mistral_knows_are_sent() {
        server.script(Answer.says("ok"));

        ask(new ModelRequest("Be brief.", List.of(user("hi")), List.of(), new Sampling(0.5, 0.9, 77, "low")));

        assertThat(server.onlyRequest()).isEqualTo(Json.MAPPER.readTree("""
                {"model": "test", "stream": true, "temperature": 0.5, "top_p": 0.9, "max_tokens": 77,
                 "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "hi"}]}"""));
    }

    @Test
    void ids_from_elsewhere_become_ids_that_mistral_accepts_and_still_match() {
        ask(
                Answer.says("ok"),
                user("go"),
                message(Role.ASSISTANT, call("toolu_01ABC-long", "now", "{}"), call("x", "now", "{}")),
                message(Role.TOOL, Part.ToolResult.text(new ToolCallId("toolu_01ABC-long"), "now", "1")),
                message(Role.TOOL, Part.ToolResult.text(new ToolCallId("x"), "now", "2")));

        var sent = server.onlyRequest();
        assertThat(wire.toolCallsOf(sent).keySet()).hasSize(2).allMatch(id -> id.matches("[a-zA-Z0-9]{9}"));
        assertThat(wire.toolResultsOf(sent).keySet())
                .isEqualTo(wire.toolCallsOf(sent).keySet());
    }

    @Test
    void a_call_in_pieces_becomes_one() {
        var pieces = """
                data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"abcdefghi","function":\
                {"name":"read","arguments":"{\\"path\\":"}}]}}]}

                data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"null","function":\
                {"name":"","arguments":"1}"}}]}}]}

                """;

        assertThat(ask(Answer.reply(new Step.Raw(pieces)), user("go")).parts())
                .containsExactly(call("abcdefghi", "read", "{\"path\":1}"));
        assertThat(spokenArguments("abcdefghi")).isEqualTo("{\"path\":1}");
    }

    @Test
    void thoughts_and_words_in_one_event_are_told_apart() {
        var event = wire.event("{\"choices\": [{\"delta\": {\"content\": ["
                + "{\"type\": \"thinking\", \"thinking\": [{\"type\": \"text\", \"text\": \"hmm\"}]},"
                + "{\"type\": \"text\", \"text\": \"yes\"}]}}]}");

        assertThat(ask(Answer.reply(new Step.Raw(event)), user("go")).parts())
                .containsExactly(new Part.Thinking("hmm", null, null), new Part.Text("yes"));
    }

    @Test
    void a_shape_is_sent_as_a_response_format() {
        server.script(Answer.says("{}"));

        ask(shaped(THING));

        var sent = server.onlyRequest().path("response_format");
        assertThat(sent.path("type").asString()).isEqualTo("json_schema");
        assertThat(sent.path("json_schema").path("name").asString()).isEqualTo("thing");
        assertThat(sent.path("json_schema").path("strict").booleanValue()).isTrue();
        assertThat(sent.path("json_schema").path("schema")).isEqualTo(Json.MAPPER.readTree(THING));
        assertThat(model(URI.create("http://127.0.0.1:1")).holds(shape("{}"), true))
                .isFalse();
    }
}
