package dev.skein.cli.schedule;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.cli.settings.ScheduleFiles;
import dev.skein.cli.terminal.Nearest;
import dev.skein.engine.schedule.Firings;
import dev.skein.engine.schedule.ScheduleReport;
import dev.skein.engine.schedule.ScheduleSpec;
import dev.skein.failure.InvalidRequest;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `skein schedule show`
@Command(name = "show", description = "Show a schedule, when it is due next, and how its last run ended.")
public final class ShowSchedule implements Runnable {

    private final Program program;

    @Parameters(index = "0", paramLabel = "SCHEDULE", description = "Its name.")
    private String name = "";

    @Mixin
    private final JsonOption json = new JsonOption();

    ShowSchedule(Program program) {
        this.program = program;
    }

    /// The schedule of this name.
    ///
    /// @throws InvalidRequest if its file is wrong
    public static ScheduleSpec find(ScheduleFiles files, String name) {
        return files.find(name).orElseThrow(() -> {
            requireThere(files, name);
            return new InvalidRequest(String.join("; ", files.problems(name)));
        });
    }

    /// @throws CommandFailure if there is no file of this name
    static void requireThere(ScheduleFiles files, String name) {
        var names = files.names();
        if (!names.contains(name)) {
            throw CommandFailure.noSchedule(
                    name,
                    Nearest.to(name, names)
                            .map(near -> "did you mean '" + near + "'?")
                            .orElse(
                                    names.isEmpty()
                                            ? "'skein schedule add' makes one"
                                            : "there are " + String.join(", ", names)));
        }
    }

    @Override
    public void run() {
        var schedule = find(program.schedules(), name);
        var report = ScheduleReport.of(schedule, new Firings(program.store()), program.now());
        if (json.wanted()) {
            program.answer(report);
            return;
        }
        var sheet = new ScheduleSheet(program, report);
        line("schedule", report.name() + (report.enabled() ? "" : " (disabled)"));
        line("when", report.at() == null ? report.cron() + " (" + report.zone() + ")" : "once, " + report.at());
        line("next", sheet.next());
        line("session", report.session() == null ? "a new one each time" : report.session());
        optional("owner", report.owner().equals(program.owner()) ? null : report.owner());
        optional("agent", report.agent());
        optional("role", report.role());
        optional("model", report.model());
        line("last", sheet.last());
        if (report.last() != null) {
            optional("reason", report.last().reason());
            line("in", report.last().sessionId());
        }
        line("prompt", report.prompt());
    }

    private void line(String what, String value) {
        program.terminal().line("%-10s%s".formatted(what, program.terminal().stored(value)));
    }

    private void optional(String what, @Nullable String value) {
        if (value != null) {
            line(what, value);
        }
    }
}
