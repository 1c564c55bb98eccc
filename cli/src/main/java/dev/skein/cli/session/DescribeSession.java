package dev.skein.cli.session;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.session.SessionEvent;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `skein session describe`
@Command(name = "describe", description = "Say in your words what a session is about. An empty text takes it back.")
final class DescribeSession implements Runnable {

    private final Program program;

    @Parameters(index = "0", paramLabel = "NAME", description = "A name, a UUID, or its first 6 or more digits.")
    private String name = "";

    @Parameters(index = "1", paramLabel = "TEXT", description = "What it is about.")
    private String text = "";

    @Mixin
    private final JsonOption json = new JsonOption();

    DescribeSession(Program program) {
        this.program = program;
    }

    @Override
    public void run() {
        try (var session = new Names(program).open(name)) {
            session.append(List.of(new SessionEvent.SessionDescribed(program.now(), text.strip())));
            Changed.answer(
                    program,
                    json,
                    session,
                    summary -> summary.description() == null
                            ? "'" + name + "' has no description now"
                            : "'" + name + "' is about: " + summary.description());
        }
    }
}
