package dev.skein.cli;

import dev.skein.cli.program.Checkup;
import dev.skein.cli.program.Checkup.Finding;
import dev.skein.cli.program.ExitCode;
import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.cli.terminal.Style;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `skein doctor`
@Command(name = "doctor", description = "Look at every stored file, say what is wrong, and mend it if asked.")
final class DoctorCommand implements Callable<Integer> {

    private final Program program;

    @Option(names = "--repair", description = "Mend what can be mended.")
    private boolean repair;

    @Mixin
    private final JsonOption json = new JsonOption();

    DoctorCommand(Program program) {
        this.program = program;
    }

    @Override
    public Integer call() {
        var report = repair ? program.repair() : program.check();
        var damaged = report.findings().stream().filter(Finding::isOpen).count();
        if (json.wanted()) {
            program.answer(report);
        } else {
            print(report, damaged);
        }
        return (damaged == 0 ? ExitCode.OK : ExitCode.IO).number();
    }

    private void print(Checkup report, long damaged) {
        var terminal = program.terminal();
        for (var finding : report.findings()) {
            var word = finding.repaired()
                    ? terminal.paint(Style.GREEN, "mended")
                    : switch (finding.severity()) {
                        case NOTE -> terminal.paint(Style.YELLOW, "note");
                        case DAMAGE -> terminal.paint(Style.RED, "damage");
                    };
            terminal.line(word + "  " + terminal.stored(finding.where()) + ": " + terminal.stored(finding.what()));
        }
        var checked = report.sessionsChecked() == 1 ? "1 session" : report.sessionsChecked() + " sessions";
        var verdict = damaged == 0
                ? "no damage"
                : damaged + " damaged" + (repair ? "; see above" : "; 'skein doctor --repair' mends what it can");
        terminal.line(checked + " checked, " + verdict);
    }
}
