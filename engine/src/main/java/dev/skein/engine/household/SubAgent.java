package dev.skein.engine.household;

import dev.skein.cancellation.Cancellation;
import dev.skein.engine.Engine;
import dev.skein.engine.RequestContext;
import dev.skein.engine.RunOptions;
import dev.skein.engine.RunOptions.Asking;
import dev.skein.engine.RunRequest;
import dev.skein.engine.RunSettings;
import dev.skein.engine.Steering;
import dev.skein.failure.LimitReached;
import dev.skein.failure.ModelFailed;
import dev.skein.failure.SessionNotFound;
import dev.skein.live.Emitter;
import dev.skein.live.LiveEvent;
import dev.skein.live.RunOutcome;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.session.ChildLoopRef;
import dev.skein.session.Ids;
import dev.skein.session.LoopStatus;
import dev.skein.session.Scope;
import dev.skein.session.SpawnRef;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionStore;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolRequest;
import dev.skein.tool.ToolSpec;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;

/// A tool that has another agent do the work, in a session of its own.
///
/// The link is durable on the calling side before the session exists, so a call that is tried again after a crash finds
/// the sub-agent it had, and takes that further instead of starting another: to repeat the call is safe. Nobody can be
/// asked for a yes there; calls that need one are denied.
public record SubAgent(
        Engine engine, SessionStore store, Ids ids, Scope scope, String name, String purpose, RunSettings settings)
        implements Tool {

    private static final String TASK = "task";

    @Override
    public ToolSpec spec() {
        var parameters = JsonNodeFactory.instance.objectNode().put("type", "object");
        parameters
                .putObject("properties")
                .putObject(TASK)
                .put("type", "string")
                .put("description", "What to do, with everything needed to do it.");
        parameters.putArray("required").add(TASK);
        return new ToolSpec(name, purpose, parameters, ToolSpec.Repeat.SAFE, ToolSpec.Effect.READS);
    }

    @Override
    public ToolOutcome run(ToolRequest request, Cancellation cancellation) {
        var task = request.call().arguments().path(TASK).asString("");
        if (task.isBlank()) {
            return new ToolOutcome.Failed("'" + TASK + "' is missing: say what is to be done");
        }
        var link = request.child().started().orElseGet(() -> announced(request));
        try (var session = session(request, link)) {
            return work(session, request, link, task, cancellation);
        }
    }

    private ChildLoopRef announced(ToolRequest request) {
        var call = request.call();
        var link = new ChildLoopRef(call.id().text(), call.name(), ids.loop(), ids.session());
        request.child().start(link);
        return link;
    }

    private SessionHandle session(ToolRequest request, ChildLoopRef link) {
        try {
            return store.open(scope, link.session());
        } catch (SessionNotFound _) {
            return store.create(NewSession.in(scope)
                    .withId(link.session())
                    .spawnedBy(new SpawnRef(request.session(), request.loop(), link.toolCall(), link.tool())));
        }
    }

    private ToolOutcome work(
            SessionHandle session, ToolRequest request, ChildLoopRef link, String task, Cancellation cancellation) {
        var context = new RequestContext(
                link.toolCall(),
                session,
                settings,
                RunOptions.library().withAsking(Asking.DENY),
                new Steering(),
                cancellation);
        var head = session.state().head();
        if (head != null && session.state().lastStatus() == LoopStatus.COMPLETED) {
            return answered(lastWords(session), link);
        }
        try {
            var asked = head == null
                    ? new RunRequest.Task(link.loop(), List.of(new Part.Text(task)))
                    : new RunRequest.Continue();
            return outcome(engine.run(context, asked, progress(request)), link);
        } catch (ModelFailed | LimitReached e) {
            return new ToolOutcome.Failed(name + " did not finish: " + e.getMessage());
        }
    }

    private ToolOutcome outcome(RunOutcome outcome, ChildLoopRef link) {
        return outcome.status() == LoopStatus.COMPLETED
                ? answered(outcome.text(), link)
                : new ToolOutcome.Failed(name + " did not finish: " + outcome.reason());
    }

    private static ToolOutcome answered(String text, ChildLoopRef link) {
        return new ToolOutcome.Answered(List.of(new Part.Text(text)), null, link);
    }

    private static String lastWords(SessionHandle session) {
        return session.context(1).messages().stream()
                .filter(message -> message.role() == Role.ASSISTANT)
                .map(Message::text)
                .findFirst()
                .orElse("");
    }

    private static Emitter progress(ToolRequest request) {
        return event -> {
            if (event.body() instanceof LiveEvent.ToolCall(var call)) {
                request.progress().accept("uses " + call.name());
            }
        };
    }
}
