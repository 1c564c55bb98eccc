package dev.skein.provider.gemini;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.ModelFailed;
import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.ToolCallId;
import dev.skein.model.Model;
import dev.skein.model.ModelName;
import dev.skein.model.ModelReply.StopReason;
import dev.skein.model.ModelRequest;
import dev.skein.model.Sampling;
import dev.skein.provider.Models;
import dev.skein.provider.catalog.ModelInfo;
import dev.skein.testkit.provider.Answer;
import dev.skein.testkit.provider.Answer.Step;
import dev.skein.testkit.provider.GeminiWire;
import dev.skein.testkit.provider.ModelContract;
import dev.skein.testkit.provider.Wire;
import dev.skein.wire.Json;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GeminiModelTest extends ModelContract {

    @Override
    protected Wire wire() {
        return new GeminiWire();
    }

    @Override
    protected Model model(URI baseUrl, Duration silence) {
        var info = ModelInfo.unknown(new ModelName("gemini", "test"));
        return Models.to(baseUrl, KEY, silence, (endpoint, http) -> new GeminiModel(info, endpoint, http));
    }

    @Test
    void a_signed_call_is_sent_back_with_its_signature() {
        var event = """
                data: {"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"now","args":{}},\
                "thoughtSignature":"sig=="}]},"finishReason":"STOP"}]}

                """;
        var reply = ask(Answer.reply(new Step.Raw(event)), user("time?"));
        var call = new Part.ToolCall(new ToolCallId("call-1-0"), "now", Json.MAPPER.createObjectNode(), "sig==");
        assertThat(reply.parts()).containsExactly(call);
        assertThat(reply.stopReason()).isEqualTo(StopReason.TOOL_USE);

        server.script(Answer.says("noon"));
        ask(request(
                user("time?"),
                message(Role.ASSISTANT, call),
                message(Role.TOOL, Part.ToolResult.text(call.id(), "now", "12"))));

        assertThat(server.requests()
                        .getLast()
                        .body()
                        .path("contents")
                        .path(1)
                        .path("parts")
                        .path(0))
                .isEqualTo(Json.MAPPER.readTree("""
                        {"functionCall": {"id": "call-1-0", "name": "now", "args": {}},
                         "thoughtSignature": "sig=="}"""));
    }

    @Test
    void a_signed_text_keeps_its_signature() {
        var event = """
                data: {"candidates":[{"content":{"parts":[{"text":"noon","thoughtSignature":"sig=="}]},\
                "finishReason":"STOP"}]}

                """;

        var reply = ask(Answer.reply(new Step.Raw(event)), user("time?"));
        assertThat(reply.parts()).containsExactly(new Part.Text("noon"), new Part.Thinking("", "sig==", null));

        server.script(Answer.says("yes"));
        ask(request(user("time?"), message(Role.ASSISTANT, reply.parts().toArray(Part[]::new)), user("sure?")));

        assertThat(server.requests().getLast().body().path("contents").path(1).path("parts"))
                .isEqualTo(Json.MAPPER.readTree("""
                        [{"text": "noon"}, {"text": "", "thoughtSignature": "sig=="}]"""));
    }

    @Test
    void a_call_that_another_providers_model_made_is_marked_for_models_that_want_signatures() {
        var foreign = new Message(
                new MessageId("m"),
                Role.ASSISTANT,
                Instant.EPOCH,
                List.of(new Part.Thinking("foreign", "sig", null), call("c", "now", "{}")),
                new Message.Reply("gpt", "openai", null, null, null),
                Map.of());
        var body = Json.MAPPER.createObjectNode();
        new GeminiContents("gemini-3-pro-preview").write(request(user("hi"), foreign), body);

        assertThat(body.toString()).contains("skip_thought_signature_validator").doesNotContain("foreign");
    }

    @Test
    void a_prompt_that_is_blocked_is_a_filtered_reply() {
        var event = wire.event("{\"promptFeedback\": {\"blockReason\": \"SAFETY\"}}");

        var reply = ask(Answer.reply(new Step.Raw(event), new Step.EndEarly()), user("hi"));

        assertThat(reply.stopReason()).isEqualTo(StopReason.FILTERED);
        assertThat(reply.parts()).isEmpty();
    }

    @Test
    void thinking_has_a_budget_or_a_level_as_the_model_wants_it() {
        server.always(_ -> Answer.says("ok"));
        var sampling = new Sampling(0.5, 0.9, 77, "low");

        ask(new ModelRequest(null, List.of(user("hi")), List.of(), sampling));

        assertThat(server.onlyRequest().path("generationConfig")).isEqualTo(Json.MAPPER.readTree("""
                {"temperature": 0.5, "topP": 0.9, "maxOutputTokens": 77,
                 "thinkingConfig": {"includeThoughts": true, "thinkingLevel": "low"}}"""));
    }

    @Test
    void a_failed_tool_is_sent_back_as_failed() {
        var failed = new Part.ToolResult(new ToolCallId("c"), "now", List.of(new Part.Text("no")), true, null);

        ask(Answer.says("ok"), user("go"), message(Role.ASSISTANT, call("c", "now", "{}")), message(Role.TOOL, failed));

        assertThat(server.onlyRequest().toString()).contains("\"response\":{\"error\":\"no\"}");
    }

    @Test
    void a_wait_that_google_asks_for_in_the_body_is_understood() {
        server.script(
                Answer.status(429, "{\"error\": {\"message\": \"quota\", \"details\": [{\"retryDelay\": \"7s\"}]}}"));

        assertThatExceptionOfType(ModelFailed.class)
                .isThrownBy(() -> ask(request(user("hi"))))
                .withMessage("gemini:test did not answer: status 429: quota; try again in 7 s")
                .matches(failed -> failed.retryAfter().equals(Optional.of(Duration.ofSeconds(7))));
    }

    @Test
    void a_key_that_is_not_valid_is_told_as_such() {
        server.script(Answer.status(400, "{\"error\": {\"message\": \"API key not valid. Pass a valid one.\"}}"));

        assertThatExceptionOfType(ModelFailed.class)
                .isThrownBy(() -> ask(request(user("hi"))))
                .withMessageEndingWith("; check the provider's key");
    }

    @Test
    void a_name_that_no_address_can_hold_is_written_so_that_it_can() {
        var info = ModelInfo.unknown(new ModelName("gemini", "a b?c"));
        var model = Models.to(
                server.baseUrl(),
                KEY,
                Duration.ofMinutes(1),
                (endpoint, http) -> new GeminiModel(info, endpoint, http));

        assertThatExceptionOfType(ModelFailed.class)
                .isThrownBy(() -> model.reply(request(user("hi")), _ -> {}, new Cancellation()))
                .withMessageContaining("status 404");
        assertThat(server.requests().getFirst().path()).isEqualTo("/v1/models/a%20b%3Fc:streamGenerateContent?alt=sse");
    }

    @Test
    void a_shape_is_sent_with_the_generation_settings() {
        server.script(Answer.says("{}"));

        ask(shaped(THING));

        assertThat(server.onlyRequest().path("generationConfig"))
                .isEqualTo(Json.MAPPER.readTree(
                        "{\"responseMimeType\": \"application/json\", \"responseJsonSchema\": %s}".formatted(THING)));
        assertThat(model(URI.create("http://127.0.0.1:1")).holds(shape("{}"), false))
                .isTrue();
        assertThat(model(URI.create("http://127.0.0.1:1")).holds(shape("{}"), true))
                .isFalse();
    }
}
