package dev.skein.cli.schedule;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.cli.settings.ScheduleFiles;
import dev.skein.engine.schedule.Cron;
import dev.skein.engine.schedule.Firings;
import dev.skein.engine.schedule.ScheduleReport;
import dev.skein.model.ModelName;
import dev.skein.wire.Json;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `skein schedule add`
@Command(name = "add", description = "Add a schedule: a prompt, and when and where it is said.")
final class AddSchedule implements Runnable {

    private final Program program;

    @Parameters(index = "0", paramLabel = "SCHEDULE", description = "Its name.")
    private String name = "";

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "PROMPT", description = "What is said.")
    private List<String> words = List.of();

    @Option(
            names = "--cron",
            paramLabel = "EXPRESSION",
            description = "When, again and again: five fields such as '0 9 * * MON-FRI', or @daily.")
    private @Nullable String cron;

    @Option(names = "--at", paramLabel = "TIME", description = "When, once: for example 2026-12-24T18:00.")
    private @Nullable String at;

    @Option(names = "--zone", paramLabel = "ZONE", description = "By whose clocks (default: this machine's).")
    private @Nullable String zone;

    @Option(
            names = "--session",
            paramLabel = "SESSION",
            description = "Where it is said; made if need be (default: a session called like the schedule).")
    private @Nullable String session;

    @Option(names = "--new-session", description = "Say it in a new session each time.")
    private boolean newSession;

    @Option(
            names = {"-r", "--role"},
            paramLabel = "ROLE",
            description = "Answer in this role.")
    private @Nullable String role;

    @Option(
            names = {"-m", "--model"},
            paramLabel = "MODEL",
            description = "Use this model.")
    private @Nullable String model;

    @Option(
            names = "--make-up",
            paramLabel = "TIME",
            description = "How long a run that was missed may still be made up, or 0 (default: 1h).")
    private @Nullable String makeUp;

    @Mixin
    private final JsonOption json = new JsonOption();

    AddSchedule(Program program) {
        this.program = program;
    }

    @Override
    public void run() {
        var files = program.schedules();
        var file = files.file(name);
        if (files.names().contains(name)) {
            throw CommandFailure.usage("there is a schedule '" + name + "' already; edit "
                    + program.terminal().stored(file.toString()) + ", or 'skein schedule remove' it first");
        }
        files.write(name, text());
        var schedule = ShowSchedule.find(files, name);
        var report = ScheduleReport.of(schedule, new Firings(program.store()), program.now());
        if (json.wanted()) {
            program.answer(report);
            return;
        }
        var terminal = program.terminal();
        terminal.line(terminal.stored("added '" + name + "'; it is due next at "
                + new ScheduleSheet(program, report).next() + ", while 'skein serve' runs"));
    }

    /// What would be wrong with the file is told before it is there.
    private String text() {
        var clock = zone == null ? program.zone() : ScheduleFiles.zone(zone);
        if ((cron == null) == (at == null)) {
            throw CommandFailure.usage("say when: either --cron EXPRESSION or --at TIME");
        }
        if (newSession && session != null) {
            throw CommandFailure.usage("--session and --new-session exclude each other; leave one out");
        }
        var lines = new ArrayList<String>();
        if (cron != null) {
            add(lines, "cron", Cron.parse(cron).text());
        } else {
            var moment = ScheduleFiles.moment(at, clock);
            if (!moment.isAfter(program.now())) {
                throw CommandFailure.usage("--at " + at + " is past (" + clock + "); name a time to come");
            }
            add(lines, "at", at);
        }
        add(lines, "zone", clock.getId());
        add(lines, "prompt", String.join(" ", words));
        addPlace(lines);
        addWho(lines);
        if (makeUp != null) {
            var _ = ScheduleFiles.span(makeUp);
            add(lines, "make_up", makeUp);
        }
        return String.join("\n", lines) + "\n";
    }

    private void addPlace(List<String> lines) {
        if (newSession) {
            lines.add("new_session: true");
            return;
        }
        var _ = ScheduleFiles.place(session == null ? name : session);
        if (session != null) {
            add(lines, "session", session);
        }
    }

    /// A name that nobody has would be found out only when the schedule is due.
    private void addWho(List<String> lines) {
        var agent = program.options().agent();
        agent.ifPresent(asked ->
                add(lines, "agent", known("agent", asked, program.agents().names())));
        if (role != null) {
            add(lines, "role", known("role", role, program.roles().names()));
        }
        if (model != null) {
            add(lines, "model", ModelName.parse(model).toString());
        }
    }

    private static String known(String what, String asked, List<String> names) {
        if (!names.contains(asked)) {
            throw CommandFailure.usage("there is no " + what + " '" + asked + "'; "
                    + (names.isEmpty() ? "there are none yet" : "there are " + String.join(", ", names)));
        }
        return asked;
    }

    /// A text in JSON is one in YAML too.
    private static void add(List<String> lines, String key, String value) {
        lines.add(key + ": " + Json.MAPPER.writeValueAsString(value));
    }
}
