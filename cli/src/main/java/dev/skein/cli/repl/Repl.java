package dev.skein.cli.repl;

import dev.skein.cli.chat.ChatOptions;
import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.ExitCode;
import dev.skein.cli.program.Failures;
import dev.skein.cli.program.Failures.Wording;
import dev.skein.cli.program.Program;
import dev.skein.cli.session.Names;
import dev.skein.cli.terminal.OutputClosed;
import dev.skein.cli.terminal.Style;
import dev.skein.cli.terminal.Terminal;
import dev.skein.engine.Overrides;
import dev.skein.engine.RunRequest;
import dev.skein.failure.StorageFailed;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import java.io.IOException;
import java.util.Locale;
import org.jline.terminal.TerminalBuilder;

/// Reads a line, does what it says, and so on until the person leaves.
public final class Repl {

    private static final String HISTORY = "history";
    private static final int ROOM_FOR_STATUS = 60;

    private final Program program;
    private final ChatOptions options;
    private final Terminal terminal;
    private final Desk desk;
    private final Keyboard keyboard;
    private final Turn turn;
    private final Resumption resumption;
    private final Commands commands;
    private final Failures failures;

    private Repl(Program program, ChatOptions options, Desk desk, org.jline.terminal.Terminal screen) {
        this.program = program;
        this.options = options;
        this.terminal = program.terminal();
        this.desk = desk;
        this.keyboard = new Keyboard(screen, program.home().resolve(HISTORY), new Completion(program));
        this.turn = new Turn(program, desk, keyboard);
        this.resumption = new Resumption(program, turn);
        this.commands = new Commands(program, desk, turn, new SessionDots(program, desk, resumption));
        this.failures = new Failures(terminal, Wording.SENTENCE, program.options());
    }

    /// Talks at the terminal of this process.
    public static ExitCode atTerminal(Program program, ChatOptions options) {
        try (var screen = TerminalBuilder.builder()
                .name("skein")
                .system(true)
                .dumb(false)
                .provider(TerminalBuilder.PROP_PROVIDER_FFM)
                .build()) {
            return at(screen, program, options);
        } catch (IOException e) {
            throw StorageFailed.io("open the terminal", e);
        }
    }

    /// Talks at this terminal, which must be the one the program writes to.
    static ExitCode at(org.jline.terminal.Terminal screen, Program program, ChatOptions options) {
        var overrides =
                new Overrides(options.model().orElse(null), options.system(), null, options.tools(), options.rag());
        try (var forgetful = options.keepsNothing() ? program.forgetfulStore() : null;
                var desk = new Desk(
                        program, forgetful == null ? program.store() : forgetful, overrides, options.streams())) {
            return new Repl(program, options, desk, screen).run();
        }
    }

    private ExitCode run() {
        terminal.attach(keyboard);
        new Greeting(program).show(desk);
        try {
            open();
        } catch (CommandFailure e) {
            return failures.report(e);
        }
        var isLeaving = false;
        while (true) {
            terminal.flush();
            switch (keyboard.read(prompt(), status())) {
                case Keyboard.Typed.Line(var text) -> {
                    isLeaving = false;
                    if (handle(text) == Commands.Then.LEAVE) {
                        return ExitCode.OK;
                    }
                }
                case Keyboard.Typed.Interrupted(var wasEmpty) -> {
                    if (wasEmpty && isLeaving) {
                        return ExitCode.OK;
                    }
                    isLeaving = wasEmpty;
                    terminal.line(terminal.paint(Style.DIM, "Ctrl-C again leaves, and so does .exit"));
                }
                case Keyboard.Typed.End _ -> {
                    return ExitCode.OK;
                }
            }
        }
    }

    /// The session that the command line names.
    private void open() {
        var name = options.session().orElse(null);
        if (options.continuesLast()) {
            var last = program.store()
                    .last(program.scope())
                    .orElseThrow(() ->
                            CommandFailure.noSession("used last", "there is none yet: leave -c out, and one is made"));
            desk.use(program.store().open(program.scope(), last));
        } else if (name != null && SessionId.parse(name).isPresent()) {
            desk.use(new Names(program).open(name));
        } else if (name != null) {
            desk.openOrCreate(new SessionAlias(name));
        }
        desk.open().ifPresent(session -> {
            if (options.empties()) {
                program.ai().engine().empty(session);
            }
            if (session.state().head() != null) {
                resumption.show(session);
            }
        });
    }

    /// What goes wrong is told, and the conversation goes on.
    private Commands.Then handle(String typed) {
        try {
            var meant = LineSyntax.meant(typed);
            if (isCommand(typed)) {
                return commands.run(meant);
            }
            if (!meant.isEmpty()) {
                turn.run(RunRequest.Prompt.text(meant));
            }
        } catch (OutputClosed e) {
            throw e;
        } catch (RuntimeException e) {
            failures.report(e);
        }
        return Commands.Then.GO_ON;
    }

    /// A dot before a letter, with nothing before it.
    private static boolean isCommand(String typed) {
        return typed.length() > 1 && typed.charAt(0) == '.' && Character.isLetter(typed.charAt(1));
    }

    private String prompt() {
        var name = terminal.stored(desk.name().orElse("skein"), Math.max(8, terminal.width() / 3));
        return terminal.paint(Style.CYAN, name) + terminal.paint(Style.BOLD, "> ");
    }

    /// Model, tokens and money, where there is room for it.
    private String status() {
        if (terminal.width() < ROOM_FOR_STATUS) {
            return "";
        }
        var model = desk.model().toString();
        var spent = desk.open().map(session -> session.state()).map(state -> {
            var cost = state.cost().usd();
            return String.format(Locale.ROOT, " · %,d tokens", state.usage().totalTokens())
                    + (cost.signum() == 0 ? "" : String.format(Locale.ROOT, " · $%.4f", cost));
        });
        return terminal.paint(Style.DIM, terminal.stored(model + spent.orElse(""), terminal.width() / 2));
    }
}
