package dev.skein.cli.repl;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.Program;
import dev.skein.cli.terminal.Nearest;
import dev.skein.cli.terminal.Style;
import dev.skein.engine.Approvals;
import dev.skein.engine.RunRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// Does what a command says, if things are as it needs them.
final class Commands {

    private final Program program;
    private final Desk desk;
    private final Turn turn;
    private final SessionDots sessions;
    private final TalkDots talk;
    private final SettingDots settings;
    private final RoleDots roles;
    private final RagDots rags;
    private final VaultDots vault;
    private final AgentDots agents;
    private final McpDots mcp;
    private final Macros macros;

    Commands(Program program, Desk desk, Turn turn, SessionDots sessions, Macros macros) {
        this.macros = macros;
        this.program = program;
        this.desk = desk;
        this.turn = turn;
        this.sessions = sessions;
        this.talk = new TalkDots(program, desk, turn);
        this.settings = new SettingDots(program, desk);
        this.roles = new RoleDots(program, desk);
        this.rags = new RagDots(program, desk);
        this.vault = new VaultDots(program);
        this.agents = new AgentDots(program, desk, turn);
        this.mcp = new McpDots(program, desk);
    }

    /// What happens next.
    enum Then {
        GO_ON,
        LEAVE
    }

    Then run(String line) {
        var call = Dot.in(line.replaceAll("\\s+$", "")).orElseThrow(() -> unknown(line));
        requireState(call.dot());
        return run(call.dot(), call.rest());
    }

    private Then run(Dot dot, String rest) {
        switch (dot) {
            case HELP -> help(rest);
            case INFO -> settings.info();
            case MODEL -> settings.model(rest);
            case MODELS -> settings.models();
            case TOOLS -> settings.tools();
            case MCP -> mcp.mcp(rest);
            case ROLE -> roles.role(rest);
            case INFO_ROLE -> roles.info(rest);
            case EXIT_ROLE -> roles.exit();
            case AGENT -> agents.agent(rest);
            case INFO_AGENT -> agents.info(rest);
            case STARTER -> agents.starter(rest);
            case EXIT_AGENT -> agents.exit();
            case PROMPT -> settings.prompt(rest);
            case SET -> settings.set(rest);
            case SESSION -> sessions.session(rest);
            case RESUME -> sessions.resume(rest);
            case INFO_SESSION -> sessions.info(rest);
            case SAVE_SESSION, RENAME -> sessions.rename(rest, dot);
            case EMPTY_SESSION -> sessions.empty();
            case COMPRESS_SESSION -> sessions.compress();
            case EXIT_SESSION -> sessions.exit();
            case FORK -> sessions.fork(rest);
            case DELETE -> sessions.delete(rest);
            case TREE -> sessions.tree();
            case SEARCH -> sessions.search(rest);
            case RAG -> rags.rag(rest);
            case SOURCES_RAG -> rags.sources();
            case REBUILD_RAG -> rags.rebuild();
            case EXIT_RAG -> rags.exit();
            case MACRO -> macros.run(desk, rest);
            case VAULT -> vault.vault(rest);
            case FILE -> talk.file(rest);
            case EDIT -> talk.edit(rest);
            case CONTINUE -> turn.run(new RunRequest.Continue());
            case REGENERATE -> turn.run(new RunRequest.Regenerate());
            case UNDO -> talk.undo();
            case APPROVE -> talk.decide(rest, true);
            case DENY -> talk.decide(rest, false);
            case SHOW -> talk.show(rest);
            case COPY -> talk.copy();
            case EXIT, QUIT -> {
                return Then.LEAVE;
            }
        }
        return Then.GO_ON;
    }

    /// Says what was expected and what was found.
    private void requireState(Dot dot) {
        if (dot.needs == Dot.Needs.NOTHING) {
            return;
        }
        var session = desk.open()
                .orElseThrow(() -> CommandFailure.usage("'" + dot.typed()
                        + "' needs an open session, and none is open; .session NAME opens one, .resume lists them"));
        switch (dot.needs) {
            case NOTHING, SESSION -> {}
            case WORDS -> {
                if (session.state().head() == null) {
                    throw CommandFailure.usage("'" + dot.typed()
                            + "' needs something that was said, and this session is empty; say something first");
                }
            }
            case WAITING -> {
                if (Approvals.waiting(session).isEmpty()) {
                    throw CommandFailure.usage("'" + dot.typed()
                            + "' needs a tool call that waits for you, and none does; .tree shows what ran");
                }
            }
        }
    }

    private static CommandFailure unknown(String line) {
        var name = line.split("\\s", 2)[0];
        var names = Arrays.stream(Dot.values()).map(Dot::typed).toList();
        var words = line.split("\\s+");
        var two = words.length > 1 ? words[0] + " " + words[1] : name;
        var guess = Nearest.to(two, names).or(() -> Nearest.to(name, names)).or(() -> beginning(name, names));
        return CommandFailure.usage("there is no command '" + name + "'; "
                + guess.map(found -> "did you mean '" + found + "'?").orElse(".help lists them")
                + " (a blank before the dot says it to the model)");
    }

    private static java.util.Optional<String> beginning(String name, List<String> names) {
        return names.stream().filter(known -> known.startsWith(name)).findFirst();
    }

    private void help(String rest) {
        var terminal = program.terminal();
        var wanted = rest.isEmpty() ? "" : "." + rest.replaceFirst("^\\.", "").toLowerCase(Locale.ROOT);
        var dots = Arrays.stream(Dot.values())
                .filter(dot -> dot.typed().startsWith(wanted))
                .toList();
        if (dots.isEmpty()) {
            throw unknown(wanted);
        }
        var width = dots.stream()
                .mapToInt(dot -> dot.typed().length() + dot.arguments.length() + 1)
                .max()
                .orElse(0);
        for (var dot : dots) {
            var usage = dot.typed() + " " + dot.arguments;
            terminal.line(terminal.paint(Style.CYAN, dot.typed()) + " " + dot.arguments
                    + " ".repeat(width - usage.length() + 2)
                    + dot.summary);
        }
        if (wanted.isEmpty()) {
            terminal.line("");
            terminal.line("Everything else is said to the model. A line that ends in \\ goes on; ::: begins and ends");
            terminal.line("several lines. Tab completes. Ctrl-C stops an answer and keeps what was said.");
        }
    }
}
