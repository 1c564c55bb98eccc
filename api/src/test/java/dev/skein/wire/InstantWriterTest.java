package dev.skein.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Times are written as `Instant` itself writes them.
class InstantWriterTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "2026-11-15T20:24:12Z",
                "2026-11-15T20:24:12.100Z",
                "2026-11-15T20:24:12.000001Z",
                "2026-11-15T20:24:12.000000001Z",
                "1970-01-01T00:00:00Z",
                "1969-12-31T23:59:59.999Z",
                "0000-02-29T00:00:00Z",
                "9999-12-31T23:59:59.999999999Z",
                "-0001-01-01T00:00:00Z",
                "+10000-01-01T00:00:00Z"
            })
    void a_time_is_written_as_it_shows_itself(String text) {
        assertThat(written(Instant.parse(text))).isEqualTo("\"" + text + "\"");
    }

    @Test
    void any_time_is_written_as_it_shows_itself() {
        var random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            var unit = new int[] {1, 1_000, 1_000_000}[random.nextInt(3)];
            var time = Instant.ofEpochSecond(
                    random.nextLong(-70_000_000_000L, 260_000_000_000L),
                    random.nextInt(1_000_000_000 / unit) * (long) unit);

            assertThat(written(time)).isEqualTo("\"" + time + "\"");
        }
    }

    private static String written(Instant time) {
        return Json.MAPPER.writeValueAsString(time);
    }
}
