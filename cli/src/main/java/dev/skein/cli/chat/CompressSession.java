package dev.skein.cli.chat;

import dev.skein.cancellation.Cancellation;
import dev.skein.cli.program.Program;
import dev.skein.cli.session.Names;
import dev.skein.engine.Overrides;
import dev.skein.live.Emitter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `skein session compress`
@Command(
        name = "compress",
        description = "Show the model the older part of a conversation as a summary. The originals stay.")
public final class CompressSession implements Runnable {

    private final Program program;

    @Parameters(paramLabel = "NAME", description = "A name, a UUID, or its first 6 or more digits.")
    private String name = "";

    @Option(
            names = "--remove",
            paramLabel = "ID",
            description = "Show the originals again that this summary stands for.")
    private @Nullable String remove;

    public CompressSession(Program program) {
        this.program = program;
    }

    @Override
    public void run() {
        var engine = program.ai().engine();
        try (var session = new Names(program).open(name)) {
            if (remove != null) {
                engine.removeSummary(session, remove);
                program.terminal().line("the model sees all of '" + name + "' again");
                return;
            }
            var context = new Conversation(program, Overrides.NONE, Conversation.Form.PROSE, false, true)
                    .context(session, new Cancellation());
            var compaction = program.ai()
                    .app()
                    .compaction(session.state().settings(), context.settings().model());
            program.terminal()
                    .line(engine.compress(context, compaction, Emitter.NONE)
                            .map(block -> "the model sees the older part of '" + name + "' as a summary; undo that with"
                                    + " --remove " + block.id())
                            .orElse("'" + name + "' is too short for a summary; nothing was changed"));
        }
    }
}
