package dev.skein.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;

class InstantReaderTest {

    @Test
    void reads_what_java_writes() {
        var random = new SplittableRandom(7);
        for (int i = 0; i < 100_000; i++) {
            var seconds = random.nextLong(-62_167_219_200L, 253_402_300_800L);
            var nanos = random.nextInt(1_000_000_000);
            var unit = new int[] {1_000_000_000, 1_000_000, 1_000, 1}[random.nextInt(4)];
            var time = Instant.ofEpochSecond(seconds, nanos - nanos % unit);
            assertThat(InstantReader.parse(time.toString())).isEqualTo(time);
            assertThat(Json.MAPPER.readValue(Json.MAPPER.writeValueAsBytes(time), Instant.class))
                    .isEqualTo(time);
        }
    }

    @Test
    void agrees_with_java_wherever_a_character_is_changed() {
        var random = new SplittableRandom(8);
        var alphabet = "0123456789-+:.TZtz ,";
        for (int i = 0; i < 100_000; i++) {
            var text = new StringBuilder("2024-02-29T23:59:59.999999Z");
            for (int changes = random.nextInt(1, 3); changes > 0; changes--) {
                text.setCharAt(random.nextInt(text.length()), alphabet.charAt(random.nextInt(alphabet.length())));
            }
            var read = InstantReader.parse(text.toString());
            if (read != null) {
                assertThat(read).isEqualTo(Instant.parse(text));
            }
        }
    }

    @Test
    void other_shapes_are_read_as_before() {
        assertThat(read("\"2026-11-15T21:24:12+01:00\"")).isEqualTo(Instant.parse("2026-11-15T20:24:12Z"));
        assertThat(read("\"+12026-11-15T20:24:12Z\"")).isEqualTo(Instant.parse("+12026-11-15T20:24:12Z"));
        assertThat(read("null")).isNull();
        for (var wrong : new String[] {"\"2026-02-30T00:00:00Z\"", "\"2026-13-01T00:00:00Z\"", "\"soon\""}) {
            assertThatThrownBy(() -> read(wrong)).isInstanceOf(JacksonException.class);
        }
    }

    private static Instant read(String json) {
        return Json.MAPPER.readValue(json, Instant.class);
    }
}
