package dev.skein.cli.store;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.Program;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `skein store`: the commands on stores.
@Command(name = "store", description = "Move sessions between stores.")
public final class StoreCommands implements Runnable {

    private StoreCommands() {}

    public static CommandLine with(Program program) {
        return new CommandLine(new StoreCommands()).addSubcommand(new CopyStore(program));
    }

    @Override
    public void run() {
        throw CommandFailure.usage("say what to do with stores; 'skein store --help' lists the commands");
    }
}
