package dev.skein.cli.session;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionSummary;
import java.util.function.Function;

/// Answers a command that changed one session: a sentence for a person, the session for a script.
final class Changed {

    private Changed() {}

    static void answer(
            Program program, JsonOption json, SessionHandle session, Function<SessionSummary, String> sentence) {
        var summary = SessionSummary.of(session.state());
        if (json.wanted()) {
            program.answer(summary);
        } else {
            program.terminal().line(program.terminal().stored(sentence.apply(summary)));
        }
    }
}
