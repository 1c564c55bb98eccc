package dev.skein.cli.chat;

import dev.skein.cli.terminal.Terminal;
import dev.skein.live.Emitter;
import dev.skein.live.LiveEvent;
import dev.skein.session.LoopStatus;

/// Shows a run to whoever wants a value: the JSON of the answer on standard output, everything else but the model's
/// words beside it. A loop that goes on and never was to have a shape has words only; those then.
final class ValueEmitter implements Emitter {

    private final Terminal terminal;
    private final Emitter others;

    ValueEmitter(Terminal terminal) {
        this.terminal = terminal;
        this.others = new TerminalEmitter(terminal);
    }

    @Override
    public void emit(LiveEvent event) {
        switch (event.body()) {
            case LiveEvent.AssistantDelta _, LiveEvent.AssistantMessageEnd _ -> {}
            case LiveEvent.Finished(var outcome) -> {
                if (outcome.output() != null) {
                    terminal.line(outcome.output().toString());
                    terminal.flush();
                } else if (outcome.status() == LoopStatus.COMPLETED) {
                    terminal.line(outcome.text());
                    terminal.flush();
                }
            }
            default -> others.emit(event);
        }
    }
}
