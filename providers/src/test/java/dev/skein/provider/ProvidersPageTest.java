package dev.skein.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.cancellation.Cancellation;
import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.model.ModelName;
import dev.skein.model.ModelRequest;
import dev.skein.model.Sampling;
import dev.skein.provider.catalog.ModelCatalog;
import dev.skein.provider.offline.OfflineModel;
import dev.skein.tool.ToolSpec;
import dev.skein.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.core.type.TypeReference;
import tools.jackson.dataformat.yaml.YAMLMapper;

/// What `docs/providers.md` says is true.
class ProvidersPageTest {

    private static final Pattern YAML = Pattern.compile("```yaml\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\| (.*) \\| `(.*)` \\|$");
    private static final Pattern VARIABLE = Pattern.compile("`([A-Z_]+)`");
    private static final Pattern PHRASE = Pattern.compile("(?m)^\\| (.*) \\| `(\\w+) (\\{.*})` \\|$");

    private final String page = read();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path home;

    @Test
    void every_provider_is_there_with_its_variables() {
        var rows = ROW.matcher(page).results().toList();

        assertThat(rows.stream().map(row -> row.group(1)))
                .containsExactlyElementsOf(
                        Stream.concat(Provider.KNOWN.stream().map(Provider::name), Stream.of("offline"))
                                .toList());
        for (var provider : Provider.KNOWN) {
            var row = rows.stream()
                    .filter(found -> found.group(1).equals(provider.name()))
                    .findFirst()
                    .orElseThrow();
            assertThat(VARIABLE.matcher(row.group(2)).results().map(variable -> variable.group(1)))
                    .containsExactlyInAnyOrderElementsOf(
                            Stream.concat(provider.keyVariables().stream(), Stream.ofNullable(provider.urlVariable()))
                                    .toList());
            assertThat(ModelName.parse(row.group(3)).provider()).isEqualTo(provider.name());
        }
    }

    @Test
    void the_settings_shown_open_models() {
        var settings = Json.configure(YAMLMapper.builder())
                .build()
                .readValue(yaml(0), new TypeReference<Map<String, ProviderSettings>>() {});
        var environment = Map.of("GROQ_API_KEY", "secret", "OPENAI_API_KEY", "secret");

        var registry = new ProviderRegistry(environment, ModelCatalog.builtIn(), settings, _ -> false);

        assertThat(registry.configured()).containsExactly("openai", "groq", "garage", "offline");
        assertThat(registry.open(ModelName.parse("groq:llama-3.3-70b-versatile")))
                .hasToString("groq:llama-3.3-70b-versatile at https://api.groq.com");
        assertThat(registry.open(ModelName.parse("openai:gpt-5")))
                .hasToString("openai:gpt-5 at https://proxy.example.org");
    }

    @Test
    void the_list_of_models_shown_can_be_read() throws IOException {
        Files.writeString(home.resolve("models.yaml"), yaml(1));

        var overridden = ModelCatalog.builtIn().withOverrides(home);

        assertThat(overridden.problems()).isEmpty();
        assertThat(overridden.catalog().find(ModelName.parse("ollama:qwen3:4b")).contextWindow())
                .isEqualTo(32_768);
    }

    @Test
    void the_phrases_shown_call_what_is_shown() {
        var phrases = PHRASE.matcher(page).results().toList();

        assertThat(phrases).hasSizeGreaterThan(5);
        for (var phrase : phrases) {
            var said = phrase.group(1).replace("\\", "");
            var prompt = Message.of(new MessageId("m"), Role.USER, Instant.EPOCH, said);
            var tool = new ToolSpec(
                    phrase.group(2), "", Json.MAPPER.createObjectNode(), ToolSpec.Repeat.SAFE, ToolSpec.Effect.READS);

            var reply = new OfflineModel()
                    .reply(
                            new ModelRequest(null, List.of(prompt), List.of(tool), Sampling.DEFAULT),
                            _ -> {},
                            new Cancellation());

            assertThat(reply.parts().getLast()).as(said).isInstanceOfSatisfying(Part.ToolCall.class, call -> {
                assertThat(call.name()).isEqualTo(phrase.group(2));
                assertThat(call.arguments().toString()).isEqualTo(phrase.group(3));
            });
        }
    }

    private String yaml(int index) {
        return YAML.matcher(page).results().toList().get(index).group(1);
    }

    private static String read() {
        try {
            return Files.readString(Path.of("").toAbsolutePath().getParent().resolve("docs/providers.md"));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
