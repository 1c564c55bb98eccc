package dev.skein.cli.repl;

import dev.skein.cli.program.Program;
import dev.skein.cli.terminal.Style;
import dev.skein.engine.ResumeSummary;
import dev.skein.engine.RunRequest;
import dev.skein.failure.Cancelled;
import dev.skein.message.Role;
import dev.skein.store.SessionHandle;

/// Shows where a session stands when it is taken up again, and offers to finish what was not. The model hears nothing
/// of this.
record Resumption(Program program, Turn turn) {

    void show(SessionHandle session) {
        var summary = ResumeSummary.of(session);
        var terminal = program.terminal();
        aside("'%s': %,d messages, last used %s%s"
                .formatted(
                        summary.name(),
                        summary.messages(),
                        program.ago(summary.lastActivityAt()),
                        summary.model() == null ? "" : ", " + summary.model()));
        for (var line : summary.lastWords()) {
            var who = line.role() == Role.USER ? "  > " : "    ";
            aside(who + terminal.stored(line.text(), Math.max(20, terminal.width() - who.length())));
        }
        try {
            offer(summary);
        } catch (Cancelled _) {
            aside("later, then: .continue, .approve or .deny");
        }
    }

    private void offer(ResumeSummary summary) {
        var terminal = program.terminal();
        if (!summary.waiting().isEmpty()) {
            var names = terminal.stored(String.join(", ", summary.waiting()));
            if (terminal.confirms(names + " waits for your yes; decide now?")) {
                turn.decideAndContinue();
            } else {
                aside(".approve and .deny decide it later");
            }
        } else if (summary.unfinished() != null) {
            aside(summary.unfinished());
            if (terminal.confirms("continue it?")) {
                turn.run(new RunRequest.Continue());
            }
        }
    }

    private void aside(String text) {
        var terminal = program.terminal();
        terminal.line(terminal.paint(Style.DIM, terminal.shown(dev.skein.cli.terminal.SafeText.block(text))));
    }
}
