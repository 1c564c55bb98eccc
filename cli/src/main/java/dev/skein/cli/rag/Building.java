package dev.skein.cli.rag;

import dev.skein.cancellation.Cancellation;
import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.cli.terminal.Style;
import dev.skein.tools.rag.BuildReport;
import dev.skein.tools.rag.Progress;
import dev.skein.tools.rag.source.Problem;
import dev.skein.tools.rag.source.Sources;
import java.nio.file.Path;
import java.util.List;

/// Builds a collection while a person looks on, and tells what came of it.
public record Building(Program program, String name) {

    private static final int PROBLEMS_SHOWN = 10;

    /// A build, with whom to tell how far it is and who may stop it.
    public interface Work {
        BuildReport run(Progress progress, Cancellation cancellation);
    }

    /// What scripts get.
    private record Built(
            String name, int added, int changed, int removed, int unchanged, int passages, List<Problem> problems) {}

    /// The sources as they are kept.
    static List<String> normal(List<String> sources) {
        var here = Path.of("").toAbsolutePath();
        return sources.stream().map(source -> Sources.normal(source, here)).toList();
    }

    public void run(JsonOption json, Work work) {
        var report = watched(json.wanted(), work);
        if (json.wanted()) {
            program.answer(new Built(
                    name,
                    report.added(),
                    report.changed(),
                    report.removed(),
                    report.unchanged(),
                    report.passages(),
                    report.problems()));
        } else {
            tell(report);
        }
    }

    /// For a person at a prompt.
    public void run(Work work) {
        tell(watched(false, work));
    }

    private BuildReport watched(boolean silently, Work work) {
        try (var interruption = program.interruption();
                var bar = new ProgressBar(program.terminal())) {
            return work.run(silently ? Progress.SILENT : bar, interruption.cancellation());
        }
    }

    private void tell(BuildReport report) {
        var terminal = program.terminal();
        terminal.line("%s: %,d passages; documents: %,d new, %,d changed, %,d removed, %,d as before"
                .formatted(
                        terminal.stored(name),
                        report.passages(),
                        report.added(),
                        report.changed(),
                        report.removed(),
                        report.unchanged()));
        report.problems().stream()
                .limit(PROBLEMS_SHOWN)
                .forEach(problem -> terminal.note(terminal.paint(Style.YELLOW, "left out:") + " "
                        + terminal.stored(problem.source() + ": " + problem.reason())));
        var more = report.problems().size() - PROBLEMS_SHOWN;
        if (more > 0) {
            terminal.note("and " + more + " more; --json lists them all");
        }
    }
}
