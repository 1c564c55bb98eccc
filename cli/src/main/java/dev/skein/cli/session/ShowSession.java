package dev.skein.cli.session;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.message.Message;
import dev.skein.store.SessionSummary;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `skein session show`
@Command(name = "show", description = "Show a session: what it is, and what was said last.")
final class ShowSession implements Runnable {

    private static final int MESSAGES_DEFAULT = 10;

    private final Program program;

    @Parameters(paramLabel = "NAME", description = "A name, a UUID, or its first 6 or more digits.")
    private String name = "";

    @Option(names = "--messages", paramLabel = "N", description = "The last N messages (default: 10; in JSON none).")
    private @Nullable Integer messages;

    @Mixin
    private final JsonOption json = new JsonOption();

    ShowSession(Program program) {
        this.program = program;
    }

    /// The session object, with messages beside its other fields when they were asked for.
    private record Shown(
            @JsonUnwrapped SessionSummary session, @Nullable List<Message> messages) {}

    @Override
    public void run() {
        if (messages != null && messages < 0) {
            throw CommandFailure.usage("--messages must not be negative; 0 shows none");
        }
        try (var session = new Names(program).open(name)) {
            var state = session.state();
            var wanted = messages != null ? messages : json.wanted() ? 0 : MESSAGES_DEFAULT;
            var said =
                    wanted == 0 ? List.<Message>of() : session.context(wanted).messages();
            if (json.wanted()) {
                program.answer(new Shown(SessionSummary.of(state), messages == null ? null : said));
            } else {
                new SessionSheet(program, state).print(said);
            }
        }
    }
}
