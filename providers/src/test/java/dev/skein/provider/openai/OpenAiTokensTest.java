package dev.skein.provider.openai;

import static org.assertj.core.api.Assertions.assertThat;

import com.knuddels.jtokkit.api.EncodingType;
import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.ToolCallId;
import dev.skein.model.TokenEstimate;
import dev.skein.wire.Json;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenAiTokensTest {

    /// What is around the words of a single message.
    private static final long AROUND = 7;

    @Test
    void texts_are_counted_as_openai_counts_them() {
        assertThat(count("gpt-4o", "hello world")).isEqualTo(2);
        assertThat(count("gpt-4", "tiktoken is great!")).isEqualTo(6);
        assertThat(count("gpt-4", "antidisestablishmentarianism")).isEqualTo(6);
        assertThat(count("gpt-5-mini", "2 + 2 = 4")).isEqualTo(7);
        assertThat(count("gpt-3.5-turbo", "お誕生日おめでとう")).isEqualTo(9);
        assertThat(count("gpt-4.1-nano", "お誕生日おめでとう")).isEqualTo(8);
        assertThat(count("gpt-4o", "")).isZero();
    }

    @Test
    void words_that_mean_something_to_the_model_are_words_like_others() {
        assertThat(count("gpt-4o", "<|endoftext|>")).isGreaterThan(1);
    }

    @Test
    void each_family_has_its_encoding() {
        for (var model : List.of(
                "gpt-5",
                "gpt-5.1",
                "gpt-4o-2024-08-06",
                "gpt-4.1",
                "o1",
                "o3-mini",
                "o4-mini",
                "chatgpt-4o-latest",
                "gpt-oss:20b",
                "openai/gpt-4o-mini")) {
            assertThat(OpenAiTokens.typeOf(model)).as(model).isEqualTo(EncodingType.O200K_BASE);
        }
        for (var model : List.of("gpt-4", "gpt-4-turbo", "gpt-4-0613", "gpt-3.5-turbo")) {
            assertThat(OpenAiTokens.typeOf(model)).as(model).isEqualTo(EncodingType.CL100K_BASE);
        }
        for (var model : List.of("llama-3", "qwen2.5:7b", "o9", "gpt-40", "omni")) {
            assertThat(OpenAiTokens.typeOf(model)).as(model).isNull();
        }
    }

    @Test
    void a_family_nobody_knows_is_estimated() {
        var messages = List.of(message(new Part.Text("hello world")));

        assertThat(OpenAiTokens.of("llama-3", messages)).isEqualTo(TokenEstimate.of(messages));
    }

    @Test
    void calls_results_and_pictures_count_and_thoughts_do_not() {
        var call = new Part.ToolCall(new ToolCallId("c"), "read", Json.MAPPER.createObjectNode(), null);
        var all = List.of(
                message(new Part.Thinking("a long and winding thought", null, null), call),
                message(
                        Part.ToolResult.text(new ToolCallId("c"), "read", "hello world"),
                        new Part.Image(null, "aGk=", null, null)));

        // read, {}, hello world, the picture; and what is around two messages.
        assertThat(OpenAiTokens.of("gpt-4o", all)).isEqualTo(1 + 1 + 2 + 1_000 + AROUND + 4);
    }

    @Test
    void a_text_that_would_take_long_is_estimated() {
        var longest = "word ".repeat(OpenAiTokens.TEXT_MAX / 5);

        assertThat(count("gpt-4o", longest)).isEqualTo(OpenAiTokens.TEXT_MAX / 5 + 1);
        assertThat(count("gpt-4o", longest + "!")).isEqualTo(TokenEstimate.of(longest + "!"));
    }

    @Test
    void a_conversation_that_would_take_long_is_counted_in_part() {
        var text = "word ".repeat(OpenAiTokens.TEXT_MAX / 5);
        var messages = Collections.nCopies(6, message(new Part.Text(text)));

        assertThat(OpenAiTokens.of("gpt-4o", messages))
                .isEqualTo(5L * (OpenAiTokens.TEXT_MAX / 5 + 1) + TokenEstimate.of(text) + 6 * 4 + 3);
    }

    private static long count(String model, String text) {
        return OpenAiTokens.of(model, List.of(message(new Part.Text(text)))) - AROUND;
    }

    private static Message message(Part... parts) {
        return Message.of(new MessageId("m"), Role.USER, Instant.EPOCH, parts);
    }
}
