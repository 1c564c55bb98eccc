package dev.skein.cli.session;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.session.LoopList;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `skein session tree`
@Command(name = "tree", description = "Draw the loops of a session, with branches, reruns and sub-agents.")
final class ShowTree implements Runnable {

    private final Program program;

    @Parameters(paramLabel = "NAME", description = "A name, a UUID, or its first 6 or more digits.")
    private String name = "";

    @Mixin
    private final JsonOption json = new JsonOption();

    ShowTree(Program program) {
        this.program = program;
    }

    @Override
    public void run() {
        try (var handle = new Names(program).open(name)) {
            var session = handle.load();
            if (json.wanted()) {
                program.answer(LoopList.of(session));
            } else {
                new LoopTree(program, session).print();
            }
        }
    }
}
