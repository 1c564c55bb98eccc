package dev.skein.exchange.export;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MarkdownTextTest {

    @Test
    void words_are_quoted_line_by_line() {
        assertThat(MarkdownText.quoted("# Title\n\ntext\r\nmore\rend")).isEqualTo("""
                > # Title
                >
                > text
                > more
                > end
                """);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '#',
            value = {
                "<b>x</b>→&lt;b>x&lt;/b>",
                "AT&T→AT&T",
                "&lt;→&amp;lt;",
                "`List<String>` and <b>→`List<String>` and &lt;b>",
                "``a`<b>`` <i>→``a`<b>`` &lt;i>",
                "`open <b>→\\`open &lt;b>",
                "| `a | <b> | c` |→| \\`a | &lt;b> | c\\` |",
                "\\`<b>`→\\`&lt;b>\\`",
                "~~~ `x→\\~\\~\\~ \\`x",
                "- ~~~→- \\~\\~\\~",
                "~~gone~~→~~gone~~"
            })
    void html_is_shown_as_text_except_in_code(String text, String expected) {
        assertThat(MarkdownText.quoted(text).strip()).isEqualTo("> " + expected);
    }

    @Test
    void a_fence_is_code_until_it_is_closed() {
        assertThat(MarkdownText.quoted("```java\n<b>\n~~~\n``\n  ````\n<b>")).isEqualTo("""
                > ```java
                > <b>
                > ~~~
                > ``
                >   ````
                > &lt;b>
                """);
    }

    @Test
    void a_fence_that_only_seems_to_close_stays_open() {
        assertThat(MarkdownText.quoted("```\n\u2003```\n    ```\n``` x\n<b>")).endsWith("> <b>\n");
    }

    @Test
    void an_indented_fence_does_not_confuse_the_next() {
        assertThat(MarkdownText.quoted("   ```\nx\n```\n<b>")).isEqualTo("""
                >    \\`\\`\\`
                > x
                > ```
                > <b>
                """);
    }

    @Test
    void a_fence_is_longer_than_any_inside() {
        assertThat(MarkdownText.fenced("text", "a\n`````\nb")).isEqualTo("``````text\na\n`````\nb\n``````\n");
        assertThat(MarkdownText.fenced("json", "{}")).isEqualTo("```json\n{}\n```\n");
        assertThat(MarkdownText.fenced("text", "")).isEqualTo("```text\n```\n");
    }

    @Test
    void what_steers_a_terminal_is_left_out() {
        assertThat(MarkdownText.printable("a\u0000\u001b[31m\u0007\u0008\u007f\u009b2J\tb\nc"))
                .isEqualTo("a[31m2J\tb\nc");
    }

    @Test
    void a_title_is_one_line_of_plain_words() {
        assertThat(MarkdownText.inline("a\n# *b* <i> `c` [d](e)"))
                .isEqualTo("a \\# \\*b\\* &lt;i\\> \\`c\\` \\[d\\](e)");
    }
}
