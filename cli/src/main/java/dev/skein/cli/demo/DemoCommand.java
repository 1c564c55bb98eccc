package dev.skein.cli.demo;

import dev.skein.cli.program.ExitCode;
import dev.skein.cli.program.Program;
import dev.skein.cli.terminal.Style;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `skein demo`
@Command(
        name = "demo",
        description =
                "See in half a minute what is never lost: offline, in a directory of its own, with real processes.")
public final class DemoCommand implements Callable<Integer> {

    private final Program program;
    private final List<String> skein;

    @Option(names = "--keep", description = "Keep the directory afterwards, to look around in it.")
    private boolean keep;

    public DemoCommand(Program program) {
        this(program, List.of());
    }

    /// With a program of this command line in place of the one that runs; empty for that one.
    DemoCommand(Program program, List<String> skein) {
        this.program = program;
        this.skein = List.copyOf(skein);
    }

    @Override
    public Integer call() {
        var terminal = program.terminal();
        var promises = new Promises(terminal);
        try (var stage = Stage.set(terminal, skein.isEmpty() ? Launch.again() : skein)) {
            terminal.line("What you see is done for real: every line after '$' is a process of its own.");
            terminal.line("Nothing leaves this machine; Skein's offline model answers. It all happens in");
            terminal.line(terminal.stored(stage.directory().toString()));
            try {
                new Story(terminal, stage, promises).tell();
            } catch (Stage.Unplayable e) {
                promises.check(false, String.valueOf(e.getMessage()));
            }
            if (stage.isOver()) {
                return ExitCode.CANCELLED.number();
            }
            if (keep || promises.broken() > 0) {
                stage.keep();
            }
            return verdict(stage, promises).number();
        }
    }

    private ExitCode verdict(Stage stage, Promises promises) {
        var terminal = program.terminal();
        var where = terminal.stored(stage.directory().toString());
        terminal.line("");
        if (promises.broken() > 0) {
            terminal.line(terminal.paint(Style.RED, promises.broken() + " broken") + ", " + promises.kept()
                    + " kept. The rest would prove nothing, so it was left out.");
            terminal.line("Please report it, with what is in " + where);
            return ExitCode.UNEXPECTED;
        }
        terminal.line(terminal.paint(Style.GREEN, "All " + promises.kept() + " promises were kept."));
        terminal.line(
                keep
                        ? "Look around: SKEIN_HOME="
                                + terminal.stored(stage.home().toString()) + " skein session list"
                        : "The directory is deleted now; 'skein demo --keep' leaves it. Your turn: skein");
        return ExitCode.OK;
    }
}
