package dev.skein.store.query;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.message.Cost;
import dev.skein.message.Usage;
import dev.skein.session.ForkRef;
import dev.skein.session.Ids;
import dev.skein.session.Origin;
import dev.skein.session.SessionStatus;
import dev.skein.store.SessionSummary;
import dev.skein.wire.Json;
import java.math.BigDecimal;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What is read field by field is what [Json] reads.
class SummaryReaderTest {

    private static final List<String> TEXTS =
            List.of("", "plain", "Käse \"2\"\\", "日本語 🧶", "line\nline\ttab\u0000", "\u2028 </script>", "null");

    private static final List<SessionStatus> STATUSES = List.of(SessionStatus.values());

    private final SplittableRandom random = new SplittableRandom(4);
    private final Ids ids = new Ids(Clock.fixed(Instant.EPOCH, ZoneOffset.UTC), random);

    @Test
    void every_summary_that_is_written_is_read_as_it_was() {
        for (int i = 0; i < 1_000; i++) {
            var summary = summary();
            var json = Json.MAPPER.writeValueAsBytes(summary);

            assertThat(SummaryReader.read(json)).isEqualTo(summary);
            assertThat(Json.MAPPER.readValue(json, SessionSummary.class)).isEqualTo(summary);
        }
    }

    @Test
    void wherever_a_character_is_changed_it_agrees_with_json_or_says_nothing() {
        var understood = 0;
        for (int i = 0; i < 4_000; i++) {
            var json = Json.MAPPER.writeValueAsBytes(summary());
            json[random.nextInt(json.length)] = (byte) " {}[]:,\"-0195.eatrunk".charAt(random.nextInt(21));
            var read = SummaryReader.read(json);
            if (read != null) {
                understood++;
                assertThat(read)
                        .as(new String(json, UTF_8))
                        .isEqualTo(Json.MAPPER.readValue(json, SessionSummary.class));
            }
        }
        assertThat(understood).isPositive();
    }

    @Test
    void of_fields_that_are_not_known_missing_or_null_it_says_nothing() {
        var json = new String(Json.MAPPER.writeValueAsBytes(summary()), UTF_8);

        for (var other : List.of(
                json.replaceFirst("\\{", "{\"colour\":\"red\","),
                json.replaceFirst("\"owner\":", "\"owners\":"),
                json.replaceFirst("\"usage\":\\{", "\"usage\":{\"other_tokens\":1,"),
                json.replaceFirst("\"status\":\"[a-z]+\"", "\"status\":null"),
                json + "{}",
                "[" + json + "]",
                json.substring(0, json.length() - 1),
                "null",
                "")) {
            assertThat(SummaryReader.read(other.getBytes(UTF_8))).as(other).isNull();
        }
    }

    private SessionSummary summary() {
        return new SessionSummary(
                perhaps(ids::session),
                perhaps(this::text),
                text(),
                perhaps(this::text),
                perhaps(this::text),
                STATUSES.get(random.nextInt(STATUSES.size())),
                perhaps(this::text),
                perhaps(this::text),
                perhaps(this::text),
                perhaps(this::text),
                time(),
                time(),
                random.nextLong(Long.MAX_VALUE),
                random.nextInt(10),
                perhaps(this::text),
                new Usage(count(), count(), count(), count(), count()),
                new Cost(BigDecimal.valueOf(count(), random.nextInt(-3, 12))),
                random.nextBoolean(),
                perhaps(() -> new Origin(text(), perhaps(this::text), perhaps(this::time))),
                perhaps(() -> new ForkRef(ids.session(), 1 + count())),
                perhaps(this::text));
    }

    private <T> @Nullable T perhaps(Supplier<T> value) {
        return random.nextBoolean() ? value.get() : null;
    }

    private String text() {
        return TEXTS.get(random.nextInt(TEXTS.size()));
    }

    private long count() {
        return random.nextBoolean() ? random.nextInt(3) : random.nextLong(Long.MAX_VALUE - 1);
    }

    private Instant time() {
        return Instant.ofEpochSecond(random.nextLong(0, 253_402_300_800L), random.nextInt(1_000_000_000));
    }
}
