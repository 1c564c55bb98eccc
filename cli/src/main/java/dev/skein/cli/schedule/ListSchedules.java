package dev.skein.cli.schedule;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.cli.terminal.Style;
import dev.skein.cli.terminal.Table;
import dev.skein.cli.terminal.Table.Column;
import dev.skein.engine.schedule.Firings;
import dev.skein.engine.schedule.ScheduleReport;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `skein schedule list`
@Command(name = "list", description = "List the schedules: when each is due next, and how its last run ended.")
final class ListSchedules implements Runnable {

    private final Program program;

    @Mixin
    private final JsonOption json = new JsonOption();

    ListSchedules(Program program) {
        this.program = program;
    }

    /// What scripts get.
    private record Listing(List<ScheduleReport> schedules, List<String> problems) {}

    @Override
    public void run() {
        var files = program.schedules();
        var listing = files.list();
        var firings = new Firings(program.store());
        var reports = listing.schedules().stream()
                .map(schedule -> ScheduleReport.of(schedule, firings, program.now()))
                .toList();
        if (json.wanted()) {
            program.answer(new Listing(reports, listing.problems()));
            return;
        }
        var terminal = program.terminal();
        if (reports.isEmpty() && listing.problems().isEmpty()) {
            terminal.line("no schedules yet; 'skein schedule add' makes one in "
                    + terminal.stored(files.directory().toString()));
        } else if (!reports.isEmpty()) {
            print(reports);
        }
        listing.problems()
                .forEach(problem ->
                        terminal.note(terminal.paint(Style.YELLOW, "warning:") + " " + terminal.stored(problem)));
    }

    private void print(List<ScheduleReport> reports) {
        var table = new Table(List.of(
                Column.shrinkingTo(12, "SCHEDULE"),
                Column.of("WHEN"),
                Column.of("NEXT"),
                Column.of("LAST"),
                Column.shrinkingTo(10, "PROMPT")));
        reports.forEach(report -> {
            var sheet = new ScheduleSheet(program, report);
            table.add(List.of(report.name(), sheet.when(), sheet.next(), sheet.last(), report.prompt()));
        });
        table.print(program.terminal());
    }
}
