package dev.skein.cli.chat;

import dev.skein.cli.program.Program;
import dev.skein.engine.Approvals;
import dev.skein.engine.RequestContext;
import dev.skein.tool.Question;

/// Asks the person at the terminal about the calls that wait.
record Decisions(Program program, RequestContext context) {

    private static final String BY = "the terminal";

    void decideAll() {
        Approvals.waiting(context.session()).forEach(this::decide);
    }

    private void decide(Approvals.Waiting waiting) {
        var isQuestion = context.settings().tools().stream()
                .anyMatch(tool -> tool.spec().name().equals(waiting.name()) && tool instanceof Question);
        var engine = program.ai().engine();
        if (isQuestion) {
            var answer = context.settings()
                    .redaction()
                    .redactKnown(program.terminal().asks(question(waiting)));
            engine.decide(context.session(), waiting.call(), !answer.isBlank(), BY, answer.isBlank() ? null : answer);
            return;
        }
        var asked = "run " + waiting.name() + " " + waiting.args() + "?";
        var yes = program.terminal().confirms(program.terminal().stored(asked));
        engine.decide(context.session(), waiting.call(), yes, BY, null);
    }

    private String question(Approvals.Waiting waiting) {
        var text = new StringBuilder(waiting.args().path("question").asString(waiting.name() + "?"));
        var number = 1;
        for (var option : waiting.args().path("options")) {
            text.append("\n  ").append(number++).append(". ").append(option.asString(""));
        }
        return program.terminal().storedBlock(text.toString());
    }
}
