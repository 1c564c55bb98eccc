package dev.skein.model;

import dev.skein.message.Message;
import dev.skein.message.Part;
import java.util.List;

/// Guesses how many tokens a model reads, where its own tokenizer is not known: four characters each, which is near
/// enough to decide on.
public final class TokenEstimate {

    private static final int CHARACTERS_PER_TOKEN = 4;
    private static final int TOKENS_PER_PICTURE = 1_000;

    private TokenEstimate() {}

    public static long of(List<Message> messages) {
        return messages.stream()
                .flatMap(message -> message.parts().stream())
                .mapToLong(TokenEstimate::of)
                .sum();
    }

    /// More than any tokenizer makes of ordinary text: one a character.
    public static long most(List<Message> messages) {
        return CHARACTERS_PER_TOKEN * of(messages);
    }

    private static long of(Part part) {
        return switch (part) {
            case Part.Text(var text) -> of(text);
            case Part.Thinking thinking -> of(thinking.text());
            case Part.ToolCall call -> of(call.name()) + of(call.arguments().toString());
            case Part.ToolResult result ->
                result.content().stream().mapToLong(TokenEstimate::of).sum();
            case Part.Image _, Part.Unknown _ -> TOKENS_PER_PICTURE;
        };
    }

    public static long of(String text) {
        return Math.ceilDiv((long) text.length(), CHARACTERS_PER_TOKEN);
    }
}
