package dev.skein.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

class MessagesTest {

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final ToolCallId CALL = new ToolCallId("c1");

    @Test
    void the_text_of_a_message_is_its_words_and_those_of_its_results() {
        var message = Message.of(
                new MessageId("m"),
                Role.TOOL,
                NOON,
                new Part.Thinking("hm", null, null),
                new Part.Text("one"),
                new Part.Image(null, null, "https://x.example/a.png", null),
                Part.ToolResult.text(CALL, "tool", "two"));

        assertThat(message.text()).isEqualTo("one\ntwo");
    }

    @Test
    void calls_and_results_are_found_in_order() {
        var call = new Part.ToolCall(CALL, "tool", JsonNodeFactory.instance.objectNode(), null);
        var result = Part.ToolResult.text(CALL, "tool", "ok");
        var message = Message.of(new MessageId("m"), Role.ASSISTANT, NOON, call, new Part.Text("x"), result);

        assertThat(message.toolCalls()).containsExactly(call);
        assertThat(message.toolResults()).containsExactly(result);
        assertThat(message.withParts(List.of()).toolCalls()).isEmpty();
    }

    @Test
    void a_message_needs_an_id_a_role_and_a_time() {
        var id = new MessageId("m");

        assertThatNullPointerException().isThrownBy(() -> Message.of(null, Role.USER, NOON, "x"));
        assertThatNullPointerException().isThrownBy(() -> Message.of(id, null, NOON, "x"));
        assertThatNullPointerException().isThrownBy(() -> Message.of(id, Role.USER, null, "x"));
    }

    @Test
    void an_image_needs_data_or_a_place() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Part.Image("image/png", null, null, "a.png"));
    }

    @Test
    void usage_adds_up() {
        assertThat(new Usage(1, 2, 3, 4, 5).plus(new Usage(10, 20, 30, 40, 50)))
                .isEqualTo(new Usage(11, 22, 33, 44, 55));
        assertThat(Usage.of(3, 4).totalTokens()).isEqualTo(7);
        assertThatIllegalArgumentException().isThrownBy(() -> Usage.of(-1, 0));
    }

    @Test
    void usage_stops_at_the_largest_number() {
        var most = Usage.of(Long.MAX_VALUE, Long.MAX_VALUE);

        assertThat(most.plus(most)).isEqualTo(most);
        assertThat(most.totalTokens()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void costs_are_exact() {
        var sum = Cost.NONE;
        for (int i = 0; i < 10; i++) {
            sum = sum.plus(Cost.ofUsd("0.1"));
        }

        assertThat(sum).isEqualTo(Cost.ofUsd("1.000")).hasToString("$1");
        assertThat(Cost.ofUsd("0.00")).isEqualTo(Cost.NONE);
    }

    @Test
    void a_cost_is_neither_negative_nor_absurd() {
        assertThatIllegalArgumentException().isThrownBy(() -> Cost.ofUsd("-0.01"));
        assertThatIllegalArgumentException().isThrownBy(() -> new Cost(new BigDecimal("1E+999999999")));
        assertThatIllegalArgumentException().isThrownBy(() -> new Cost(new BigDecimal("1E-999999999")));
    }
}
