package dev.skein.cli.repl;

import dev.skein.cli.chat.ChatOptions;
import dev.skein.cli.chat.Opening;
import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.ExitCode;
import dev.skein.cli.program.Failures;
import dev.skein.cli.program.Failures.Wording;
import dev.skein.cli.program.Program;
import dev.skein.cli.settings.Prelude;
import dev.skein.cli.terminal.OutputClosed;
import dev.skein.cli.terminal.Style;
import dev.skein.cli.terminal.Terminal;
import dev.skein.failure.StorageFailed;
import dev.skein.message.Role;
import dev.skein.store.SessionHandle;
import java.io.IOException;
import java.util.Locale;
import java.util.function.Function;
import org.jline.terminal.TerminalBuilder;

/// Reads a line, does what it says, and so on until the person leaves.
public final class Repl {

    private static final String HISTORY = "history";
    private static final int ROOM_FOR_STATUS = 60;
    private static final int RECALLED = 200;

    private final Program program;
    private final ChatOptions options;
    private final Terminal terminal;
    private final Desk desk;
    private final Keyboard keyboard;
    private final Resumption resumption;
    private final Lines lines;
    private final SessionDots sessions;
    private final Failures failures;
    private int recalledAt;

    private Repl(Program program, ChatOptions options, Desk desk, org.jline.terminal.Terminal screen) {
        this.program = program;
        this.options = options;
        this.terminal = program.terminal();
        this.desk = desk;
        this.keyboard =
                new Keyboard(screen, program.home().resolve(HISTORY), new Completion(program), terminal.isColored());
        var turn = new Turn(program, desk, keyboard);
        this.resumption = new Resumption(program, turn);
        this.sessions = new SessionDots(program, desk, resumption);
        var macros = new Macros(program, keyboard);
        this.lines = new Lines(new Commands(program, desk, turn, sessions, macros), turn);
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

    /// Does what a macro says, at no prompt.
    public static ExitCode macro(Program program, ChatOptions options, String name) {
        return withDesk(program, options, desk -> {
            new Opening(program, options).session(desk.store(), desk.fresh()).ifPresent(desk::use);
            new Macros(program, Macros.signals(program)).runHere(desk, name, options.words());
            return ExitCode.OK;
        });
    }

    /// Talks at this terminal, which must be the one the program writes to.
    static ExitCode at(org.jline.terminal.Terminal screen, Program program, ChatOptions options) {
        options.begin(program.prelude(Prelude.All::terminal));
        return withDesk(program, options, desk -> new Repl(program, options, desk, screen).run());
    }

    private static ExitCode withDesk(Program program, ChatOptions options, Function<Desk, ExitCode> use) {
        var saving = options.saving().orElse(program.ai().saving());
        try (var forgetful = options.keepsNothing() ? program.forgetfulStore() : null;
                var desk = new Desk(
                        program,
                        forgetful == null ? program.store() : forgetful,
                        options.overrides(),
                        options.streams(),
                        saving)) {
            return use.apply(desk);
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
            recall();
            terminal.flush();
            switch (keyboard.read(prompt(), aside(), status())) {
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
        if (options.picks()) {
            sessions.resume("");
            return;
        }
        var opening = new Opening(program, options);
        var agent = program.scope().agent();
        if (agent != null && !opening.isThere()) {
            desk.meet(agent, options.agentVariables());
        }
        opening.session(desk.store(), desk.fresh()).ifPresent(desk::use);
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
            return lines.run(typed);
        } catch (OutputClosed e) {
            throw e;
        } catch (RuntimeException e) {
            failures.report(e);
        }
        return Commands.Then.GO_ON;
    }

    private String prompt() {
        var name = terminal.stored(desk.name().orElse("skein"), Math.max(8, terminal.width() / 3));
        return terminal.paint(Style.CYAN, name) + terminal.paint(Style.BOLD, "> ");
    }

    /// In a session, Up goes through what was said in it, wherever that was.
    private void recall() {
        if (desk.changes() == recalledAt) {
            return;
        }
        recalledAt = desk.changes();
        desk.open()
                .ifPresentOrElse(
                        session -> keyboard.recall(session.context(RECALLED).messages().stream()
                                .filter(message -> message.role() == Role.USER)
                                .map(message -> message.text().strip())
                                .filter(text -> !text.isEmpty())
                                .toList()),
                        keyboard::recallHistory);
    }

    /// Where there is no status line, it stands at the right, if there is room.
    private String aside() {
        return keyboard.hasStatus() || terminal.width() < ROOM_FOR_STATUS
                ? ""
                : terminal.paint(Style.DIM, terminal.stored(spent(), terminal.width() / 2));
    }

    private String status() {
        return terminal.stored(desk.name().map(name -> name + " · ").orElse("") + spent(), terminal.width() - 1);
    }

    /// Model, tokens and money.
    private String spent() {
        var model = desk.model().toString();
        return model
                + desk.open()
                        .map(SessionHandle::state)
                        .map(state -> {
                            var cost = state.cost().usd();
                            return String.format(
                                            Locale.ROOT,
                                            " · %,d tokens",
                                            state.usage().totalTokens())
                                    + (cost.signum() == 0 ? "" : String.format(Locale.ROOT, " · $%.4f", cost));
                        })
                        .orElse("");
    }
}
