package dev.skein.cli.session;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.Program;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `skein session`: the commands on sessions.
@Command(name = "session", description = "List, show, search, change and export sessions.")
public final class SessionCommands implements Runnable {

    private SessionCommands() {}

    public static CommandLine with(Program program) {
        return new CommandLine(new SessionCommands())
                .addSubcommand(new ListSessions(program))
                .addSubcommand(new ShowSession(program))
                .addSubcommand(new ShowTree(program))
                .addSubcommand(new SearchMessages(program))
                .addSubcommand(new RenameSession(program))
                .addSubcommand(new DescribeSession(program))
                .addSubcommand(new ForkSession(program))
                .addSubcommand(new ExportSession(program))
                .addSubcommand(new DeleteSessions(program))
                .addSubcommand(new PurgeSessions(program))
                .addSubcommand(new RestoreSession(program))
                .addSubcommand(new MigrateSessions(program));
    }

    @Override
    public void run() {
        throw CommandFailure.usage("say what to do with sessions; 'skein session --help' lists the commands");
    }
}
