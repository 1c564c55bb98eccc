package dev.skein.tools.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HeadAndTailTest {

    @Test
    void whatever_the_pieces_both_ends_are_kept() {
        var random = new Random(7);
        for (int round = 0; round < 500; round++) {
            var length = random.nextInt(60);
            var text = new StringBuilder();
            var kept = new HeadAndTail(20);
            while (text.length() < length) {
                var piece = "abcdefghijklmnopqrstuvwxyz0123456789".substring(0, 1 + random.nextInt(30));
                text.append(piece);
                kept.add(piece.getBytes(UTF_8), piece.length());
            }

            var all = text.toString();
            assertThat(kept.text())
                    .isEqualTo(
                            all.length() <= 20
                                    ? all
                                    : all.substring(0, 10) + "\n[" + (all.length() - 20) + " bytes left out]\n"
                                            + all.substring(all.length() - 10));
        }
    }

    @Test
    void a_stream_is_read_to_its_end() {
        var kept = new HeadAndTail(10);

        kept.drain(new ByteArrayInputStream(("x".repeat(1_000_000) + "end").getBytes(UTF_8)));

        assertThat(kept.text()).isEqualTo("xxxxx\n[999993 bytes left out]\nxxend");
    }
}
