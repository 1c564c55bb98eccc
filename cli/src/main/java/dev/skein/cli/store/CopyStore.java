package dev.skein.cli.store;

import dev.skein.cli.program.ExitCode;
import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.failure.InvalidRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `skein store copy`
@Command(
        name = "copy",
        description =
                "Copy every session from one store to another, and compare. Run it again to take up a copy that was"
                        + " interrupted, or to copy what is new.")
public final class CopyStore implements Callable<Integer> {

    private final Program program;

    @Parameters(index = "0", paramLabel = "FROM", description = "file, sqlite:PATH or postgresql://USER@HOST/DATABASE")
    private String from = "";

    @Parameters(index = "1", paramLabel = "TO", description = "The same.")
    private String to = "";

    @Mixin
    private final JsonOption json = new JsonOption();

    public CopyStore(Program program) {
        this.program = program;
    }

    @Override
    public Integer call() {
        if (from.equals(to)) {
            throw new InvalidRequest("both stores are the same; give another one to copy to");
        }
        var terminal = program.terminal();
        try (var source = program.openStore(from);
                var target = program.openStore(to)) {
            var report = new StoreCopy(source, target, summary -> {
                        if (terminal.isInteractive() && !json.wanted()) {
                            terminal.note("copying " + summary.id());
                        }
                    })
                    .run();
            if (json.wanted()) {
                program.answer(report);
            } else {
                terminal.line("%d sessions copied with %d events, %d were the same already"
                        .formatted(report.copied(), report.events(), report.unchanged()));
                report.problems().forEach(problem -> terminal.note("warning: " + terminal.stored(problem)));
            }
            return (report.problems().isEmpty() ? ExitCode.OK : ExitCode.CONFLICT).number();
        }
    }
}
