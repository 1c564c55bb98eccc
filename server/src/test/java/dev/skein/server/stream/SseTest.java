package dev.skein.server.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.live.LiveEvent;
import dev.skein.session.LoopId;
import dev.skein.session.SessionId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SseTest {

    private static final SessionId SESSION = new SessionId(new UUID(1, 2));

    @Test
    void an_event_is_its_name_its_id_and_one_line_of_data() {
        var event = new LiveEvent("r", SESSION, new LoopId("l"), 12, 3, new LiveEvent.AssistantDelta("hi"));

        assertThat(text(Sse.event(event)))
                .isEqualTo("event: assistant_delta\nid: 12.3\ndata: {\"request_id\":\"r\",\"session_id\":\"" + SESSION
                        + "\",\"loop_id\":\"l\",\"text\":\"hi\"}\n\n");
    }

    @Test
    void no_text_can_forge_an_event() {
        var random = new Random(18);
        var pieces =
                List.of("\r", "\n", "\r\n", "\0", "\u2028", "\u0085", "event: forged", "data: x", "id: 9", "a", ": ");
        for (int i = 0; i < 2_000; i++) {
            var evil = new StringBuilder();
            for (int j = random.nextInt(12); j > 0; j--) {
                evil.append(pieces.get(random.nextInt(pieces.size())));
            }
            var told = new LiveEvent(
                    evil.toString(), SESSION, new LoopId("l"), 1, 0, new LiveEvent.Warning(evil.toString()));
            assertThat(text(Sse.event(told)).split("\r\n|\r|\n", -1))
                    .as(evil.toString())
                    .hasSize(5);

            var lines = text(Sse.event("info", "1", evil.toString())).split("\r\n|\r|\n", -1);
            assertThat(lines[0]).isEqualTo("event: info");
            assertThat(lines[1]).isEqualTo("id: 1");
            for (int line = 2; line < lines.length - 2; line++) {
                assertThat(lines[line]).startsWith("data: ");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\nb", "a\rb", "a\0b", "\n"})
    void a_name_or_id_of_several_lines_is_refused(String field) {
        assertThatThrownBy(() -> Sse.event(field, "1", "x")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Sse.event("info", field, "x")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void what_was_said_so_far_is_given_from_any_fragment_on() {
        var partial = new Partial();
        partial.startAfter(7);
        var words = List.of("one ", "two ", "three ", "four ");
        for (int i = 0; i < words.size(); i++) {
            partial.add(told(i + 1, new LiveEvent.AssistantDelta(words.get(i))));
        }
        partial.add(told(5, new LiveEvent.Warning("careful")));
        partial.add(told(6, new LiveEvent.AssistantDelta("five")));

        for (int known = 0; known <= 6; known++) {
            var rest = new StringBuilder();
            partial.after(known).forEach(event -> {
                if (event.body() instanceof LiveEvent.AssistantDelta(var text)) {
                    rest.append(text);
                }
            });
            var expected = String.join("", words.subList(Math.min(known, 4), 4)) + (known < 6 ? "five" : "");
            assertThat(rest.toString()).as("after " + known).isEqualTo(expected);
        }
        assertThat(partial.fragments()).hasSize(6).extracting(LiveEvent::id).endsWith("7.5", "7.6");
        partial.startAfter(8);
        assertThat(partial.after(0)).isEmpty();
    }

    private static LiveEvent told(int sub, LiveEvent.Body body) {
        return new LiveEvent("r", SESSION, new LoopId("l"), 7, sub, body);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
