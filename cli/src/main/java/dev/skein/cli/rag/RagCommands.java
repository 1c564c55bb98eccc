package dev.skein.cli.rag;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.Program;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/// `skein rag`: the commands on collections of documents.
@Command(name = "rag", description = "Make collections of documents that answers can come from, and search them.")
public final class RagCommands implements Runnable {

    private RagCommands() {}

    public static CommandLine with(Program program) {
        return new CommandLine(new RagCommands())
                .addSubcommand(new CreateRag(program))
                .addSubcommand(new AddSources(program))
                .addSubcommand(new RebuildRag(program))
                .addSubcommand(new ListSources(program))
                .addSubcommand(new SearchRag(program))
                .addSubcommand(new ListRags(program))
                .addSubcommand(new DeleteRag(program));
    }

    @Override
    public void run() {
        throw CommandFailure.usage("say what to do with documents; 'skein rag --help' lists the commands");
    }
}
