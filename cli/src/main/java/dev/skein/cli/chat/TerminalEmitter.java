package dev.skein.cli.chat;

import dev.skein.cli.terminal.Style;
import dev.skein.cli.terminal.Terminal;
import dev.skein.live.Emitter;
import dev.skein.live.LiveEvent;
import dev.skein.message.Excerpt;
import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Part;
import dev.skein.message.Role;
import java.time.Instant;

/// Shows a run to a person: the model's words on standard output, everything else beside it.
final class TerminalEmitter implements Emitter {

    private static final int ARGUMENTS_MAX = 200;
    private static final int RESULT_MAX = 160;
    private static final MessageId ANY = new MessageId("shown");

    private final Terminal terminal;
    private boolean streamed;
    private boolean midLine;

    TerminalEmitter(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void emit(LiveEvent event) {
        switch (event.body()) {
            case LiveEvent.AssistantDelta(var text) -> {
                streamed = true;
                say(text);
            }
            case LiveEvent.AssistantMessageEnd(var text) -> {
                if (!streamed) {
                    say(text);
                }
                endLine();
                streamed = false;
            }
            case LiveEvent.ToolCall(var call) -> aside("> " + described(call));
            case LiveEvent.ToolResult(var result) -> aside("< " + told(result));
            case LiveEvent.ApprovalRequired(var call, var _) -> aside("? " + described(call) + " waits for a yes");
            case LiveEvent.SessionCompressing _ -> aside("summarising the conversation");
            case LiveEvent.AutoContinueTriggered(var count) -> aside("going on by itself, time " + count);
            case LiveEvent.Warning(var text) -> aside("warning: " + text);
            case LiveEvent.Noted(var text) -> aside(text);
            case LiveEvent.Started _,
                    LiveEvent.ThinkingDelta _,
                    LiveEvent.SessionCompressed _,
                    LiveEvent.SessionAutonamed _,
                    LiveEvent.Finished _ -> {}
            case LiveEvent.Failed _ -> endLine();
        }
    }

    /// A call, as a person would want to see it before saying yes.
    static String described(Part.ToolCall call) {
        return call.name() + " " + call.arguments();
    }

    private void say(String text) {
        if (text.isEmpty()) {
            return;
        }
        terminal.out().print(terminal.storedBlock(text));
        midLine = !text.endsWith("\n");
        terminal.flush();
    }

    private void endLine() {
        if (midLine) {
            terminal.line("");
            midLine = false;
        }
        terminal.flush();
    }

    private void aside(String text) {
        endLine();
        terminal.note(terminal.paint(Style.DIM, terminal.stored(text, Math.max(terminal.width(), ARGUMENTS_MAX))));
    }

    private static String told(Part.ToolResult result) {
        var text = Message.of(ANY, Role.TOOL, Instant.EPOCH, result).text().strip();
        var first = text.lines().findFirst().orElse("(nothing)");
        var more = text.lines().skip(1).count();
        var shown = Excerpt.of(first, RESULT_MAX);
        return (result.isError() ? "failed: " : "")
                + shown
                + (more == 0 ? "" : " (and " + more + (more == 1 ? " more line)" : " more lines)"));
    }
}
