package dev.skein.cli.repl;

import dev.skein.cli.markdown.Markdown;
import dev.skein.cli.program.Program;
import dev.skein.cli.terminal.Style;
import dev.skein.cli.terminal.Terminal;
import dev.skein.live.Emitter;
import dev.skein.live.LiveEvent;
import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.ToolCallId;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/// Shows one turn: the answer as markdown while it is spoken, each tool call as one folded line, and how long one has
/// been waiting. What happens after the turn, such as naming the session, is not shown: the person types by then.
///
/// Safe for use by several threads.
final class TurnEmitter implements Emitter, AutoCloseable {

    private static final String[] FRAMES = {"⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"};
    private static final String[] ASCII_FRAMES = {"|", "/", "-", "\\"};
    private static final MessageId ANY = new MessageId("shown");

    private final Program program;
    private final Terminal terminal;
    private final Markdown markdown;
    private final Spinner spinner = new Spinner(this::draw);
    private final Map<ToolCallId, Part.ToolCall> calls = new LinkedHashMap<>();
    private String doing = "";
    private Instant since;
    private int frame;
    private boolean drawn;
    private boolean streamed;
    private boolean ended;

    TurnEmitter(Program program) {
        this.program = program;
        this.terminal = program.terminal();
        this.markdown = new Markdown(terminal);
        this.since = program.now();
    }

    @Override
    public synchronized void emit(LiveEvent event) {
        if (ended) {
            return;
        }
        switch (event.body()) {
            case LiveEvent.Started _ -> await("thinking");
            case LiveEvent.ThinkingDelta _ -> {}
            case LiveEvent.AssistantDelta(var text) -> {
                erase();
                streamed = true;
                markdown.add(text);
            }
            case LiveEvent.AssistantMessageEnd(var text) -> {
                erase();
                if (!streamed) {
                    markdown.add(text);
                }
                markdown.end();
                streamed = false;
                await("thinking");
            }
            case LiveEvent.ToolCall(var call) -> {
                calls.put(call.id(), call);
                await(call.name());
            }
            case LiveEvent.ToolResult(var result) -> {
                aside(folded(result));
                await("thinking");
            }
            case LiveEvent.SessionCompressing _ -> await("summarising");
            case LiveEvent.AutoContinueTriggered(var count) -> aside("going on by itself, time " + count);
            case LiveEvent.SessionCompressed _ -> aside("the older part is a summary for the model now");
            case LiveEvent.Warning(var text) -> aside("warning: " + text);
            case LiveEvent.Noted(var text) -> aside(text);
            case LiveEvent.ApprovalRequired _,
                    LiveEvent.SessionAutonamed _,
                    LiveEvent.Finished _,
                    LiveEvent.Failed _ -> {}
        }
    }

    /// A call and its result on one line.
    private String folded(Part.ToolResult result) {
        var call = calls.remove(result.call());
        var said = Message.of(ANY, Role.TOOL, Instant.EPOCH, result).text().strip();
        var lines = said.lines().count();
        var what = call == null ? result.name() : call.name() + " " + call.arguments();
        var size = lines == 0 ? "nothing" : lines == 1 ? said : lines + " lines";
        var mark = terminal.isUnicode() ? "▸ " : "> ";
        return mark + what + (result.isError() ? " failed: " : ": ") + size;
    }

    private void aside(String text) {
        erase();
        if (streamed) {
            markdown.end();
            streamed = false;
        }
        terminal.line(terminal.paint(Style.DIM, terminal.stored(text, terminal.width())));
        terminal.flush();
    }

    private void await(String what) {
        erase();
        doing = what;
        since = program.now();
        if (terminal.isColored()) {
            spinner.start();
        }
    }

    private synchronized void draw() {
        if (ended || doing.isEmpty()) {
            return;
        }
        var frames = terminal.isUnicode() ? FRAMES : ASCII_FRAMES;
        var seconds = Duration.between(since, program.now()).toSeconds();
        var text = frames[frame++ % frames.length] + " " + doing + " " + seconds + " s";
        terminal.out()
                .print("\r" + terminal.paint(Style.DIM, terminal.stored(text, terminal.width() - 1)) + "\u001b[K");
        terminal.flush();
        drawn = true;
    }

    private void erase() {
        spinner.stop();
        doing = "";
        if (drawn) {
            terminal.out().print("\r\u001b[K");
            terminal.flush();
        }
        drawn = false;
    }

    @Override
    public synchronized void close() {
        erase();
        markdown.end();
        ended = true;
        spinner.close();
    }
}
