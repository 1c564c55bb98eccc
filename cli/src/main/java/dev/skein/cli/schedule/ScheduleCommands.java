package dev.skein.cli.schedule;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.Program;
import dev.skein.cli.schedule.SwitchSchedule.To;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `skein schedule`
@Command(
        name = "schedule",
        description = "Say something at certain times: files schedules/NAME.yaml in home, which 'skein serve' runs.")
public final class ScheduleCommands implements Runnable {

    private ScheduleCommands() {}

    /// All but those that need a model.
    public static CommandLine with(Program program) {
        return new CommandLine(new ScheduleCommands())
                .addSubcommand(new ListSchedules(program))
                .addSubcommand(new ShowSchedule(program))
                .addSubcommand(new AddSchedule(program))
                .addSubcommand(new RemoveSchedule(program))
                .addSubcommand("enable", new SwitchSchedule(program, To.ON))
                .addSubcommand("disable", new SwitchSchedule(program, To.OFF));
    }

    @Override
    public void run() {
        throw CommandFailure.usage("say what to do with schedules; 'skein schedule --help' lists the commands");
    }
}
