package dev.skein.provider.ollama;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.ModelFailed;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.model.Model;
import dev.skein.model.ModelName;
import dev.skein.model.ModelRequest;
import dev.skein.model.Sampling;
import dev.skein.provider.Models;
import dev.skein.provider.catalog.ModelInfo;
import dev.skein.testkit.provider.Answer;
import dev.skein.testkit.provider.Answer.Step;
import dev.skein.testkit.provider.ModelContract;
import dev.skein.testkit.provider.OllamaWire;
import dev.skein.testkit.provider.Wire;
import dev.skein.wire.Json;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class OllamaModelTest extends ModelContract {

    @Override
    protected Wire wire() {
        return new OllamaWire();
    }

    @Override
    protected Model model(URI baseUrl, Duration silence) {
        var info = ModelInfo.unknown(new ModelName("ollama", "test"));
        return Models.to(baseUrl, KEY, silence, (endpoint, http) -> new OllamaModel(info, endpoint, http));
    }

    @Test
    void calls_without_ids_get_one_each_and_stay_apart() {
        var line = wire.event("{\"message\": {\"content\": \"\", \"tool_calls\": ["
                + "{\"function\": {\"name\": \"read\", \"arguments\": {\"path\": \"a\"}}},"
                + "{\"function\": {\"name\": \"now\", \"arguments\": {}}}]}, \"done\": false}");

        assertThat(ask(Answer.reply(new Step.Raw(line)), user("go")).parts())
                .containsExactly(call("call-1-0", "read", "{\"path\":\"a\"}"), call("call-1-1", "now", "{}"));
    }

    @Test
    void settings_are_sent_in_ollamas_words() {
        server.script(Answer.says("ok"));

        ask(new ModelRequest(null, List.of(user("hi")), List.of(), new Sampling(0.5, 0.9, 77, "low")));

        assertThat(server.onlyRequest()).isEqualTo(Json.MAPPER.readTree("""
                {"model": "test", "stream": true, "messages": [{"role": "user", "content": "hi"}], "think": true,
                 "options": {"temperature": 0.5, "top_p": 0.9, "num_predict": 77}}"""));
    }

    @Test
    void a_window_that_the_catalog_knows_is_asked_for() {
        server.script(Answer.says("ok"));
        var name = new ModelName("ollama", "test");
        var info = new ModelInfo(name, 32_768, null, ModelInfo.Thinking.NONE, null);
        var model = Models.to(
                server.baseUrl(), "", Duration.ofMinutes(1), (endpoint, http) -> new OllamaModel(info, endpoint, http));

        model.reply(request(user("hi")), _ -> {}, new Cancellation());

        assertThat(server.onlyRequest().path("options").path("num_ctx").asInt()).isEqualTo(32_768);
        assertThat(server.requests().getFirst().headers()).doesNotContainKey("authorization");
    }

    @Test
    void a_picture_by_its_address_is_refused_with_the_reason() {
        var picture = new Part.Image(null, null, "https://example.org/cat.jpg", null);

        assertThatExceptionOfType(ModelFailed.class)
                .isThrownBy(() -> ask(request(message(Role.USER, picture))))
                .withMessageContaining("Ollama takes pictures as data, not by their address");
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void a_shape_is_sent_as_a_format_and_told_because_ollama_does_not() {
        server.script(Answer.says("{}"));

        ask(shaped(THING));

        var sent = server.onlyRequest();
        assertThat(sent.path("format")).isEqualTo(Json.MAPPER.readTree(THING));
        assertThat(sent.path("messages").path(0).path("content").asString())
                .startsWith("Be brief.")
                .contains("JSON Schema", THING);
        assertThat(model(URI.create("http://127.0.0.1:1")).holds(shape("{}"), true))
                .isFalse();
    }
}
