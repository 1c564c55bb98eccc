package dev.skein.cli;

import dev.skein.cli.chat.ApproveCalls;
import dev.skein.cli.chat.CompressSession;
import dev.skein.cli.chat.ListModels;
import dev.skein.cli.chat.UndoExchange;
import dev.skein.cli.completion.CompletionCommand;
import dev.skein.cli.demo.DemoCommand;
import dev.skein.cli.program.ExitCode;
import dev.skein.cli.program.Failures;
import dev.skein.cli.program.Failures.Wording;
import dev.skein.cli.program.GlobalOptions;
import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.cli.rag.RagCommands;
import dev.skein.cli.session.MigrateSessions;
import dev.skein.cli.session.SessionCommands;
import dev.skein.cli.terminal.OutputClosed;
import dev.skein.cli.terminal.Streams;
import dev.skein.cli.terminal.Terminal;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/// The entry point of the program.
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        System.exit(run(args, Streams.ofProcess(), System.getenv(), Clock.system(ZoneId.systemDefault())));
    }

    /// Runs the program and returns its exit code. Touches nothing but what it is given, and home.
    public static int run(String[] args, Streams streams, Map<String, String> env, Clock clock) {
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

    private static int execute(
            String[] args,
            GlobalOptions options,
            Terminal terminal,
            Failures failures,
            Map<String, String> env,
            Clock clock) {
        try (var program = new Program(options, terminal, env, clock)) {
            return commands(program)
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

    private static CommandLine commands(Program program) {
        return new CommandLine(new RootCommand(program))
                .addSubcommand(SessionCommands.with(program)
                        .addSubcommand(new ApproveCalls(program))
                        .addSubcommand(new UndoExchange(program))
                        .addSubcommand(new CompressSession(program)))
                .addSubcommand(RagCommands.with(program))
                .addSubcommand(new ListModels(program))
                .addSubcommand("migrate", migrate(program))
                .addSubcommand(new DoctorCommand(program))
                .addSubcommand(new DemoCommand(program))
                .addSubcommand(new CompletionCommand(program));
    }

    /// Alone it does what `skein migrate sessions` does, the only thing there is to migrate so far.
    private static CommandLine migrate(Program program) {
        return new CommandLine(new MigrateSessions(program)).addSubcommand("sessions", new MigrateSessions(program));
    }

    private static List<String> beforeDashes(String[] args) {
        var all = List.of(args);
        var dashes = all.indexOf("--");
        return dashes < 0 ? all : all.subList(0, dashes);
    }
}
