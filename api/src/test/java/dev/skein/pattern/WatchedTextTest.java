package dev.skein.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class WatchedTextTest {

    @Test
    void a_pattern_finds_in_it_what_it_finds_in_the_text() {
        var looks = new AtomicLong();
        var matcher = Pattern.compile("b+").matcher(new WatchedText("aabbc", looks::incrementAndGet));

        assertThat(matcher.find()).isTrue();
        assertThat(matcher.group()).isEqualTo("bb");
        assertThat(looks).hasPositiveValue();
    }

    @Test
    void whoever_watches_ends_a_match_that_would_never_end() {
        var looks = new AtomicLong();
        var text = new WatchedText("a".repeat(60) + "!", () -> {
            if (looks.incrementAndGet() > 100_000) {
                throw new IllegalStateException("enough");
            }
        });

        assertThatThrownBy(() -> Pattern.compile("^(a+)+(b?)\\2$").matcher(text).find())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("enough");
    }
}
