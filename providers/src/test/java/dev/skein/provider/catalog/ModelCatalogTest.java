package dev.skein.provider.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.message.Usage;
import dev.skein.model.ModelName;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelCatalogTest {

    private final ModelCatalog catalog = ModelCatalog.builtIn();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path home;

    @Test
    void every_listed_model_has_a_window_and_prices_that_make_sense() {
        assertThat(catalog.models()).hasSizeGreaterThan(25).allSatisfy(model -> {
            var isLocal = Set.of("offline", "ollama").contains(model.name().provider());
            assertThat(model.contextWindow() == null).isEqualTo(isLocal);
            if (model.outputMax() != null) {
                assertThat(model.contextWindow()).isGreaterThan(model.outputMax());
            }
            var prices = model.prices();
            if (prices != null) {
                assertThat(prices.output()).isGreaterThanOrEqualTo(prices.input());
                assertThat(prices.cacheRead() == null || prices.cacheRead().compareTo(prices.input()) < 0)
                        .isTrue();
            }
        });
        assertThat(catalog.models())
                .extracting(model -> model.name().provider())
                .contains("anthropic", "openai", "gemini", "mistral", "ollama", "offline");
        assertThat(catalog.asOf()).matches("20\\d\\d-\\d\\d");
    }

    @Test
    void without_a_file_nothing_changes() {
        var overridden = catalog.withOverrides(home);

        assertThat(overridden.problems()).isEmpty();
        assertThat(overridden.catalog().models()).isEqualTo(catalog.models());
    }

    @Test
    void a_users_file_changes_what_it_names_and_leaves_the_rest() throws IOException {
        Files.writeString(home.resolve("models.yaml"), """
                models:
                  - name: openai:gpt-4o
                    prices: {input: 1, output: 2}
                  - name: groq:llama-3
                    context_window: 8192
                    thinking: none
                """);

        var overridden = catalog.withOverrides(home);

        assertThat(overridden.problems()).isEmpty();
        var known = overridden.catalog().find(ModelName.parse("openai:gpt-4o"));
        assertThat(known.contextWindow()).isEqualTo(128_000);
        assertThat(known.costOf(Usage.of(1_000_000, 1_000_000))).hasToString("$3");
        assertThat(overridden.catalog().find(ModelName.parse("groq:llama-3")).contextWindow())
                .isEqualTo(8_192);
        assertThat(overridden.catalog().asOf()).isEqualTo(catalog.asOf());
    }

    @Test
    void json_does_as_well_as_yaml() throws IOException {
        Files.writeString(home.resolve("models.json"), "[{\"name\": \"a:b\", \"context_window\": 5}]");

        assertThat(catalog.withOverrides(home)
                        .catalog()
                        .find(ModelName.parse("a:b"))
                        .contextWindow())
                .isEqualTo(5);
    }

    @Test
    void entries_that_make_no_sense_are_told_and_the_others_count() throws IOException {
        var file = home.resolve("models.yaml");
        Files.writeString(file, """
                - name: a:b
                  context_window: many
                - context_window: 7
                - name: nonsense
                - just words
                - name: c:d
                  output_max: -1
                - name: e:f
                  prices: {input: -3, output: 1}
                - name: g:h
                  prices: {input: 3}
                - name: good:one
                  context_window: 7
                  contextwindow: 8
                """);

        var overridden = catalog.withOverrides(home);

        assertThat(overridden.catalog().find(ModelName.parse("good:one")).contextWindow())
                .isEqualTo(7);
        assertThat(overridden.catalog().models()).hasSize(catalog.models().size() + 1);
        assertThat(overridden.problems())
                .hasSize(8)
                .allMatch(problem -> problem.file().equals(file));
        assertThat(overridden.problems().stream().map(ModelCatalog.Problem::reason))
                .satisfiesExactly(
                        reason -> assertThat(reason).startsWith("entry 1 (a:b): "),
                        reason -> assertThat(reason)
                                .isEqualTo("entry 2 (without a name): a model needs a name: provider:model"),
                        reason -> assertThat(reason).startsWith("entry 3 (nonsense): a model is named provider:model"),
                        reason -> assertThat(reason).startsWith("entry 4 (without a name): "),
                        reason -> assertThat(reason).contains("entry 5 (c:d): ", "output_max", "above 0, not -1"),
                        reason -> assertThat(reason).contains("entry 6 (e:f): ", "the price of input"),
                        reason -> assertThat(reason).contains("entry 7 (g:h): ", "prices need output"),
                        reason -> assertThat(reason)
                                .isEqualTo("entry 8 (good:one): there is no field 'contextwindow', it is left out"));
    }

    @Test
    void a_file_that_is_no_list_is_told() throws IOException {
        for (var text : List.of("models: 5", "{{", "just words", "[1")) {
            Files.writeString(home.resolve("models.yaml"), text);

            var overridden = catalog.withOverrides(home);

            assertThat(overridden.problems()).as(text).hasSize(1);
            assertThat(overridden.catalog().models()).isEqualTo(catalog.models());
        }
        Files.writeString(home.resolve("models.yaml"), "");
        Files.writeString(home.resolve("models.json"), "[]");

        assertThat(catalog.withOverrides(home).problems())
                .singleElement()
                .hasToString(home.resolve("models.json") + ": is not read, as there is models.yaml; keep one of them");
    }

    @Test
    void an_override_replaces_a_model_in_its_place_and_adds_one_at_the_end() {
        var known = ModelInfo.unknown(catalog.models().getFirst().name());
        var added = ModelInfo.unknown(new ModelName("mine", "own"));

        var changed = catalog.with(List.of(known, added));

        assertThat(changed.models()).startsWith(known).endsWith(added);
        assertThat(catalog.models()).doesNotContain(added);
    }

    @Test
    void nothing_is_known_about_a_model_that_is_not_listed() {
        var unknown = catalog.find(new ModelName("openai", "gpt-of-tomorrow"));

        assertThat(unknown.contextWindow()).isNull();
        assertThat(unknown.costOf(Usage.of(1, 1))).isNull();
    }

    @Test
    void cached_tokens_have_prices_of_their_own() {
        var prices = new Prices(
                BigDecimal.valueOf(3), BigDecimal.valueOf(15), new BigDecimal("0.3"), new BigDecimal("3.75"));

        assertThat(prices.of(new Usage(1_000_000, 100_000, 600_000, 200_000, 50_000)))
                .hasToString("$3.03");
        assertThat(new Prices(BigDecimal.ONE, BigDecimal.ONE, null, null).of(new Usage(2_000_000, 0, 1_000_000, 0, 0)))
                .hasToString("$2");
    }
}
