package dev.skein.cli.session;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `skein session migrate`, also `skein migrate sessions`
@Command(name = "migrate", description = "Bring in the sessions that other tools left in home. Their files stay.")
public final class MigrateSessions implements Runnable {

    private final Program program;

    @Mixin
    private final JsonOption json = new JsonOption();

    public MigrateSessions(Program program) {
        this.program = program;
    }

    /// What scripts get.
    private record Answer(List<Program.Migrated> migrated) {}

    @Override
    public void run() {
        var migrated = program.migrateAll();
        if (json.wanted()) {
            program.answer(new Answer(migrated));
            return;
        }
        var terminal = program.terminal();
        migrated.forEach(
                session -> terminal.line("migrated '" + terminal.stored(session.name()) + "' (" + session.id() + ")"));
        terminal.line(
                migrated.isEmpty()
                        ? "nothing to migrate"
                        : SessionSheet.count(migrated.size(), "session") + " migrated; the old files are still there");
    }
}
