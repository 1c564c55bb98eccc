package dev.skein.cli.session;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
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

    @Override
    public void run() {
        var migration = program.migrateAll();
        if (json.wanted()) {
            program.answer(migration);
            return;
        }
        var terminal = program.terminal();
        for (var session : migration.migrated()) {
            var name = session.alias() == null ? "" : " as '" + terminal.stored(session.alias()) + "'";
            terminal.line("migrated " + terminal.stored(session.source()) + name + " (" + session.id() + ")");
        }
        var count = migration.migrated().size();
        terminal.line(
                count == 0
                        ? "nothing to migrate"
                        : SessionSheet.count(count, "session") + " migrated; the old files are still there");
        migration.problems().forEach(problem -> terminal.note("warning: " + terminal.stored(problem)));
    }
}
