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
import dev.skein.session.OutputShape;
import dev.skein.testkit.provider.Answer;
import dev.skein.testkit.provider.AnthropicWire;
import dev.skein.testkit.provider.GeminiWire;
import dev.skein.testkit.provider.MistralWire;
import dev.skein.testkit.provider.OllamaWire;
import dev.skein.testkit.provider.OpenAiWire;
import dev.skein.testkit.provider.ProviderServer;
import dev.skein.wire.Json;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
    void what_a_server_would_not_take_is_remembered_for_all_models_that_are_opened_later() throws Exception {
        try (var server = ProviderServer.speaking(new OpenAiWire())) {
            server.script(Answer.status(400, "{\"error\":\"unknown response_format\"}"), Answer.says("{}"));
            var registry = registry(Map.of("OPENAI_BASE_URL", server.baseUrl().toString()));
            var shape = new OutputShape("thing", Json.MAPPER.createObjectNode());
            var local = new ModelName("openai", "llama:8b");
            var asked = request();

            registry.open(local)
                    .reply(
                            new ModelRequest(asked.system(), asked.messages(), List.of(), asked.sampling(), shape),
                            _ -> {},
                            new Cancellation());

            assertThat(registry.open(local).holds(shape, false)).isFalse();
            assertThat(registry.open(new ModelName("openai", "qwen")).holds(shape, false))
                    .isTrue();
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
        try (var openAi = ProviderServer.speaking(new OpenAiWire());
                var anthropic = ProviderServer.speaking(new AnthropicWire());
                var gemini = ProviderServer.speaking(new GeminiWire());
                var mistral = ProviderServer.speaking(new MistralWire());
                var ollama = ProviderServer.speaking(new OllamaWire())) {
            var servers = List.of(openAi, anthropic, gemini, mistral, ollama);
            servers.forEach(server -> server.always(_ -> Answer.status(401, "wrong key " + CANARY)));
            var registry = new ProviderRegistry(
                    Map.of(
                            "OPENAI_API_KEY", CANARY,
                            "OPENAI_BASE_URL", secretly(openAi.baseUrl()),
                            "ANTHROPIC_API_KEY", CANARY,
                            "ANTHROPIC_BASE_URL", anthropic.baseUrl().toString(),
                            "GOOGLE_API_KEY", CANARY,
                            "MISTRAL_API_KEY", CANARY,
                            "OLLAMA_API_KEY", CANARY,
                            "GROQ_API_KEY", CANARY),
                    ModelCatalog.builtIn(),
                    Map.of(
                            "gemini",
                                    new ProviderSettings(null, gemini.baseUrl().toString(), null, null),
                            "mistral",
                                    new ProviderSettings(null, mistral.baseUrl().toString(), null, null),
                            "ollama", new ProviderSettings(null, secretly(ollama.baseUrl()), null, null),
                            "groq", groq(secretly(openAi.baseUrl()))),
                    _ -> false);

            var shown = new StringBuilder().append(registry).append(registry.configured());
            for (var name : List.of("openai:a", "anthropic:b", "gemini:test", "mistral:d", "ollama:e", "groq:f")) {
                var model = registry.open(ModelName.parse(name));
                shown.append(model)
                        .append(model.snapshot(Sampling.DEFAULT))
                        .append(Json.MAPPER.writeValueAsString(model.snapshot(Sampling.DEFAULT)))
                        .append(stackTraceOf(
                                catchThrowable(() -> model.reply(request(), _ -> {}, new Cancellation()))));
            }
            logged.list.forEach(
                    event -> shown.append(event.getFormattedMessage()).append(event.getThrowableProxy()));

            assertThat(shown.toString())
                    .contains("wrong key", "check the key in GOOGLE_API_KEY", "check the key in GROQ_API_KEY")
                    .doesNotContain(CANARY);
            assertThat(servers)
                    .allSatisfy(server -> assertThat(server.requests()).isNotEmpty());
            assertThat(openAi.requests().getFirst().headers()).containsEntry("authorization", "Bearer " + CANARY);
        } finally {
            root.setLevel(level);
            root.detachAppender(logged);
            root.addAppender(console);
        }
    }

    @Test
    void a_server_of_ones_own_answers_under_its_own_name() throws Exception {
        try (var server = ProviderServer.speaking(new OpenAiWire())) {
            server.script(Answer.says("fast"));
            var registry = new ProviderRegistry(
                    Map.of("GROQ_API_KEY", CANARY),
                    ModelCatalog.builtIn(),
                    Map.of("groq", groq(server.baseUrl().toString())),
                    _ -> false);

            assertThat(registry.configured()).containsExactly("groq", "offline");
            var model = registry.open(ModelName.parse("groq:llama-3"));

            assertThat(model.reply(request(), _ -> {}, new Cancellation()).parts())
                    .containsExactly(new Part.Text("fast"));
            assertThat(model.name()).hasToString("groq:llama-3");
            assertThat(server.requests().getFirst().headers()).containsEntry("authorization", "Bearer " + CANARY);
        }
    }

    @Test
    void a_key_that_settings_ask_for_must_be_there() {
        var registry = new ProviderRegistry(
                Map.of(), ModelCatalog.builtIn(), Map.of("groq", groq("https://groq.example/v1")), _ -> false);

        assertThat(registry.configured()).containsExactly("offline");
        assertThatExceptionOfType(InvalidRequest.class)
                .isThrownBy(() -> registry.open(ModelName.parse("groq:llama-3")))
                .withMessage("groq:llama-3 needs a key: set GROQ_API_KEY");
    }

    @Test
    void a_server_of_ones_own_may_speak_any_format_and_need_no_key() throws Exception {
        try (var server = ProviderServer.speaking(new OllamaWire())) {
            server.script(Answer.says("hi"));
            var url = server.baseUrl().toString();
            var registry = new ProviderRegistry(
                    Map.of(),
                    ModelCatalog.builtIn(),
                    Map.of("garage", new ProviderSettings("ollama", url, null, 5)),
                    _ -> false);

            assertThat(registry.configured()).containsExactly("garage", "offline");
            assertThat(registry.open(ModelName.parse("garage:qwen3:4b"))
                            .reply(request(), _ -> {}, new Cancellation())
                            .parts())
                    .containsExactly(new Part.Text("hi"));
        }
    }

    @Test
    void settings_that_make_no_sense_are_refused_by_name_and_a_key_among_them_is_not_repeated() {
        requireRefused("groq", new ProviderSettings(null, null, null, null), "'groq' has no base_url");
        requireRefused("groq", new ProviderSettings("carrier-pigeon", "https://x", null, null), "openai-compatible");
        requireRefused("a:b", groq("https://x"), "cannot be called 'a:b'");
        requireRefused("offline", groq("https://x"), "cannot be called 'offline'");
        assertThatThrownBy(() -> new ProviderSettings(null, null, CANARY, null))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("key_env names a variable")
                .message()
                .doesNotContain(CANARY);
        assertThatThrownBy(() -> new ProviderSettings(null, null, null, 0)).hasMessageContaining("idle_timeout");
    }

    private static void requireRefused(String name, ProviderSettings settings, String why) {
        assertThatExceptionOfType(InvalidRequest.class)
                .isThrownBy(() -> new ProviderRegistry(Map.of(), ModelCatalog.builtIn(), Map.of(name, settings)))
                .withMessageContaining(why);
    }

    @Test
    void settings_are_read_as_they_are_written() {
        var text = """
                {"type": "openai-compatible", "base_url": "https://x/v1", "key_env": "X_KEY", "idle_timeout": 9}
                """;

        var settings = Json.MAPPER.readValue(text, ProviderSettings.class);

        assertThat(settings).isEqualTo(new ProviderSettings("openai-compatible", "https://x/v1", "X_KEY", 9));
    }

    @Test
    void an_ollama_counts_if_it_listens_or_is_named() {
        var asked = new ArrayList<URI>();
        var found = new ProviderRegistry(Map.of(), ModelCatalog.builtIn(), Map.of(), address -> {
            asked.add(address);
            return true;
        });

        assertThat(found.configured()).containsExactly("ollama", "offline");
        assertThat(asked).containsExactly(URI.create("http://localhost:11434"));
        assertThat(found.defaultModel()).isEqualTo(OfflineModel.NAME);
        assertThat(registry(Map.of("OLLAMA_HOST", "garage")).configured()).containsExactly("ollama", "offline");
        assertThat(registry(Map.of()).open(ModelName.parse("ollama:qwen3")))
                .hasToString("ollama:qwen3 at http://localhost");
    }

    @Test
    void the_address_of_an_ollama_is_completed() {
        assertThat(OllamaHost.addressOf("garage")).isEqualTo("http://garage:11434");
        assertThat(OllamaHost.addressOf("garage:99")).isEqualTo("http://garage:99");
        assertThat(OllamaHost.addressOf("0.0.0.0:11434")).isEqualTo("http://127.0.0.1:11434");
        assertThat(OllamaHost.addressOf("https://ollama.example")).isEqualTo("https://ollama.example");
    }

    @Test
    void somebody_who_listens_is_found_and_nobody_is_not() throws Exception {
        URI address;
        try (var server = ProviderServer.speaking(new OllamaWire())) {
            address = server.baseUrl();
            assertThat(OllamaHost.listensAt(address)).isTrue();
        }
        assertThat(OllamaHost.listensAt(address)).isFalse();
    }

    @Test
    void every_known_model_is_listed_with_whether_it_can_be_used() {
        var listing = registry(Map.of("GEMINI_API_KEY", CANARY)).listing();

        assertThat(listing).hasSameSizeAs(ModelCatalog.builtIn().models());
        assertThat(listing)
                .allSatisfy(listed -> assertThat(listed.isConfigured())
                        .isEqualTo(Set.of("gemini", "offline")
                                .contains(listed.model().name().provider())));
    }

    private static ProviderSettings groq(String url) {
        return new ProviderSettings("openai-compatible", url, "GROQ_API_KEY", null);
    }

    private static String secretly(URI url) {
        return url.toString().replace("http://", "http://me:" + CANARY + "@");
    }

    @Test
    void a_key_with_a_line_break_in_it_is_refused_without_repeating_it() {
        var broken = CANARY + "\n" + CANARY;
        var environment = Map.of(
                "OPENAI_API_KEY", broken,
                "ANTHROPIC_API_KEY", broken,
                "GEMINI_API_KEY", broken,
                "MISTRAL_API_KEY", broken,
                "OLLAMA_API_KEY", broken);

        for (var name : List.of("openai:a", "anthropic:b", "gemini:c", "mistral:d", "ollama:e")) {
            var model = registry(environment).open(ModelName.parse(name));

            var failed = catchThrowable(() -> model.reply(request(), _ -> {}, new Cancellation()));

            assertThat(stackTraceOf(failed))
                    .contains("holds a character that cannot be sent; look for line breaks")
                    .doesNotContain(CANARY);
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
