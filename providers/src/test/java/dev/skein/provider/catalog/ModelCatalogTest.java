package dev.skein.provider.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.message.Usage;
import dev.skein.model.ModelName;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

class ModelCatalogTest {

    private final ModelCatalog catalog = ModelCatalog.builtIn();

    @Test
    void every_listed_model_on_a_network_has_a_window_and_prices_that_make_sense() {
        assertThat(catalog.models()).hasSizeGreaterThan(10).allSatisfy(model -> {
            assertThat(model.prices()).isNotNull();
            assertThat(model.prices().output())
                    .isGreaterThanOrEqualTo(model.prices().input());
            if (!model.name().provider().equals("offline")) {
                assertThat(model.contextWindow()).isGreaterThan(model.outputMax());
                assertThat(model.prices().cacheRead()).isLessThan(model.prices().input());
            }
        });
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
