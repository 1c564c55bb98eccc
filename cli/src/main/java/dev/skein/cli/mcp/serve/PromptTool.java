package dev.skein.cli.mcp.serve;

import dev.skein.cancellation.Cancellation;
import dev.skein.cli.program.Ai;
import dev.skein.cli.program.Program;
import dev.skein.cli.session.Names;
import dev.skein.engine.Approvals;
import dev.skein.engine.Overrides;
import dev.skein.engine.RunOptions;
import dev.skein.engine.RunRequest;
import dev.skein.engine.Steering;
import dev.skein.live.RunOutcome;
import dev.skein.message.Part;
import dev.skein.message.Usage;
import dev.skein.model.ModelName;
import dev.skein.session.LoopStatus;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionId;
import dev.skein.session.SessionSettings;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolSpec;
import dev.skein.tools.call.Arguments;
import dev.skein.tools.call.Refused;
import dev.skein.tools.call.Schema;
import dev.skein.tools.mcp.server.ServedTool;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Has the engine answer a client's prompt in a session. Nobody can be asked here, least of all the client's own model:
/// a call that needs a yes waits in the session.
record PromptTool(Program program, Ai ai) {

    /// How a run came to rest.
    ///
    /// @param waiting the tool calls that need a person's yes
    private record Prompted(
            SessionId session,
            @Nullable String name,
            LoopStatus status,
            String answer,
            @Nullable String reason,
            List<Approvals.Waiting> waiting,
            @Nullable String next,
            Usage usage) {}

    ServedTool tool() {
        var schema = Schema.requiring()
                .text("prompt", "What to say. Left out, the session goes on where it was interrupted.")
                .text("session", "A name (made if it is not there) or a UUID. Left out, a new session is made.")
                .text("model", "provider:model, if it is not to be the session's own.")
                .text("role", "The name of a role, for this prompt.");
        var spec = new ToolSpec(
                "prompt_session",
                "Says something in a session and returns the answer of its agent, which may use tools of its own.",
                schema.json(),
                ToolSpec.Repeat.UNSAFE,
                ToolSpec.Effect.ACTS);
        return new ServedTool(spec, SessionTools.worded(this::prompt));
    }

    private ToolOutcome prompt(Arguments arguments, Consumer<String> progress, Cancellation cancellation) {
        var said = arguments.optionalText("prompt").filter(text -> !text.isBlank());
        var name = arguments.optionalText("session").filter(text -> !text.isBlank());
        if (said.isEmpty() && name.isEmpty()) {
            throw new Refused("there is nothing to say; give a 'prompt', or the 'session' that is to go on");
        }
        var overrides = Overrides.NONE
                .withModel(arguments.optionalText("model").map(ModelName::parse).orElse(null))
                .withRole(arguments.optionalText("role").orElse(null));
        // A prompt that cannot be answered leaves no session behind.
        var _ = ai.app().modelName(program.scope().agent(), SessionSettings.NONE, overrides);
        try (var session = open(name, said.isEmpty())) {
            return run(session, said, overrides, progress, cancellation);
        }
    }

    private SessionHandle open(Optional<String> name, boolean mustBeThere) {
        if (name.isEmpty()) {
            return program.store().create(fresh());
        }
        return mustBeThere || SessionId.parse(name.get()).isPresent()
                ? new Names(program).open(name.get())
                : program.store().openOrCreate(fresh().named(new SessionAlias(name.get())));
    }

    private NewSession fresh() {
        return NewSession.in(program.scope())
                .withEvents(List.of(new SessionEvent.SessionConfigured(program.now(), SessionSettings.NONE)));
    }

    private ToolOutcome run(
            SessionHandle session,
            Optional<String> said,
            Overrides overrides,
            Consumer<String> progress,
            Cancellation cancellation) {
        var request = said.<RunRequest>map(
                        text -> ai.app().prompt(session.state().settings(), overrides, List.of(new Part.Text(text))))
                .orElseGet(RunRequest.Continue::new);
        var options = RunOptions.cli().withDeltas(true);
        var context = ai.app().context(ai.ids().request(), session, overrides, options, new Steering(), cancellation);
        var outcome = ai.engine().run(context, request, new ProgressEmitter(progress));
        return SessionTools.answered(told(session, outcome));
    }

    private static Prompted told(SessionHandle session, RunOutcome outcome) {
        var alias = session.state().alias();
        var name = alias == null ? null : alias.text();
        var waits = outcome.status() == LoopStatus.WAITING;
        return new Prompted(
                session.id(),
                name,
                outcome.status(),
                outcome.text(),
                outcome.reason(),
                waits ? Approvals.waiting(session) : List.of(),
                waits
                        ? "a person decides with: skein session approve "
                                + (name == null ? session.id().toString() : name)
                        : null,
                outcome.usage());
    }
}
