package dev.skein.provider.offline;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.Cancelled;
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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Answers without a network, and says so.
///
/// The same conversation always gets the same reply, word by word: it calls the tools that a prompt asks for (see
/// [ToolWishes] and [PlainWords]) and reports what they answered; else it counts, quotes what was said before, or
/// repeats what it was told (see [Talk]). Asked to do so slowly, it pauses between words, so that there is something to
/// cancel. Tokens are estimated, four characters each.
public final class OfflineModel implements Model {

    public static final ModelName NAME = new ModelName("offline", "skein");

    /// How every reply begins.
    public static final String DISCLAIMER = "This is Skein's offline model, not a language model.";

    private static final MessageId ANY = new MessageId("offline");
    private static final int TOKEN_LENGTH = 4;
    private static final Duration PAUSE = Duration.ofMillis(200);

    /// A word with the space that follows it.
    private static final Pattern WORD = Pattern.compile("\\s*\\S+\\s*");

    private final Pause pause;

    public OfflineModel() {
        this(Pause.REAL);
    }

    /// A model that pauses in another way, where it is asked to speak slowly.
    public OfflineModel(Pause pause) {
        this.pause = pause;
    }

    @Override
    public ModelName name() {
        return NAME;
    }

    /// It is no language model.
    @Override
    public boolean understands() {
        return false;
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
        var spoken = speak(answer(request, results, wishes), request, fragments, cancellation);
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
        return DISCLAIMER + missing + " " + Talk.answer(request.messages());
    }

    /// Lines begin on a line of their own, so that a short list can be read.
    private static String report(Part.ToolResult result) {
        var said = Message.of(ANY, Role.TOOL, Instant.EPOCH, result).text().stripTrailing();
        var gap = said.contains("\n") ? "\n" : " ";
        return " The tool %s %s:%s%s"
                .formatted(result.name(), result.isError() ? "failed" : "answered", gap, Talk.quote(said));
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

    private Spoken speak(
            String text, ModelRequest request, Consumer<ReplyFragment> fragments, Cancellation cancellation) {
        var said = new StringBuilder();
        var words = WORD.matcher(text);
        var limit = request.sampling().tokensMax();
        var isSlow = Talk.isSlow(request.messages());
        while (words.find()) {
            cancellation.check();
            if (limit != null && tokens(said.length() + words.group().length()) > limit) {
                return new Spoken(said.toString(), true);
            }
            fragments.accept(new ReplyFragment.Text(words.group()));
            said.append(words.group());
            if (isSlow) {
                pause(cancellation);
            }
        }
        return new Spoken(said.toString(), false);
    }

    private void pause(Cancellation cancellation) {
        try {
            pause.wait(PAUSE, cancellation);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Cancelled("its thread was interrupted");
        }
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
