package dev.skein.cli.repl;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.Program;
import dev.skein.cli.settings.MacroSpec;
import dev.skein.cli.terminal.Style;
import dev.skein.engine.Overrides;
import dev.skein.failure.SkeinException;
import dev.skein.session.LoopStatus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Does what macros say, step by step. The first step that fails ends it, and is named.
///
/// Not safe for use by several threads.
final class Macros {

    private static final int DEPTH_MAX = 8;
    private static final int SHOWN_MAX = 60;

    /// Words between blanks, or between quotes.
    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|'([^']*)'|(\\S+)");

    private final Program program;
    private final Turn.Stops stops;
    private final Deque<String> running = new ArrayDeque<>();
    /// The failure of a step that is on its way.
    private @Nullable CommandFailure told;

    Macros(Program program, Turn.Stops stops) {
        this.program = program;
        this.stops = stops;
    }

    /// Where nobody types, the signals of the process stop a run.
    static Turn.Stops signals(Program program) {
        return action -> {
            var interruption = program.interruption();
            var listening = interruption.cancellation().onCancel(action);
            return () -> {
                listening.close();
                interruption.close();
            };
        };
    }

    /// A line behind `.macro`: the name, and what is given.
    void run(Desk desk, String rest) {
        var words = words(rest);
        if (words.isEmpty()) {
            list();
            return;
        }
        var macro = program.macros().find(words.getFirst());
        var arguments = words.subList(1, words.size());
        if (macro.isolated()) {
            var agent = program.scope().agent();
            try (var own = new Desk(program, desk.store(), Overrides.NONE, desk.streams(), desk.saving())) {
                run(own, macro, arguments);
            } finally {
                program.liveWith(agent);
            }
        } else {
            run(desk, macro, arguments);
        }
    }

    /// At this desk, isolated or not: there is no other.
    void runHere(Desk desk, String name, List<String> arguments) {
        run(desk, program.macros().find(name), arguments);
    }

    private void run(Desk desk, MacroSpec macro, List<String> arguments) {
        if (running.size() >= DEPTH_MAX) {
            throw CommandFailure.usage("macros run macros more than " + DEPTH_MAX + " deep: "
                    + String.join(", ", running.reversed()) + ", " + macro.name());
        }
        var steps = macro.filled(arguments);
        running.push(macro.name());
        try {
            for (int i = 0; i < steps.size(); i++) {
                if (run(desk, macro.steps().get(i).isCommand(), i, steps) == Commands.Then.LEAVE) {
                    return;
                }
            }
        } finally {
            running.pop();
        }
    }

    private Commands.Then run(Desk desk, boolean isCommand, int index, List<MacroSpec.Step> steps) {
        var step = steps.get(index);
        var terminal = program.terminal();
        terminal.note(terminal.paint(Style.DIM, "> " + terminal.stored(step.text(), SHOWN_MAX)));
        var turn = new Turn(program, desk, stops);
        var commands =
                new Commands(program, desk, turn, new SessionDots(program, desk, new Resumption(program, turn)), this);
        try {
            desk.lastStatus = null;
            if (isCommand) {
                var then = commands.run(step.text());
                requireCompleted(desk);
                return then;
            }
            new Lines(commands, turn).say(step.text());
            requireCompleted(desk);
            return Commands.Then.GO_ON;
        } catch (SkeinException | CommandFailure | Unfinished e) {
            // A macro that ran another need not say again what that one said.
            if (e != told) {
                told = CommandFailure.step("%s: step %d of %d".formatted(step.place(), index + 1, steps.size()), e);
            }
            throw told;
        }
    }

    /// A run that ended otherwise than with an answer.
    private static final class Unfinished extends RuntimeException {
        Unfinished(String message) {
            super(message);
        }
    }

    private static void requireCompleted(Desk desk) {
        if (desk.lastStatus != null && desk.lastStatus != LoopStatus.COMPLETED) {
            var where = desk.name().orElse("its session");
            throw new Unfinished(
                    desk.lastStatus == LoopStatus.WAITING
                            ? "a tool call waits for a yes; 'skein session approve " + where + "' gives it"
                            : "the answer was not finished; 'skein -s " + where + "' goes on");
        }
    }

    private void list() {
        var names = program.macros().names();
        var terminal = program.terminal();
        if (names.isEmpty()) {
            terminal.line("no macros yet; write one as "
                    + terminal.stored(program.home().resolve("macros/NAME.yaml").toString()));
        }
        names.forEach(name -> terminal.line(terminal.stored(name)));
    }

    private static List<String> words(String rest) {
        var words = new ArrayList<String>();
        var found = WORD.matcher(rest);
        while (found.find()) {
            words.add(
                    found.group(1) != null ? found.group(1) : found.group(2) != null ? found.group(2) : found.group());
        }
        return words;
    }
}
