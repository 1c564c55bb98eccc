package dev.skein.cli;

import dev.skein.cli.acp.AcpCommand;
import dev.skein.cli.agents.AgentCommands;
import dev.skein.cli.chat.ApproveCalls;
import dev.skein.cli.chat.ChatOptions;
import dev.skein.cli.chat.CompressSession;
import dev.skein.cli.chat.ListModels;
import dev.skein.cli.chat.ListRoles;
import dev.skein.cli.chat.RunSchedule;
import dev.skein.cli.chat.UndoExchange;
import dev.skein.cli.completion.CompletionCommand;
import dev.skein.cli.demo.DemoCommand;
import dev.skein.cli.keys.KeyCommands;
import dev.skein.cli.macro.MacroCommands;
import dev.skein.cli.mcp.McpCommands;
import dev.skein.cli.program.ExitCode;
import dev.skein.cli.program.Failures;
import dev.skein.cli.program.Failures.Wording;
import dev.skein.cli.program.GlobalOptions;
import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.LocalClock;
import dev.skein.cli.program.Program;
import dev.skein.cli.rag.RagCommands;
import dev.skein.cli.schedule.ScheduleCommands;
import dev.skein.cli.serve.ServeCommand;
import dev.skein.cli.session.ImportSessions;
import dev.skein.cli.session.MigrateSessions;
import dev.skein.cli.session.SessionCommands;
import dev.skein.cli.store.StoreCommands;
import dev.skein.cli.terminal.OutputClosed;
import dev.skein.cli.terminal.Streams;
import dev.skein.cli.terminal.Terminal;
import dev.skein.cli.vault.VaultCommands;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/// The entry point of the program.
public final class Main {

    /// These words alone need no parser, which would take as long as all the rest.
    private static final List<String> LIST = List.of("session", "list");

    private Main() {}

    public static void main(String[] args) {
        var code = run(args, Streams.ofProcess(), System.getenv(), new LocalClock());
        // On the way out through exit, the virtual machine looks in every jar for somebody to log it.
        if (code != ExitCode.OK.number() || !leavesNothing(args)) {
            System.exit(code);
        }
    }

    /// Whether no thread can be left that would keep the process from ending.
    private static boolean leavesNothing(String[] args) {
        return isVersionOnly(args) || isListOnly(args);
    }

    /// Runs the program and returns its exit code. Touches nothing but what it is given, and home.
    public static int run(String[] typed, Streams streams, Map<String, String> env, Clock clock) {
        var args = withoutDoubt(typed);
        var terminal = new Terminal(streams, env);
        var options = new GlobalOptions();
        var wording = beforeDashes(args).contains(JsonOption.NAME) ? Wording.JSON : Wording.SENTENCE;
        var failures = new Failures(terminal, wording, options);
        try {
            var code = isVersionOnly(args) ? version(terminal) : execute(args, options, terminal, failures, env, clock);
            terminal.flush();
            return code;
        } catch (OutputClosed _) {
            return ExitCode.OK.number();
        } catch (RuntimeException e) {
            return failures.report(e).number();
        }
    }

    /// The commonest question of scripts, answered without looking at any command.
    private static int version(Terminal terminal) {
        terminal.line(RootCommand.Version.text());
        return ExitCode.OK.number();
    }

    private static boolean isVersionOnly(String[] args) {
        return args.length == 1 && (args[0].equals("--version") || args[0].equals("-V"));
    }

    private static boolean isListOnly(String[] args) {
        return List.of(args).equals(LIST);
    }

    private static int execute(
            String[] args,
            GlobalOptions options,
            Terminal terminal,
            Failures failures,
            Map<String, String> env,
            Clock clock) {
        try (var program = new Program(options, terminal, env, clock)) {
            if (isListOnly(args)) {
                SessionCommands.list(program).run();
                return ExitCode.OK.number();
            }
            return commands(program, List.of(args))
                    .setExpandAtFiles(false)
                    .setCaseInsensitiveEnumValuesAllowed(true)
                    .setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF))
                    .setUsageHelpWidth(Math.clamp(terminal.width(), 60, 100))
                    .setOut(terminal.out())
                    .setErr(terminal.err())
                    .setExecutionStrategy(parsed -> execute(parsed, options, terminal, failures))
                    .setParameterExceptionHandler((thrown, _) ->
                            failures.report(Misuse.explain(thrown)).number())
                    .setExecutionExceptionHandler(
                            (thrown, _, _) -> failures.report(thrown).number())
                    .execute(args);
        }
    }

    /// Picocli would print the trace of a failure to write its help; everything else it hands over.
    private static int execute(
            CommandLine.ParseResult parsed, GlobalOptions options, Terminal terminal, Failures failures) {
        if (options.noColor()) {
            terminal.withoutColor();
        }
        try {
            return new CommandLine.RunLast().execute(parsed);
        } catch (UncheckedIOException e) {
            return failures.report(e).number();
        }
    }

    private static CommandLine commands(Program program, List<String> args) {
        var commands = new LinkedHashMap<String, Supplier<Object>>();
        commands.put("session", () -> sessionCommands(program, args));
        commands.put("models", () -> new ListModels(program));
        commands.put("roles", () -> new ListRoles(program));
        commands.put("agents", () -> AgentCommands.with(program));
        commands.put("macros", () -> MacroCommands.with(program));
        commands.put("schedule", () -> ScheduleCommands.with(program).addSubcommand(new RunSchedule(program)));
        commands.put("store", () -> StoreCommands.with(program));
        commands.put("serve", () -> new ServeCommand(program));
        commands.put("keys", () -> KeyCommands.with(program));
        commands.put("mcp", () -> McpCommands.with(program));
        commands.put("acp", () -> new AcpCommand(program));
        commands.put("rag", () -> RagCommands.with(program));
        commands.put("vault", () -> VaultCommands.with(program));
        commands.put("import", () -> new ImportSessions(program));
        commands.put("migrate", () -> migrate(program));
        commands.put("doctor", () -> new DoctorCommand(program));
        commands.put("demo", () -> new DemoCommand(program));
        commands.put("completion", () -> new CompletionCommand(program));
        return with(new RootCommand(program), commands, isAsked("completion", args) ? "" : word(args, 0));
    }

    private static CommandLine sessionCommands(Program program, List<String> args) {
        var commands = SessionCommands.all(program);
        commands.put("approve", () -> new ApproveCalls(program));
        commands.put("undo", () -> new UndoExchange(program));
        commands.put("compress", () -> new CompressSession(program));
        return with(SessionCommands.parent(), commands, isAsked("session", args) ? word(args, 1) : "");
    }

    /// Looking at every command takes longer than most of them do: one that is named needs no other beside it.
    private static CommandLine with(Object parent, Map<String, Supplier<Object>> commands, String named) {
        var line = new CommandLine(parent);
        var needed = commands.containsKey(named) ? Set.of(named) : commands.keySet();
        commands.forEach((name, command) -> {
            if (needed.contains(name)) {
                line.addSubcommand(name, command.get());
            }
        });
        return line;
    }

    private static boolean isAsked(String command, List<String> args) {
        return word(args, 0).equals(command);
    }

    private static String word(List<String> args, int index) {
        return index < args.size() ? args.get(index) : "";
    }

    /// Alone it does what `skein migrate sessions` does, the only thing there is to migrate so far.
    private static CommandLine migrate(Program program) {
        return new CommandLine(new MigrateSessions(program)).addSubcommand("sessions", new MigrateSessions(program));
    }

    /// An option whose value may be left out would take the first word of a prompt for it.
    private static String[] withoutDoubt(String[] typed) {
        var end = beforeDashes(typed).size();
        var args = typed.clone();
        for (int i = 0; i < end; i++) {
            if (args[i].equals(ChatOptions.SAVE_SESSION)) {
                args[i] = ChatOptions.SAVE_SESSION + "=true";
            }
        }
        return args;
    }

    private static List<String> beforeDashes(String[] args) {
        var all = List.of(args);
        var dashes = all.indexOf("--");
        return dashes < 0 ? all : all.subList(0, dashes);
    }
}
