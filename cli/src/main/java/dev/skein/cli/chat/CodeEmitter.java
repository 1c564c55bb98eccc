package dev.skein.cli.chat;

import dev.skein.cli.markdown.CodeBlocks;
import dev.skein.cli.terminal.Terminal;
import dev.skein.live.Emitter;
import dev.skein.live.LiveEvent;

/// Shows a run to whoever wants only code: the code blocks of the answer on standard output, everything else but the
/// prose beside it.
final class CodeEmitter implements Emitter {

    private final Terminal terminal;
    private final Emitter others;
    private boolean found;

    CodeEmitter(Terminal terminal) {
        this.terminal = terminal;
        this.others = new TerminalEmitter(terminal);
    }

    @Override
    public void emit(LiveEvent event) {
        switch (event.body()) {
            case LiveEvent.AssistantDelta _ -> {}
            case LiveEvent.AssistantMessageEnd(var text) -> {
                for (var block : CodeBlocks.in(text)) {
                    found = true;
                    terminal.line(terminal.storedBlock(block));
                }
                terminal.flush();
            }
            case LiveEvent.Finished _ -> {
                if (!found) {
                    terminal.note("there is no code block in the answer; without --code you see it");
                }
            }
            default -> others.emit(event);
        }
    }
}
