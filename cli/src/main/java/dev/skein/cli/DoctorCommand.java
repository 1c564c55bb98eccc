package dev.skein.cli;

import dev.skein.cli.program.ExitCode;
import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.cli.program.Wiring;
import dev.skein.cli.terminal.Style;
import dev.skein.store.file.Doctor.Finding;
import dev.skein.store.file.Doctor.Report;
import dev.skein.store.file.Doctor.Severity;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `skein doctor`
@Command(name = "doctor", description = "Check that every stored session can be read, and mend what cannot.")
final class DoctorCommand implements Callable<Integer> {

    private final Program program;

    @Option(names = "--repair", description = "Mend what is damaged. The original is kept beside it.")
    private boolean repair;

    @Mixin
    private final JsonOption json = new JsonOption();

    DoctorCommand(Program program) {
        this.program = program;
    }

    /// What scripts get. Jackson would write a path as a URL.
    private record Answer(int sessionsChecked, List<Item> findings) {

        private record Item(Severity severity, String file, String what, boolean repaired) {}

        static Answer of(Report report) {
            return new Answer(
                    report.sessionsChecked(),
                    report.findings().stream()
                            .map(found ->
                                    new Item(found.severity(), found.file().toString(), found.what(), found.repaired()))
                            .toList());
        }
    }

    @Override
    public Integer call() {
        var report = repair ? Wiring.repair(program.home()) : Wiring.check(program.home());
        var damaged = report.findings().stream().filter(DoctorCommand::isOpen).count();
        if (json.wanted()) {
            program.answer(Answer.of(report));
        } else {
            print(report, damaged);
        }
        return (damaged == 0 ? ExitCode.OK : ExitCode.IO).number();
    }

    private static boolean isOpen(Finding finding) {
        return finding.severity() == Severity.DAMAGE && !finding.repaired();
    }

    private void print(Report report, long damaged) {
        var terminal = program.terminal();
        for (var finding : report.findings()) {
            var word = finding.repaired()
                    ? terminal.paint(Style.GREEN, "mended")
                    : switch (finding.severity()) {
                        case OK -> terminal.paint(Style.GREEN, "ok");
                        case NOTE -> terminal.paint(Style.YELLOW, "note");
                        case DAMAGE -> terminal.paint(Style.RED, "damage");
                    };
            terminal.line(
                    word + "  " + terminal.stored(finding.file().toString()) + ": " + terminal.stored(finding.what()));
        }
        var checked = report.sessionsChecked() == 1 ? "1 session" : report.sessionsChecked() + " sessions";
        var verdict = damaged == 0
                ? "no damage"
                : damaged + " damaged"
                        + (repair ? "; see above" : "; 'skein doctor --repair' keeps the original and mends it");
        terminal.line(checked + " checked, " + verdict);
    }
}
