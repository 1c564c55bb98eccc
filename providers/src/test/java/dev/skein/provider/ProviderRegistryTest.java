package dev.skein.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.skein.cancellation.Cancellation;
import dev.skein.failure.InvalidRequest;
import dev.skein.failure.ModelFailed;
import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.model.ModelName;
import dev.skein.model.ModelRequest;
import dev.skein.model.Sampling;
import dev.skein.provider.anthropic.AnthropicModel;
import dev.skein.provider.catalog.ModelCatalog;
import dev.skein.provider.catalog.ModelInfo;
import dev.skein.provider.offline.OfflineModel;
import dev.skein.provider.openai.OpenAiModel;
import dev.skein.testkit.provider.Answer;
import dev.skein.testkit.provider.AnthropicWire;
import dev.skein.testkit.provider.OpenAiWire;
import dev.skein.testkit.provider.ProviderServer;
import dev.skein.wire.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ProviderRegistryTest {

    private static final String CANARY = "sk-canary-2718281828";
    private static final ModelName GPT = new ModelName("openai", "gpt-4o");
    private static final ModelName CLAUDE = new ModelName("anthropic", "claude-sonnet-4-5");

    @Test
    void with_nothing_set_there_is_the_offline_model() {
        var registry = registry(Map.of());

        assertThat(registry.configured()).containsExactly("offline");
        assertThat(registry.defaultModel()).isEqualTo(OfflineModel.NAME);
        assertThat(registry.open(registry.defaultModel())).isInstanceOf(OfflineModel.class);
        assertThat(registry.models()).extracting(ModelInfo::name).containsExactly(OfflineModel.NAME);
    }

    @Test
    void a_key_makes_its_provider_available() {
        var registry = registry(Map.of("OPENAI_API_KEY", CANARY));

        assertThat(registry.configured()).containsExactly("openai", "offline");
        assertThat(registry.open(GPT)).isInstanceOf(OpenAiModel.class);
        assertThat(registry.defaultModel().provider()).isEqualTo("openai");
        assertThat(registry.models()).extracting(ModelInfo::name).contains(GPT).doesNotContain(CLAUDE);
    }

    @Test
    void a_model_that_is_not_listed_opens_as_well() {
        var name = new ModelName("anthropic", "claude-of-tomorrow");

        assertThat(registry(Map.of("ANTHROPIC_API_KEY", CANARY)).open(name)).isInstanceOf(AnthropicModel.class);
    }

    @Test
    void an_address_of_ones_own_needs_no_key() throws Exception {
        try (var server = ProviderServer.speaking(new OpenAiWire())) {
            server.script(Answer.says("local"));
            var registry = registry(Map.of("OPENAI_BASE_URL", server.baseUrl() + "/"));

            assertThat(registry.open(new ModelName("openai", "llama:8b"))
                            .reply(request(), _ -> {}, new Cancellation())
                            .parts())
                    .containsExactly(new Part.Text("local"));
            assertThat(server.requests().getFirst().headers()).doesNotContainKey("authorization");
            assertThat(server.onlyRequest().path("model").asString()).isEqualTo("llama:8b");
            assertThat(registry.defaultModel()).isEqualTo(OfflineModel.NAME);
        }
    }

    @Test
    void anthropics_address_may_come_without_its_version() throws Exception {
        try (var server = ProviderServer.speaking(new AnthropicWire())) {
            server.script(Answer.says("hi"));
            var url = server.baseUrl().toString().replace("/v1", "");
            var registry = registry(Map.of("ANTHROPIC_BASE_URL", url, "ANTHROPIC_API_KEY", CANARY));

            assertThat(registry.open(CLAUDE)
                            .reply(request(), _ -> {}, new Cancellation())
                            .parts())
                    .containsExactly(new Part.Text("hi"));
        }
    }

    @Test
    void a_reply_is_priced_by_the_catalog_and_a_user_may_overrule_it() throws Exception {
        try (var server = ProviderServer.speaking(new OpenAiWire())) {
            server.always(_ -> Answer.says("hi"));
            var environment = Map.of("OPENAI_BASE_URL", server.baseUrl().toString());
            var mine = Json.MAPPER.readValue("""
                    {"name": "openai:gpt-4o", "context_window": 5,
                     "prices": {"input": 1000000, "output": 0}}""", ModelInfo.class);

            var listed = registry(environment).open(GPT).reply(request(), _ -> {}, new Cancellation());
            var overruled =
                    new ProviderRegistry(environment, ModelCatalog.builtIn().with(List.of(mine))).open(GPT);

            assertThat(listed.cost()).hasToString("$0.000075");
            assertThat(overruled.reply(request(), _ -> {}, new Cancellation()).cost())
                    .hasToString("$10");
            assertThat(overruled.snapshot(Sampling.DEFAULT).contextWindow()).isEqualTo(5);
        }
    }

    @Test
    void a_missing_key_is_named() {
        assertThatExceptionOfType(InvalidRequest.class)
                .isThrownBy(() -> registry(Map.of("OPENAI_API_KEY", "  ")).open(GPT))
                .withMessage("openai:gpt-4o needs a key: set OPENAI_API_KEY");
        assertThatExceptionOfType(InvalidRequest.class)
                .isThrownBy(() -> registry(Map.of()).open(CLAUDE))
                .withMessageContaining("ANTHROPIC_API_KEY");
    }

    @Test
    void an_unknown_provider_is_answered_with_those_there_are() {
        assertThatExceptionOfType(InvalidRequest.class)
                .isThrownBy(() -> registry(Map.of()).open(new ModelName("acme", "x")))
                .withMessage(
                        "no provider is called 'acme': there are anthropic, openai, gemini, mistral, ollama, offline");
        assertThatExceptionOfType(InvalidRequest.class)
                .isThrownBy(() -> registry(Map.of()).open(new ModelName("offline", "genius")))
                .withMessageContaining("offline:skein");
    }

    @Test
    void an_address_that_is_none_is_refused_without_repeating_it() {
        for (var url : List.of("not an address " + CANARY, "ftp://u:" + CANARY + "@host", "http:" + CANARY)) {
            assertThatThrownBy(() -> registry(Map.of("OPENAI_BASE_URL", url)).open(GPT))
                    .isInstanceOf(InvalidRequest.class)
                    .message()
                    .doesNotContain(CANARY);
        }
    }

    @Test
    void a_key_shows_up_nowhere_not_even_in_the_most_talkative_log() throws Exception {
        var root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        var level = root.getLevel();
        var logged = new ListAppender<ILoggingEvent>();
        var console = root.getAppender("console");
        root.detachAppender(console);
        logged.start();
        root.addAppender(logged);
        root.setLevel(Level.TRACE);
        try (var server = ProviderServer.speaking(new OpenAiWire());
                var other = ProviderServer.speaking(new AnthropicWire())) {
            server.always(_ -> Answer.status(401, "wrong key " + CANARY));
            other.always(_ -> Answer.status(400, "wrong key " + CANARY));
            var registry = registry(Map.of(
                    "OPENAI_API_KEY",
                    CANARY,
                    "OPENAI_BASE_URL",
                    server.baseUrl().toString().replace("http://", "http://me:" + CANARY + "@"),
                    "ANTHROPIC_API_KEY",
                    CANARY,
                    "ANTHROPIC_BASE_URL",
                    other.baseUrl().toString()));

            var shown = new StringBuilder().append(registry);
            for (var name : List.of(GPT, CLAUDE)) {
                var model = registry.open(name);
                shown.append(model)
                        .append(model.snapshot(Sampling.DEFAULT))
                        .append(Json.MAPPER.writeValueAsString(model.snapshot(Sampling.DEFAULT)))
                        .append(stackTraceOf(
                                catchThrowable(() -> model.reply(request(), _ -> {}, new Cancellation()))));
            }
            logged.list.forEach(
                    event -> shown.append(event.getFormattedMessage()).append(event.getThrowableProxy()));

            assertThat(shown.toString()).contains("wrong key").doesNotContain(CANARY);
            assertThat(server.requests()).hasSize(1);
            assertThat(server.requests().getFirst().headers()).containsEntry("authorization", "Bearer " + CANARY);
        } finally {
            root.setLevel(level);
            root.detachAppender(logged);
            root.addAppender(console);
        }
    }

    private static String stackTraceOf(Throwable thrown) {
        assertThat(thrown).isInstanceOf(ModelFailed.class);
        return Throwables.getStackTrace(thrown);
    }

    private static ProviderRegistry registry(Map<String, String> environment) {
        return new ProviderRegistry(environment, ModelCatalog.builtIn(), Map.of(), _ -> false);
    }

    private static ModelRequest request() {
        var message = Message.of(new MessageId("m"), Role.USER, Instant.EPOCH, "hi");
        return new ModelRequest(null, List.of(message), List.of(), Sampling.DEFAULT);
    }
}
