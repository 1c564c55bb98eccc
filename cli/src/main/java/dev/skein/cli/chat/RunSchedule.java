package dev.skein.cli.chat;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.cli.schedule.ShowSchedule;
import dev.skein.engine.schedule.Firing;
import dev.skein.engine.schedule.Firings;
import dev.skein.message.Part;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `skein schedule run`
@Command(name = "run", description = "Run a schedule now and here, whenever it is due, enabled or not.")
public final class RunSchedule implements Callable<Integer> {

    private final Program program;

    @Parameters(index = "0", paramLabel = "SCHEDULE", description = "Its name.")
    private String name = "";

    @Mixin
    private final JsonOption json = new JsonOption();

    public RunSchedule(Program program) {
        this.program = program;
    }

    @Override
    public Integer call() {
        var schedule = ShowSchedule.find(program.schedules(), name);
        var firing = Firing.of(schedule, program.now());
        var app = program.ai().app();
        try (var session = new Firings(program.store()).open(schedule, firing)) {
            var request = app.prompt(
                    session.state().settings(), schedule.overrides(), List.of(new Part.Text(schedule.prompt())));
            var form = json.wanted() ? Conversation.Form.EVENTS : Conversation.Form.PROSE;
            return new Conversation(program, schedule.overrides(), form, true, true)
                    .run(session, request, firing.ticket(Map.of()))
                    .number();
        }
    }
}
