package dev.skein.provider.openai;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.skein.failure.ModelFailed;
import dev.skein.message.Part;
import dev.skein.model.Model;
import dev.skein.model.ModelName;
import dev.skein.model.ModelReply.StopReason;
import dev.skein.model.ModelRequest;
import dev.skein.model.Sampling;
import dev.skein.provider.Models;
import dev.skein.provider.catalog.ModelInfo;
import dev.skein.testkit.provider.Answer;
import dev.skein.testkit.provider.Answer.Step;
import dev.skein.testkit.provider.ModelContract;
import dev.skein.testkit.provider.OpenAiWire;
import dev.skein.testkit.provider.Wire;
import dev.skein.wire.Json;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenAiModelTest extends ModelContract {

    private final RefusedFormats refused = new RefusedFormats();

    @Override
    protected Wire wire() {
        return new OpenAiWire();
    }

    @Override
    protected Model model(URI baseUrl, Duration silence) {
        var info = ModelInfo.unknown(new ModelName("openai", "test"));
        return Models.to(baseUrl, KEY, silence, (endpoint, http) -> new OpenAiModel(info, endpoint, http, refused));
    }

    @Test
    void a_refusal_is_heard_and_ends_as_filtered() {
        var refusal = """
                data: {"choices":[{"index":0,"delta":{"refusal":"I cannot help with that."}}]}

                """;

        var reply = ask(Answer.reply(new Step.Raw(refusal)), user("hi"));

        assertThat(reply.parts()).containsExactly(new Part.Text("I cannot help with that."));
        assertThat(reply.stopReason()).isEqualTo(StopReason.FILTERED);
    }

    @Test
    void a_reason_to_stop_that_nobody_knows_is_an_end_all_the_same() {
        var ending = """
                data: {"choices":[{"index":0,"delta":{},"finish_reason":"eos"}]}

                data: [DONE]

                """;

        var reply = ask(Answer.reply(new Step.Say("ok"), new Step.Raw(ending), new Step.EndEarly()), user("hi"));

        assertThat(reply.stopReason()).isEqualTo(StopReason.STOP);
    }

    @Test
    void a_tool_call_gets_an_id_if_the_server_gives_none() {
        var call = """
                data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"","function":\
                {"name":"now","arguments":"{}"}}]}}]}

                """;

        var reply = ask(Answer.reply(new Step.Raw(call)), user("time?"));

        assertThat(reply.parts()).containsExactly(call("call-1-0", "now", "{}"));
        assertThat(reply.stopReason()).isEqualTo(StopReason.TOOL_USE);
        assertThat(spokenArguments("call-1-0")).isEqualTo("{}");
    }

    @Test
    void a_tool_call_whose_id_is_repeated_in_every_event_has_it_once() {
        var calls = """
                data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1","function":\
                {"name":"read","arguments":"{\\"path\\":"}}]}}]}

                data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1","function":\
                {"arguments":"1}"}}]}}]}

                """;

        assertThat(ask(Answer.reply(new Step.Raw(calls)), user("go")).parts())
                .containsExactly(call("c1", "read", "{\"path\":1}"));
    }

    @Test
    void an_account_without_money_is_not_tried_again() {
        server.script(Answer.status(429, "{\"error\": {\"code\": \"insufficient_quota\"}}"));

        assertThatExceptionOfType(ModelFailed.class)
                .isThrownBy(() -> ask(request(user("hi"))))
                .matches(failed -> !failed.isTransient());
    }

    @Test
    void sampling_is_sent_in_the_words_that_other_servers_know() {
        server.script(Answer.says("ok"));

        ask(new ModelRequest(null, List.of(user("hi")), List.of(), new Sampling(0.5, 0.9, 77, "low")));

        var sent = server.onlyRequest();
        assertThat(sent.path("temperature").asDouble()).isEqualTo(0.5);
        assertThat(sent.path("top_p").asDouble()).isEqualTo(0.9);
        assertThat(sent.path("max_tokens").asInt()).isEqualTo(77);
        assertThat(sent.path("reasoning_effort").asString()).isEqualTo("low");
        assertThat(sent.path("stream").asBoolean()).isTrue();
    }

    @Test
    void what_is_not_asked_for_is_not_sent() {
        ask(Answer.says("ok"), user("hi"));

        assertThat(server.onlyRequest().propertyNames())
                .containsExactlyInAnyOrder("model", "messages", "stream", "stream_options");
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
                .isTrue();
    }

    /// What servers answered that would not take the format: LM Studio, llama.cpp (twice), vLLM, DeepSeek (twice),
    /// Groq.
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            400|{"error":"'response_format.type' must be 'json_object' or 'text'"}
            500|{"error":{"code":500,"message":"response_format type must be \\"text\\", but got: json_schema"}}
            400|{"error":{"code":400,"message":"Cannot use custom grammar constraints with tools."}}
            400|{"object":"error","message":"The provided JSON schema contains features not supported by xgrammar."}
            400|{"error":{"message":"This response_format type is unavailable now","param":null}}
            422|Failed to deserialize the JSON body: response_format.type json_schema is unavailable now
            400|{"error":{"message":"json mode cannot be combined with tool/function calling"}}
            """)
    void a_server_that_takes_no_schema_is_told_it_in_words_and_that_is_remembered(int status, String body) {
        server.script(Answer.status(status, body), Answer.says("{}"), Answer.says("{}"));

        ask(shaped(THING));

        assertThat(server.requests()).hasSize(2);
        var again = server.requests().getLast().body();
        assertThat(again.has("response_format")).isFalse();
        assertThat(again.at("/messages/0/role").asString()).isEqualTo("system");
        assertThat(again.at("/messages/0/content").asString())
                .contains("must be JSON that fits this JSON Schema")
                .contains(Json.MAPPER.readTree(THING).toString());
        var other = model(server.baseUrl());
        assertThat(other.holds(shape(THING), false)).isFalse();
        assertThat(other.holds(shape(THING), true)).isTrue();
        assertThat(other.holds(shape("{}"), false)).isTrue();
    }

    @Test
    void a_refusal_for_another_reason_is_a_refusal() {
        server.script(Answer.status(400, "{\"error\":{\"message\":\"temperature must be at most 1\"}}"));

        assertThatExceptionOfType(ModelFailed.class)
                .isThrownBy(() -> ask(shaped(THING)))
                .withMessageContaining("temperature must be at most 1");
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void a_server_that_refuses_without_the_format_as_well_is_not_remembered() {
        server.script(
                Answer.status(400, "{\"error\":\"no such field in {response_format: {}}\"}"),
                Answer.status(400, "{\"error\":\"temperature must be at most 1\"}"));

        assertThatExceptionOfType(ModelFailed.class)
                .isThrownBy(() -> ask(shaped(THING)))
                .withMessageContaining("temperature must be at most 1");
        assertThat(server.requests()).hasSize(2);
        assertThat(model(server.baseUrl()).holds(shape(THING), false)).isTrue();
    }

    @Test
    void a_refusal_of_a_request_without_a_shape_is_a_refusal_whatever_it_says() {
        server.script(Answer.status(400, "{\"error\":\"response_format is bad\"}"));

        assertThatExceptionOfType(ModelFailed.class).isThrownBy(() -> ask(request(user("hi"))));
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void a_schema_that_openai_would_refuse_to_be_strict_about_is_sent_without_that() {
        server.script(Answer.says("{}"));
        var loose = "{\"type\":\"object\",\"properties\":{\"a\":{\"minLength\":3}},\"oneOf\":[{}]}";

        ask(shaped(loose));

        var sent = server.onlyRequest().path("response_format").path("json_schema");
        assertThat(sent.path("strict").booleanValue()).isFalse();
        assertThat(sent.path("schema")).isEqualTo(Json.MAPPER.readTree(loose));
    }
}
