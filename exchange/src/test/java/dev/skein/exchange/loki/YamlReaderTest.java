package dev.skein.exchange.loki;

import static dev.skein.exchange.loki.LokiFixture.json;
import static dev.skein.exchange.loki.LokiFixture.onlyText;
import static dev.skein.exchange.loki.LokiFixture.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.skein.failure.FailureKind;
import dev.skein.failure.UnreadableImport;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class YamlReaderTest {

    private static final String NOISE = "[]{}:,-&*!|>'\"%@`#? \n\tab0~";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no",
                "yes",
                "on",
                "off",
                "y",
                "~",
                "null",
                "true",
                "2024-01-01",
                "12:30",
                "1_000",
                "42",
                "0x1F",
                "0o17",
                "007",
                "1e3",
                "1.0",
                ".inf",
                ".nan",
                "=",
                "<<",
                "0b11",
                "1:2:3"
            })
    void what_was_said_is_text_whatever_it_looks_like(String content) {
        assertThat(onlyText(content)).isEqualTo(content);
    }

    @Test
    void nothing_said_is_an_empty_text() {
        assertThat(onlyText("")).isEmpty();
        assertThat(onlyText("''")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '#',
            value = {
                "no;\"no\"",
                "on;\"on\"",
                "2024-01-01;\"2024-01-01\"",
                "12:30;\"12:30\"",
                "1_000;\"1_000\"",
                "007;\"007\"",
                "'42';\"42\"",
                "!!str 42;\"42\"",
                "42;42",
                "-7;-7",
                "0x1F;31",
                "0o17;15",
                "99999999999;99999999999",
                "99999999999999999999;99999999999999999999",
                "1.5;1.5",
                "1e3;1000.0",
                ".inf;\".inf\"",
                "1e999;\"1e999\"",
                "true;true",
                "False;false",
                "~;null",
                "NULL;null",
                "[1, a];[1,\"a\"]"
            })
    void elsewhere_scalars_follow_the_core_schema(String yaml, String expected) {
        var settings = read("messages: []\nx: " + yaml).settings();

        assertThat(settings.extra().get("x")).isEqualTo(json(expected));
    }

    @Test
    void an_alias_repeats_what_it_names() {
        var settings = read("a: &a {k: [1]}\nb: *a\nmessages: []").settings();

        assertThat(settings.extra().get("b")).isEqualTo(json("{\"k\":[1]}"));
    }

    @Test
    void a_byte_order_mark_is_no_content() {
        assertThat(read("\uFEFFmodel: a:b\nmessages: []").settings().model()).isEqualTo("b");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "# nothing",
                "just words",
                "- a list",
                "model: a:b",
                "messages: none",
                "messages: {a: b}",
                "messages: [words]",
                "messages: [{content: x}]",
                "messages: [{role: user}]",
                "messages: [{role: user, content: {a: b}}]",
                "messages: [{role: user, content: [[a]]}]",
                "messages: [{role: tool, content: {tool_results: [{output: x}]}}]",
                "compressed_messages: x\nmessages: []",
                "messages: []\nmessages: []",
                "messages: []\n---\nmessages: []",
                "messages: [",
                "messages: []\n? [a]\n: b",
                "a: *nothing\nmessages: []",
                "a: &a [*a]\nmessages: []",
                "messages: []\nx: \u0007",
                "\t- a: b"
            })
    void garbage_is_refused_with_a_reason(String yaml) {
        assertThatExceptionOfType(UnreadableImport.class)
                .isThrownBy(() -> read(yaml))
                .withMessageStartingWith("cannot import 'some.yaml': it ")
                .satisfies(e -> assertThat(e.code()).isEqualTo("import.unreadable"))
                .satisfies(e -> assertThat(e.kind()).isEqualTo(FailureKind.INVALID_REQUEST));
    }

    @Test
    void a_refusal_names_the_line() {
        assertThatExceptionOfType(UnreadableImport.class)
                .isThrownBy(() -> read("model: a:b\nmessages:\n- role: user\n"))
                .withMessageContaining("(line 3)");
        assertThatExceptionOfType(UnreadableImport.class)
                .isThrownBy(() -> read("model: a:b\nmessages: [\n"))
                .withMessageContaining("(line ");
    }

    @Test
    void bytes_that_are_no_text_are_refused() {
        assertThatExceptionOfType(UnreadableImport.class)
                .isThrownBy(() -> read(new byte[] {'a', ':', ' ', (byte) 0xC3, (byte) 0x28}))
                .withMessageContaining("UTF-8");
    }

    @Test
    void a_file_that_is_too_large_is_refused_before_it_is_parsed() {
        assertThatExceptionOfType(UnreadableImport.class)
                .isThrownBy(() -> read(new byte[LokiSession.BYTES_MAX + 1]))
                .withMessageContaining("bytes");
    }

    @Test
    @Timeout(120)
    void a_picture_as_large_as_the_whole_file_is_read_in_seconds() {
        var picture = "A".repeat(32 * 1024 * 1024);

        assertThat(onlyText("\"" + picture + "\"")).isEqualTo(picture);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[[;,&a &a,[?", "[[1\n,5:{%5"})
    void what_the_parser_cannot_cope_with_ends_in_a_failure(String yaml) {
        assertThatExceptionOfType(UnreadableImport.class)
                .isThrownBy(() -> YamlReader.read(yaml.getBytes(StandardCharsets.UTF_8), "file"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{a: ", "- ", "? ", "[{a: "})
    void deep_nesting_ends_in_a_failure(String level) {
        assertThatExceptionOfType(UnreadableImport.class)
                .isThrownBy(() -> read("messages: []\nx:\n  " + level.repeat(100_000)))
                .withMessageContaining("cannot import");
    }

    @Test
    void a_billion_laughs_end_in_a_failure() {
        var yaml = new StringBuilder("messages: []\na0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n");
        for (int i = 1; i < 10; i++) {
            var again = ("*a" + (i - 1) + ", ").repeat(9);
            yaml.append("a%d: &a%d [%s]\n".formatted(i, i, again));
        }

        assertThatExceptionOfType(UnreadableImport.class)
                .isThrownBy(() -> read(yaml.toString()))
                .withMessageContaining("aliases");
    }

    @Test
    void a_long_text_repeated_by_aliases_ends_in_a_failure() {
        var yaml = "a: &a " + "x".repeat(100_000) + "\nmessages: [" + "{role: user, content: *a},".repeat(100) + "]";

        assertThatExceptionOfType(UnreadableImport.class)
                .isThrownBy(() -> read(yaml))
                .withMessageContaining("aliases");
    }

    @Test
    void aliases_cannot_be_stacked_to_nest_deeper() {
        var yaml = new StringBuilder("messages: []\na0: &a0 x\n");
        for (int i = 1; i < 10; i++) {
            yaml.append("a%d: &a%d %s*a%d %s\n".formatted(i, i, "[".repeat(20), i - 1, "]".repeat(20)));
        }

        assertThatExceptionOfType(UnreadableImport.class)
                .isThrownBy(() -> read(yaml.toString()))
                .withMessageContaining("deeper");
    }

    @Test
    void too_many_values_end_in_a_failure() {
        assertThatExceptionOfType(UnreadableImport.class)
                .isThrownBy(() -> read("messages: []\nx: [" + "[],".repeat(YamlReader.VALUES_MAX) + "]"))
                .withMessageContaining("values");
    }

    @Test
    void damaged_files_are_read_or_refused_and_nothing_else() {
        var good = """
                model: openai:gpt-4o
                agent_variables: {a: &x b, c: *x}
                messages:
                - role: user
                  content: |-
                    hello
                - role: tool
                  content:
                    tool_results: [{call: {name: a, arguments: '{}', id: null}, output: 1}]
                    text: ''
                    sequence: true
                """.getBytes(StandardCharsets.UTF_8);
        var random = new Random(42);
        var surprises = new ArrayList<Throwable>();
        for (int i = 0; i < 5_000; i++) {
            var damaged = good.clone();
            for (int change = random.nextInt(1, 5); change > 0; change--) {
                damaged[random.nextInt(damaged.length)] = (byte) NOISE.charAt(random.nextInt(NOISE.length()));
            }
            try {
                read(damaged);
            } catch (UnreadableImport _) {
                // That is the other permitted ending.
            } catch (RuntimeException | StackOverflowError e) {
                surprises.add(e);
            }
        }
        assertThat(surprises).isEmpty();
    }
}
