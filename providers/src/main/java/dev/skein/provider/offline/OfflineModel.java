package dev.skein.provider.offline;

import dev.skein.cancellation.Cancellation;
import dev.skein.message.Cost;
import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.Usage;
import dev.skein.model.Model;
import dev.skein.model.ModelName;
import dev.skein.model.ModelReply;
import dev.skein.model.ModelReply.StopReason;
import dev.skein.model.ModelRequest;
import dev.skein.model.ReplyFragment;
import dev.skein.model.Sampling;
import dev.skein.session.LoopConfigSnapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Answers without a network, and says so.
///
/// The same conversation always gets the same reply, word by word: it repeats what it was told, calls the tools that
/// a prompt names (see [ToolWishes]), and reports what they answered. Tokens are estimated, four characters each.
public final class OfflineModel implements Model {

    public static final ModelName NAME = new ModelName("offline", "skein");

    /// How every reply begins.
    public static final String DISCLAIMER = "This is Skein's offline model, not a language model.";

    private static final MessageId ANY = new MessageId("offline");
    private static final int QUOTE_MAX = 2_000;
    private static final int TOKEN_LENGTH = 4;

    /// A word with the space that follows it.
    private static final Pattern WORD = Pattern.compile("\\s*\\S+\\s*");

    @Override
    public ModelName name() {
        return NAME;
    }

    @Override
    public LoopConfigSnapshot snapshot(Sampling sampling) {
        return LoopConfigSnapshot.of(NAME.provider(), NAME.model());
    }

    @Override
    public ModelReply reply(ModelRequest request, Consumer<ReplyFragment> fragments, Cancellation cancellation) {
        cancellation.check();
        var results = latestResults(request.messages());
        var wishes = results.isEmpty() ? ToolWishes.in(request) : ToolWishes.NONE;
        var spoken = speak(answer(request, results, wishes), request.sampling(), fragments, cancellation);
        var parts = new ArrayList<Part>();
        parts.add(new Part.Text(spoken.text()));
        if (!spoken.cutShort()) {
            wishes.calls().forEach(call -> {
                cancellation.check();
                fragments.accept(new ReplyFragment.ToolArguments(
                        call.id(), call.name(), call.arguments().toString()));
                parts.add(call);
            });
        }
        cancellation.check();
        return new ModelReply(parts, stopReason(spoken, wishes), usage(request, parts), Cost.NONE);
    }

    private static StopReason stopReason(Spoken spoken, ToolWishes wishes) {
        if (spoken.cutShort()) {
            return StopReason.LENGTH;
        }
        return wishes.calls().isEmpty() ? StopReason.STOP : StopReason.TOOL_USE;
    }

    private static String answer(ModelRequest request, List<Part.ToolResult> results, ToolWishes wishes) {
        if (!results.isEmpty()) {
            return DISCLAIMER + results.stream().map(OfflineModel::report).collect(Collectors.joining());
        }
        if (!wishes.calls().isEmpty()) {
            return DISCLAIMER + " Calling "
                    + wishes.calls().stream().map(Part.ToolCall::name).collect(Collectors.joining(", ")) + ".";
        }
        var missing = wishes.notOffered().stream()
                .map(" No tool called %s is offered."::formatted)
                .collect(Collectors.joining());
        return DISCLAIMER + missing + " " + echo(request.messages());
    }

    private static String report(Part.ToolResult result) {
        var said = Message.of(ANY, Role.TOOL, Instant.EPOCH, result).text();
        return " The tool %s %s: %s".formatted(result.name(), result.isError() ? "failed" : "answered", quote(said));
    }

    private static String echo(List<Message> messages) {
        var prompt = ToolWishes.latestPrompt(messages);
        if (prompt == null) {
            return "Nothing was said yet.";
        }
        var images =
                prompt.parts().stream().filter(Part.Image.class::isInstance).count();
        var seen = images == 0 ? "" : " There were %d pictures, which it cannot see.".formatted(images);
        return "You said: " + quote(prompt.text()) + seen;
    }

    private static String quote(String text) {
        return text.length() <= QUOTE_MAX ? text : text.substring(0, QUOTE_MAX) + " …";
    }

    /// The tool results with which the conversation ends.
    private static List<Part.ToolResult> latestResults(List<Message> messages) {
        var first = messages.size();
        while (first > 0 && !messages.get(first - 1).toolResults().isEmpty()) {
            first--;
        }
        return messages.subList(first, messages.size()).stream()
                .flatMap(message -> message.toolResults().stream())
                .toList();
    }

    private record Spoken(String text, boolean cutShort) {}

    private static Spoken speak(
            String text, Sampling sampling, Consumer<ReplyFragment> fragments, Cancellation cancellation) {
        var said = new StringBuilder();
        var words = WORD.matcher(text);
        while (words.find()) {
            cancellation.check();
            if (sampling.tokensMax() != null
                    && tokens(said.length() + words.group().length()) > sampling.tokensMax()) {
                return new Spoken(said.toString(), true);
            }
            fragments.accept(new ReplyFragment.Text(words.group()));
            said.append(words.group());
        }
        return new Spoken(said.toString(), false);
    }

    private static Usage usage(ModelRequest request, List<Part> reply) {
        var heard = length(request.system())
                + request.messages().stream()
                        .mapToLong(message -> length(message.parts()))
                        .sum();
        return Usage.of(tokens(heard), tokens(length(reply)));
    }

    private static long length(List<Part> parts) {
        return parts.stream()
                .mapToLong(part -> switch (part) {
                    case Part.Text(var text) -> text.length();
                    case Part.Thinking thinking -> thinking.text().length();
                    case Part.ToolCall call ->
                        call.name().length() + call.arguments().toString().length();
                    case Part.ToolResult result -> length(result.content());
                    case Part.Image _, Part.Unknown _ -> 0;
                })
                .sum();
    }

    private static long length(@Nullable String text) {
        return text == null ? 0 : text.length();
    }

    private static long tokens(long characters) {
        return (characters + TOKEN_LENGTH - 1) / TOKEN_LENGTH;
    }
}
