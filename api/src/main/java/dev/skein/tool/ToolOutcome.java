package dev.skein.tool;

import static java.util.Objects.requireNonNullElse;

import dev.skein.message.Part;
import dev.skein.message.ToolCallId;
import dev.skein.session.ChildLoopRef;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// How a tool call ended. There is no other way.
public sealed interface ToolOutcome {

    /// It worked. `child` leads to the sub-agent that did the work, if one did.
    record Answered(
            List<Part> content,
            @Nullable JsonNode data,
            @Nullable ChildLoopRef child) implements ToolOutcome {
        public Answered {
            content = List.copyOf(content);
        }

        public static Answered text(String text) {
            return new Answered(List.of(new Part.Text(text)), null, null);
        }
    }

    /// It did not work.
    record Failed(String reason) implements ToolOutcome {
        public static Failed because(Throwable thrown) {
            return new Failed(
                    requireNonNullElse(thrown.getMessage(), thrown.getClass().getSimpleName()));
        }
    }

    /// A rule or a person said no.
    record Denied(String by) implements ToolOutcome {}

    /// It took too long.
    record TimedOut(Duration after) implements ToolOutcome {}

    /// It was started once and nobody knows how that ended.
    record Unknown() implements ToolOutcome {}

    /// It cannot go on before a person decides about calls of others who work for it. Then it is run again.
    record Waits(List<Ask> asks) implements ToolOutcome {
        public Waits {
            asks = List.copyOf(asks);
        }

        /// A call of somebody else that needs a yes, or an answer.
        public record Ask(
                ToolCallId call,
                String name,
                JsonNode args,
                @Nullable String reason) {

            private static final Pattern IN_THE_MIDDLE = Pattern.compile("(.+)~[1-9][0-9]{0,8}");

            /// What a tool wants to know in the middle of its call, for the first, second, … time. When a person has
            /// decided, the call is made again and finds the answer.
            public static Ask inTheMiddleOf(
                    ToolCallId call, int number, String name, JsonNode args, @Nullable String reason) {
                return new Ask(new ToolCallId(call + "~" + number), name, args, reason);
            }

            /// The call in whose middle something was asked; empty if it is a call of its own.
            public static Optional<ToolCallId> asker(ToolCallId ask) {
                var found = IN_THE_MIDDLE.matcher(ask.text());
                return found.matches() ? Optional.of(new ToolCallId(found.group(1))) : Optional.empty();
            }
        }
    }

    /// What the model gets to read.
    default Part.ToolResult resultOf(Part.ToolCall call) {
        return switch (this) {
            case Answered answered ->
                new Part.ToolResult(call.id(), call.name(), answered.content(), false, answered.data());
            case Failed(var reason) -> error(call, "The tool failed: " + reason);
            case Denied(var by) -> error(call, "Not allowed: " + by);
            case TimedOut(var after) -> error(call, "No answer within " + after.toSeconds() + " s.");
            case Waits _ -> error(call, "It waits for a person.");
            case Unknown _ ->
                error(
                        call,
                        "The run was interrupted while this tool was running. It may or may not have done its work; "
                                + "look before you try again.");
        };
    }

    private static Part.ToolResult error(Part.ToolCall call, String text) {
        return new Part.ToolResult(call.id(), call.name(), List.of(new Part.Text(text)), true, null);
    }
}
