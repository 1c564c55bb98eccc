package dev.skein.store.file;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.testkit.fuzz.Mutations;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A moment of nonsense for each parser of the store; `bin/fuzz` goes on for longer.
class FuzzTest {

    private static final int ROUNDS = Integer.getInteger("skein.fuzz", 3_000);

    private static final List<String> EVENTS = List.of(
            "{\"type\":\"session_described\",\"at\":\"2026-01-02T03:04:05Z\",\"description\":\"d\"}",
            "{\"type\":\"loop_started\",\"at\":\"2026-01-02T03:04:05.123456Z\",\"loop\":\"l1\","
                    + "\"metadata\":{\"a\":[1]}}",
            "{\"type\":\"message_ended\",\"at\":\"2026-01-02T03:04:05Z\",\"loop\":\"l1\",\"message\":{\"id\":\"m\","
                    + "\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"\\ud83d\\ude00 hi\"}]}}",
            "{\"type\":\"from_the_future\",\"at\":\"2026-01-02T03:04:05Z\",\"n\":1e400,\"x\":-0.0}",
            "{\"type\":\"from_the_future\",\"n\":3e3333333333333}",
            "{\"at\":1,\"type\":\"session_described\",\"type\":\"loop_ended\"}");

    @Test
    void a_line_of_a_journal() {
        var lines = EVENTS.stream()
                .map(event -> "{\"seq\":12,\"prev\":\"9a0b1c2d\",\"more\":1,\"nth\":1,\"key\":\"k\","
                        + event.substring(1, event.length() - 1) + ",\"crc\":\"deadbeef\"}")
                .toList();

        Mutations.of(lines, ROUNDS, JournalFuzz::fuzzerTestOneInput);
    }

    @Test
    void an_event_on_the_wire() {
        Mutations.of(EVENTS, ROUNDS, EventFuzz::fuzzerTestOneInput);
    }

    @Test
    void a_session_of_another_tool() {
        var plain = """
                model: openai:gpt-4o
                temperature: 0.5
                messages:
                - role: user
                  content: hello
                - role: assistant
                  content: |
                    two
                    lines
                """;
        var picture = """
                messages:
                - role: user
                  content:
                  - type: text
                    text: 'what is this'
                  - type: image_url
                    image_url: {url: "data:image/png;base64,AAAA"}
                """;
        var alias = """
                save_session: true
                compressed_messages: []
                messages: [&a {role: user, content: x}, *a]
                """;

        Mutations.of(List.of(plain, picture, alias, "[[;,=&$&$,[?"), ROUNDS / 10, ImportFuzz::fuzzerTestOneInput);
    }

    @Test
    void a_target_that_breaks_is_noticed() {
        assertThatThrownBy(() -> Mutations.of(List.of("abc"), 10_000, FuzzTest::breaksAtAQuote))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("input");
    }

    private static void breaksAtAQuote(byte[] input) {
        if (input.length > 3 && input[2] == '"') {
            throw new IllegalStateException("planted");
        }
    }
}
