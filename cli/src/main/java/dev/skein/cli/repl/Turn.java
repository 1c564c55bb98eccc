package dev.skein.cli.repl;

import dev.skein.cancellation.Cancellation;
import dev.skein.cli.chat.Decisions;
import dev.skein.cli.program.Program;
import dev.skein.cli.terminal.Style;
import dev.skein.engine.RequestContext;
import dev.skein.engine.RunRequest;
import dev.skein.failure.Cancelled;
import dev.skein.live.Emitter;
import dev.skein.live.RunOutcome;
import dev.skein.message.Part;
import dev.skein.session.LoopStatus;
import java.util.List;
import java.util.function.Function;

/// One turn: has the engine run a request, lets Ctrl-C end it, and asks the person where one has to decide.
record Turn(Program program, Desk desk, Stops stops) {

    /// Who tells that a run is to be stopped.
    interface Stops {

        /// Until the scope is closed, this is done then.
        Keyboard.Scope onInterrupt(Runnable action);
    }

    void run(RunRequest request) {
        desk.requireUsable();
        var context = desk.context(new Cancellation());
        finish(context, go(context, emitter -> desk.work().run(context, request, emitter)));
    }

    /// Says something, as the role has it that is on.
    void say(List<Part> parts) {
        run(program.ai().app().prompt(desk.settings(), desk.overrides(), parts));
    }

    /// Asks about what waits, and lets the run go on.
    void decideAndContinue() {
        var context = desk.context(new Cancellation());
        if (decide(context)) {
            finish(context, goOn(context));
        }
    }

    /// Lets the run go on, after everything was decided.
    void goOn() {
        desk.requireUsable();
        var context = desk.context(new Cancellation());
        finish(context, goOn(context));
    }

    private void finish(RequestContext context, RunOutcome first) {
        var outcome = first;
        while (outcome.status() == LoopStatus.WAITING && program.terminal().isInteractive() && decide(context)) {
            outcome = goOn(context);
        }
        desk.lastAnswer = outcome.text().isEmpty() ? desk.lastAnswer : outcome.text();
        desk.lastStatus = outcome.status();
        tell(outcome);
    }

    private RunOutcome goOn(RequestContext context) {
        return go(context, emitter -> desk.work().goOn(context, emitter));
    }

    private RunOutcome go(RequestContext context, Function<Emitter, RunOutcome> run) {
        try (var emitter = new TurnEmitter(program);
                var _ = stops.onInterrupt(() -> context.cancellation().cancel("Ctrl-C"))) {
            var outcome = run.apply(emitter);
            desk.lastTools = outcome.toolUses().isEmpty() ? desk.lastTools : outcome.toolUses();
            return outcome;
        }
    }

    /// Whether everything was decided.
    private boolean decide(RequestContext context) {
        try {
            new Decisions(program, context, desk.work(), desk::allowAlways).decideAll();
            return true;
        } catch (Cancelled _) {
            return false;
        }
    }

    private void tell(RunOutcome outcome) {
        switch (outcome.status()) {
            case COMPLETED -> {}
            case WAITING -> aside("a tool call waits for you; .approve lets it run, .deny does not");
            case ABORTED -> aside("stopped (" + outcome.reason() + "); what was said is kept, .continue goes on");
            case REJECTED -> aside("refused: " + outcome.reason());
            case PENDING, RUNNING -> throw new IllegalStateException("a run that returned is " + outcome.status());
        }
    }

    private void aside(String text) {
        var terminal = program.terminal();
        terminal.line(terminal.paint(Style.DIM, terminal.stored(text)));
    }
}
