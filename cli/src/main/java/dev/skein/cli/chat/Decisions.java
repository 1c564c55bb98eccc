package dev.skein.cli.chat;

import dev.skein.cli.program.Program;
import dev.skein.engine.Approvals;
import dev.skein.engine.RequestContext;
import dev.skein.tool.Question;
import dev.skein.tool.ToolOutcome.Waits.Ask;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Asks the person at the terminal about the calls that wait.
///
/// @param always hears the name of a tool that needs no yes from now on; null if that cannot be said
public record Decisions(
        Program program,
        RequestContext context,
        OwnWork work,
        @Nullable Consumer<String> always) {

    private static final String BY = "the terminal";

    public void decideAll() {
        Approvals.waiting(context.session()).forEach(this::decide);
    }

    private void decide(Approvals.Waiting waiting) {
        // A sub-agent may ask with a tool that its root does not have.
        var isQuestion = Stream.concat(context.settings().tools().stream(), program.ai().app().tools().stream())
                        .anyMatch(tool -> tool.spec().name().equals(waiting.name()) && tool instanceof Question)
                || isAskedInTheMiddle(waiting);
        if (isQuestion) {
            if (isAskedInTheMiddle(waiting) && waiting.reason() != null) {
                program.terminal().note(program.terminal().storedBlock(waiting.reason()));
            }
            var answer = context.settings()
                    .redaction()
                    .redactKnown(program.terminal().asks(question(waiting)));
            decided(waiting, !answer.isBlank(), answer.isBlank() ? null : answer);
            return;
        }
        if (waiting.reason() != null) {
            program.terminal().note(program.terminal().storedBlock(waiting.reason()));
        }
        var asked = "run " + waiting.name() + " " + waiting.args() + "?";
        var yes = isApproved(program.terminal().stored(asked), waiting.name());
        decided(waiting, yes, null);
    }

    private void decided(Approvals.Waiting waiting, boolean approved, @Nullable String note) {
        if (!work.decide(context.session(), waiting.call(), approved, BY, note)) {
            program.terminal().note(program.terminal().stored(waiting.name() + " was answered elsewhere meanwhile"));
        }
    }

    /// A server that wants to know something while it is being called.
    private static boolean isAskedInTheMiddle(Approvals.Waiting waiting) {
        return Ask.asker(waiting.call()).isPresent() && waiting.args().has("question");
    }

    private boolean isApproved(String asked, String tool) {
        if (always == null) {
            return program.terminal().confirms(asked);
        }
        return switch (program.terminal().asksLetter(asked + " [y/N/a = always " + tool + "]")) {
            case 'y' -> true;
            case 'a' -> {
                always.accept(tool);
                yield true;
            }
            default -> false;
        };
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
