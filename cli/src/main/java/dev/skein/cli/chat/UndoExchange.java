package dev.skein.cli.chat;

import dev.skein.cli.program.Program;
import dev.skein.cli.session.Names;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `skein session undo`
@Command(
        name = "undo",
        description = "Take the last exchange back: the conversation goes on from before it. Nothing is deleted.")
public final class UndoExchange implements Runnable {

    private final Program program;

    @Parameters(paramLabel = "NAME", description = "A name, a UUID, or its first 6 or more digits.")
    private String name = "";

    public UndoExchange(Program program) {
        this.program = program;
    }

    @Override
    public void run() {
        try (var session = new Names(program).open(name)) {
            program.ai().engine().undo(session);
            program.terminal()
                    .line("took the last exchange of '" + name + "' back; 'skein session tree' still shows it");
        }
    }
}
