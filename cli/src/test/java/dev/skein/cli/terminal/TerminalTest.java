package dev.skein.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TerminalTest {

    private static final Instant NOW = Instant.parse("2026-11-01T12:00:00Z");

    @ParameterizedTest
    @CsvSource({"abc,3", "日本,4", "e\u0301,1", "👍,2", "\u200b,0", "한글,4", "Ａ,2", "é,1", "─,1", "'',0"})
    void text_is_as_wide_as_a_terminal_shows_it(String text, int width) {
        assertThat(TextWidth.of(text)).isEqualTo(width);
    }

    @Test
    void a_cut_text_fits_and_never_splits_a_wide_character() {
        assertThat(TextWidth.cut("hello world", 8, "…")).isEqualTo("hello w…");
        assertThat(TextWidth.cut("日本語日本語", 6, "…")).isEqualTo("日本…");
        assertThat(TextWidth.cut("short", 8, "…")).isEqualTo("short");
        assertThat(TextWidth.cut("hello", 2, "...")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "-5,just now",
        "0,just now",
        "9,just now",
        "10,10 s ago",
        "59,59 s ago",
        "180,3 min ago",
        "7200,2 h ago",
        "86400,1 day ago",
        "172800,2 days ago",
        "2592000,30 days ago",
        "2592001,2026-10-02",
        "-7200,2026-11-01"
    })
    void times_are_told_as_a_person_would(long seconds, String told) {
        assertThat(Ago.of(NOW.minus(Duration.ofSeconds(seconds)), Clock.fixed(NOW, ZoneOffset.UTC)))
                .isEqualTo(told);
    }

    @Test
    void a_sequence_that_never_ends_hides_nothing() {
        assertThat(SafeText.line("a\u001b]0;title without end")).isEqualTo("a·]0;title without end");
        assertThat(SafeText.block("a\r\nb\tc\rd")).isEqualTo("a\nb\tc\nd");
        assertThat(SafeText.line("  a\n\n b ")).isEqualTo("a b");
        assertThat(SafeText.line("x\ud800y")).isEqualTo("x·y");
        assertThat(SafeText.line("👍")).isEqualTo("👍");
        assertThat(SafeText.line("")).isEmpty();
        assertThat(SafeText.line("plain text")).isEqualTo("plain text");
        assertThat(SafeText.line("plain  text ")).isEqualTo("plain text");
        assertThat(SafeText.line(" plain\ttext\u007f")).isEqualTo("plain text·");
    }

    @Test
    void a_text_is_broken_between_words_by_what_they_take_on_the_screen() {
        assertThat(TextWidth.wrap("one two three", 8)).containsExactly("one two", "three");
        assertThat(TextWidth.wrap("日本 語 abc", 7)).containsExactly("日本 語", "abc");
        assertThat(TextWidth.wrap("a longer-than-that b", 5)).containsExactly("a", "longer-than-that", "b");
        assertThat(TextWidth.wrap("", 5)).containsExactly("");
    }

    @Test
    void the_nearest_word_is_found_if_there_is_a_near_one() {
        assertThat(Nearest.to("lsit", List.of("show", "list"))).contains("list");
        assertThat(Nearest.to("xyz", List.of("show", "list"))).isEmpty();
    }
}
