package dev.skein.provider.openai;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingRegistry;
import com.knuddels.jtokkit.api.EncodingType;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.model.TokenEstimate;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Counts tokens as OpenAI's models do.
///
/// A model of a family nobody knows is estimated, and so is what would take long: a text of more than
/// [#TEXT_MAX] characters, and whatever comes after [#TOTAL_MAX] characters. The tables, some megabytes, are loaded
/// when first needed.
final class OpenAiTokens {

    /// The longest text that is counted, in characters.
    static final int TEXT_MAX = 100_000;

    /// How many characters are counted in one go.
    static final int TOTAL_MAX = 500_000;

    /// What surrounds a message, and what opens the reply.
    private static final int PER_MESSAGE = 4;

    private static final int PER_REPLY = 3;

    private static final Pattern NEWER = Pattern.compile("(gpt-(5|4o|4\\.1|4\\.5|oss)|chatgpt-4o|o[134])([-.:].*|$)");
    private static final Pattern OLDER = Pattern.compile("(gpt-4|gpt-3\\.5)([-.:].*|$)");

    private final Encoding encoding;
    private int counted;

    private OpenAiTokens(Encoding encoding) {
        this.encoding = encoding;
    }

    /// Holds the tables, once somebody needs them.
    private static final class Tables {
        private static final EncodingRegistry ALL = Encodings.newLazyEncodingRegistry();
    }

    static long of(String model, List<Message> messages) {
        var type = typeOf(model);
        if (type == null) {
            return TokenEstimate.of(messages);
        }
        var tokens = new OpenAiTokens(Tables.ALL.getEncoding(type));
        return messages.stream().mapToLong(tokens::of).sum() + PER_REPLY;
    }

    static @Nullable EncodingType typeOf(String model) {
        var name = model.substring(model.lastIndexOf('/') + 1);
        if (NEWER.matcher(name).matches()) {
            return EncodingType.O200K_BASE;
        }
        return OLDER.matcher(name).matches() ? EncodingType.CL100K_BASE : null;
    }

    private long of(Message message) {
        return PER_MESSAGE
                + message.parts().stream().mapToLong(part -> of(message, part)).sum();
    }

    private long of(Message message, Part part) {
        return switch (part) {
            case Part.Text(var text) -> of(text);
            case Part.ToolCall call -> of(call.name()) + of(call.arguments().toString());
            case Part.ToolResult result ->
                result.content().stream().mapToLong(inner -> of(message, inner)).sum();
            case Part.Image _, Part.Unknown _ -> TokenEstimate.of(List.of(message.withParts(List.of(part))));
            // Not sent back.
            case Part.Thinking _ -> 0;
        };
    }

    private long of(String text) {
        if (text.length() > TEXT_MAX || counted + text.length() > TOTAL_MAX) {
            return TokenEstimate.of(text);
        }
        counted += text.length();
        return encoding.countTokensOrdinary(text);
    }
}
