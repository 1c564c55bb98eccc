package dev.skein.cli.session;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.session.SessionAlias;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `skein session rename`
@Command(name = "rename", description = "Give a session another name. Its id and its content stay.")
final class RenameSession implements Runnable {

    private final Program program;

    @Parameters(index = "0", paramLabel = "NAME", description = "A name, a UUID, or its first 6 or more digits.")
    private String name = "";

    @Parameters(index = "1", paramLabel = "NEW", description = "The new name.")
    private String newName = "";

    @Mixin
    private final JsonOption json = new JsonOption();

    RenameSession(Program program) {
        this.program = program;
    }

    @Override
    public void run() {
        var alias = new SessionAlias(newName);
        var found = new Names(program).find(name);
        program.store().rename(found.scope(), found.id(), alias);
        try (var session = program.store().open(found.scope(), found.id())) {
            Changed.answer(program, json, session, _ -> "'" + name + "' is now called '" + alias + "'");
        }
    }
}
