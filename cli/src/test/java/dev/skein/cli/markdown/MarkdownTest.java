package dev.skein.cli.markdown;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.cli.terminal.Streams;
import dev.skein.cli.terminal.Streams.Attached;
import dev.skein.cli.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Answers as a person sees them.
class MarkdownTest {

    private static final String TEXT = """
            # A heading

            Some **bold** and *italic* words, `code with blanks`, snake_case_name, 2 * 3 and **both *of* them**.

            - a list whose first entry is long enough to be wrapped somewhere, with 日本語 in it
              1. and a number 😀 inside
            > quoted words

            ```java
            // a comment
            var text = "a string"; return 42;
            ```
            ---
            The end: café\r
            \u001b[31mred\u001b[0m""";

    @Test
    void it_does_not_matter_where_the_pieces_are_cut() {
        var whole = shown(40, "", TEXT);
        for (int cut = 0; cut <= TEXT.length(); cut++) {
            // An escape sequence that is cut is shown as a dot and the rest of it: safe, and not the same.
            if (cut < TEXT.indexOf('\u001b')) {
                assertThat(shown(40, "", TEXT.substring(0, cut), TEXT.substring(cut)))
                        .as("cut at " + cut)
                        .isEqualTo(whole);
            }
        }
    }

    @Test
    void marks_become_styles() {
        assertThat(shown(80, "", "a **bold** and *italic* and `code` word"))
                .isEqualTo("a \u001b[1mbold\u001b[0m and \u001b[3mitalic\u001b[0m and \u001b[36mcode\u001b[0m word\n");
        assertThat(shown(80, "", "## Title")).isEqualTo("\u001b[1mTitle\u001b[0m\n");
        assertThat(shown(80, "", "- one\n- two")).isEqualTo("• one\n• two\n");
    }

    @Test
    void what_only_looks_like_a_mark_is_text() {
        for (var text : new String[] {"2 * 3 * 4", "snake_case_name", "a ** b", "**", "_"}) {
            assertThat(shown(80, "", text)).isEqualTo(text + "\n");
        }
        assertThat(shown(80, "", "\\*not emphasised\\*")).isEqualTo("*not emphasised*\n");
        assertThat(shown(80, "", "an *open mark\nends with its line")).endsWith("\nends with its line\n");
    }

    @Test
    void code_is_coloured_line_by_line_and_not_wrapped() {
        var code = shown(20, "", "```java\nvar answer = 42; // a comment that is longer than the line\n```\nafter");

        assertThat(code).contains("\u001b[35mvar\u001b[0m answer = \u001b[33m42\u001b[0m; \u001b[2m// a comment that");
        assertThat(plain(code))
                .isEqualTo("╭─ java\nvar answer = 42; // a comment that is longer than the line\n╰─\nafter\n");
    }

    @Test
    void code_that_never_ends_is_closed() {
        assertThat(plain(shown(40, "", "```\nx = 1"))).isEqualTo("╭─\nx = 1\n╰─\n");
    }

    @Test
    void without_colours_the_text_stays_as_it_was_written() {
        var text = "# Title\n- a **bold** word\n```sh\nls\n```\n";

        assertThat(shown(80, "1", text)).isEqualTo(text);
    }

    @Test
    void no_line_is_wider_than_the_terminal() {
        var wide = "日本語の長い文章はここで折り返されます and some words 😀😀😀 " + "x".repeat(100);
        for (int columns : new int[] {20, 33, 80}) {
            assertThat(Arrays.stream(plain(shown(columns, "", "- " + wide + "\n\n" + wide))
                                    .split("\n"))
                            .mapToInt(dev.skein.cli.terminal.TextWidth::of))
                    .allMatch(width -> width <= columns);
        }
    }

    @Test
    void a_list_that_wraps_keeps_its_indent() {
        assertThat(shown(20, "", "- one two three four five")).isEqualTo("• one two three four\n  five\n");
    }

    @Test
    void whatever_comes_only_our_own_styles_reach_the_terminal() {
        var random = new Random(11);
        var alphabet = "ab *_`#->\n\r\t\u001b[]0;m\u0007\u009b\u202e日😀1.~";
        for (int round = 0; round < 2_000; round++) {
            var text = new StringBuilder();
            for (int i = random.nextInt(60); i > 0; i--) {
                text.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            var cut = random.nextInt(text.length() + 1);

            var shown = shown(24, "", text.substring(0, cut), text.substring(cut));

            assertThat(plain(shown)).doesNotContain("\u001b", "\u009b", "\u0007", "\u202e", "\r");
        }
    }

    private static String plain(String shown) {
        return shown.replaceAll("\u001b\\[[0-9;]*m", "");
    }

    private static String shown(int columns, String noColor, String... pieces) {
        var out = new ByteArrayOutputStream();
        var env = new HashMap<>(Map.of("LANG", "C.UTF-8", "COLUMNS", "" + columns));
        env.put("NO_COLOR", noColor);
        var terminal =
                new Terminal(new Streams(new ByteArrayInputStream(new byte[0]), out, out, Attached.TERMINAL), env);
        var markdown = new Markdown(terminal);
        for (var piece : pieces) {
            markdown.add(piece);
        }
        markdown.end();
        return out.toString(StandardCharsets.UTF_8);
    }
}
