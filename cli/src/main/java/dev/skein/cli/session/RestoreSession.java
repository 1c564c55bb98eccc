package dev.skein.cli.session;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.session.SessionId;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `skein session restore`
@Command(name = "restore", description = "Bring a purged session back from the trash.")
final class RestoreSession implements Runnable {

    private final Program program;

    @Parameters(paramLabel = "UUID", description = "The id that 'purge' told.")
    private String uuid = "";

    @Mixin
    private final JsonOption json = new JsonOption();

    RestoreSession(Program program) {
        this.program = program;
    }

    @Override
    public void run() {
        var id = SessionId.parse(uuid)
                .orElseThrow(() -> CommandFailure.usage(
                        "'" + uuid + "' is not a session id; give the whole UUID that 'skein session purge' told"));
        program.store().restore(program.scope(), id);
        try (var session = program.store().open(program.scope(), id)) {
            Changed.answer(program, json, session, summary -> "restored '" + Names.label(summary) + "' (" + id + ")");
        }
    }
}
