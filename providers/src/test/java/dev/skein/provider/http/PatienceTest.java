package dev.skein.provider.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.ModelFailed;
import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Role;
import dev.skein.model.Model;
import dev.skein.model.ModelName;
import dev.skein.model.ModelRequest;
import dev.skein.model.Sampling;
import dev.skein.provider.catalog.ModelInfo;
import dev.skein.provider.ollama.OllamaModel;
import dev.skein.provider.openai.OpenAiModel;
import dev.skein.provider.openai.RefusedFormats;
import dev.skein.testkit.provider.Answer;
import dev.skein.testkit.provider.Gate;
import dev.skein.testkit.provider.OllamaWire;
import dev.skein.testkit.provider.OpenAiWire;
import dev.skein.testkit.provider.ProviderServer;
import dev.skein.testkit.provider.Wire;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

class PatienceTest {

    private static final ModelInfo INFO = ModelInfo.unknown(new ModelName("a", "b"));

    @Test
    void a_provider_that_never_begins_to_answer_is_given_up() throws Exception {
        requireGivenUp(
                new OpenAiWire(), (endpoint, http) -> new OpenAiModel(INFO, endpoint, http, new RefusedFormats()));
        requireGivenUp(new OllamaWire(), (endpoint, http) -> new OllamaModel(INFO, endpoint, http));
    }

    @Test
    void by_default_two_minutes_of_silence_are_too_much() {
        assertThat(Patience.DEFAULT.silence()).hasSeconds(120);
        assertThat(Patience.DEFAULT.answer()).hasMinutes(10);
    }

    private static void requireGivenUp(Wire wire, BiFunction<Endpoint, StreamingHttp, Model> opening) throws Exception {
        var gate = new Gate();
        var key = new Secret("key");
        try (var server = ProviderServer.speaking(wire);
                var client = StreamingHttp.newClient()) {
            server.script(new Answer.Held(gate, Answer.says("too late")));
            var patience = new Patience(Duration.ofMillis(300), Duration.ofMinutes(1));
            var model = opening.apply(new Endpoint(server.baseUrl(), key), new StreamingHttp(client, key, patience));
            var message = Message.of(new MessageId("m"), Role.USER, Instant.EPOCH, "hi");
            var request = new ModelRequest(null, List.of(message), List.of(), Sampling.DEFAULT);

            assertThatExceptionOfType(ModelFailed.class)
                    .isThrownBy(() -> model.reply(request, _ -> {}, new Cancellation()))
                    .withMessage("a:b did not answer: no answer began within 300 ms; try again later")
                    .matches(ModelFailed::isTransient);
            gate.open();
        }
    }
}
