package dev.skein.cli.chat;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.ExitCode;
import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.cli.session.Names;
import dev.skein.engine.Approvals;
import dev.skein.engine.Overrides;
import dev.skein.engine.RunRequest;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `skein session approve`
@Command(
        name = "approve",
        description = "Say yes (or no) to the tool calls that wait in a session, and let the run go on.")
public final class ApproveCalls implements Callable<Integer> {

    private static final String BY = "the command line";

    private final Program program;

    @Parameters(index = "0", paramLabel = "NAME", description = "A name, a UUID, or its first 6 or more digits.")
    private String name = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "CALL", description = "Only this call (default: all).")
    private @Nullable String call;

    @Option(names = "--deny", description = "Say no instead.")
    private boolean deny;

    @Option(
            names = "--answer",
            paramLabel = "TEXT",
            description = "The answer to a question, or what the model is told beside a no.")
    private @Nullable String answer;

    @Option(names = "--no-run", description = "Only decide; 'skein -s NAME' without a prompt lets the run go on.")
    private boolean noRun;

    @Mixin
    private final JsonOption json = new JsonOption();

    public ApproveCalls(Program program) {
        this.program = program;
    }

    @Override
    public Integer call() {
        try (var session = new Names(program).open(name)) {
            var waiting = Approvals.waiting(session);
            for (var decided : chosen(waiting)) {
                program.ai().engine().decide(session, decided.call(), !deny, BY, note());
            }
            if (noRun || Approvals.waiting(session).size() > 0) {
                return ExitCode.OK.number();
            }
            return new Conversation(program, Overrides.NONE, form(), true, true)
                    .run(session, new RunRequest.Continue())
                    .number();
        }
    }

    private Conversation.Form form() {
        return json.wanted() ? Conversation.Form.EVENTS : Conversation.Form.PROSE;
    }

    private @Nullable String note() {
        return answer == null ? null : program.ai().app().settings().redaction().redactKnown(answer);
    }

    private List<Approvals.Waiting> chosen(List<Approvals.Waiting> waiting) {
        if (waiting.isEmpty()) {
            throw CommandFailure.usage("no tool call waits in '" + name + "'");
        }
        if (call == null) {
            return waiting;
        }
        var one = waiting.stream()
                .filter(candidate -> candidate.call().text().equals(call))
                .toList();
        if (one.isEmpty()) {
            throw CommandFailure.usage("no tool call '" + call + "' waits in '" + name + "'; there are "
                    + waiting.stream().map(candidate -> candidate.call().text()).toList());
        }
        return one;
    }
}
