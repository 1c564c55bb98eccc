package dev.skein.cli.keys;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.Program;
import dev.skein.server.auth.Door;
import dev.skein.server.auth.KeyFile;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `skein keys`: the commands on keys.
@Command(name = "keys", description = "Make, list and revoke keys for the server.")
public final class KeyCommands implements Runnable {

    private KeyCommands() {}

    public static CommandLine with(Program program) {
        return new CommandLine(new KeyCommands())
                .addSubcommand(new CreateKey(program))
                .addSubcommand(new ListKeys(program))
                .addSubcommand(new RevokeKey(program));
    }

    static KeyFile file(Program program) {
        return new KeyFile(Door.Places.in(program.home()).keys());
    }

    @Override
    public void run() {
        throw CommandFailure.usage("say what to do with keys; 'skein keys --help' lists the commands");
    }
}
