package dev.skein.engine.household;

import dev.skein.cancellation.Cancellation;
import dev.skein.engine.Approvals;
import dev.skein.engine.Companions.Heard;
import dev.skein.engine.Overrides;
import dev.skein.engine.RunOptions;
import dev.skein.engine.RunRequest;
import dev.skein.engine.Steering;
import dev.skein.failure.InvalidRequest;
import dev.skein.failure.SkeinException;
import dev.skein.live.Emitter;
import dev.skein.live.LiveEvent;
import dev.skein.live.RunOutcome;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.ToolCallId;
import dev.skein.session.ChildLoopRef;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopRecord;
import dev.skein.session.LoopStatus;
import dev.skein.session.OwnNames;
import dev.skein.session.SessionId;
import dev.skein.session.Trigger;
import dev.skein.store.SessionHandle;
import dev.skein.tool.ToolOutcome.Waits.Ask;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import tools.jackson.databind.node.JsonNodeFactory;

/// One sub-agent at work, from the task that is open to its end. Used by one thread; what it hears and what stops it
/// may come from others.
final class Worker {

    /// Marks a message, in its metadata, with the call that told it.
    private static final String TOLD_BY = OwnNames.TOLD_BY;

    private static final int REMEMBERED = 1_000;
    private static final String STOPPED = "it was stopped";
    private static final String MORE = "There is more to say.";
    private static final int MARK_LENGTH = 8;

    private final Family family;
    private final ChildLoopRef link;
    private final String agent;
    private final String task;
    private final SessionHandle session;
    private final Map<ToolCallId, LoopEvent.ApprovalGiven> decided;
    private final Consumer<String> notes;
    private final Steering steering = new Steering();
    /// The calls whose message it heard or is about to hear.
    private final Set<String> tellers;

    final Cancellation cancellation = new Cancellation();

    Worker(
            Family family,
            ChildLoopRef link,
            String task,
            SessionHandle session,
            Map<ToolCallId, LoopEvent.ApprovalGiven> decided,
            Consumer<String> notes) {
        this.family = family;
        this.link = link;
        this.agent = session.scope().agentName().orElse(link.tool());
        this.task = task;
        this.session = session;
        this.decided = decided;
        this.notes = notes;
        this.tellers = tellers(session);
    }

    /// Where the work stands.
    sealed interface Standing {
        record Queued() implements Standing {}

        record Running() implements Standing {}

        /// A person has to decide first.
        record Waiting(List<Ask> asks) implements Standing {}

        record Done(String answer) implements Standing {}

        record Failed(String reason) implements Standing {}

        default boolean isOver() {
            return this instanceof Done || this instanceof Failed;
        }

        default boolean isBusy() {
            return this instanceof Queued || this instanceof Running;
        }
    }

    ChildLoopRef link() {
        return link;
    }

    SessionId id() {
        return link.session();
    }

    String agent() {
        return agent;
    }

    /// Lets it hear something before it goes on; once, however often the same call tells it.
    void tell(Part.ToolCall call) {
        var id = call.id().text();
        if (tellers.add(id)) {
            var text = call.arguments().path(AgentTools.TEXT).asString("");
            steering.steer(
                    new Heard(List.of(new Part.Text(text)), Map.of(TOLD_BY, JsonNodeFactory.instance.stringNode(id))));
        }
    }

    private static Set<String> tellers(SessionHandle session) {
        var tellers = ConcurrentHashMap.<String>newKeySet();
        for (var message : session.context(REMEMBERED).messages()) {
            var by = message.metadata().get(TOLD_BY);
            if (by != null) {
                tellers.add(by.asString(""));
            }
        }
        return tellers;
    }

    /// Works until there is an end, or a person is needed.
    Standing work() {
        try {
            var standing = step();
            while (standing instanceof Standing.Done && !steering.unheard().isEmpty()) {
                // It was told something when it had just finished, and hears it before it is asked.
                standing = standing(run(new RunRequest.Prompt(List.of(new Part.Text(MORE)))));
            }
            return standing;
        } catch (SkeinException e) {
            return new Standing.Failed(String.valueOf(e.getMessage()));
        }
    }

    /// How it came to its end, long ago.
    Standing end() {
        return session.state().lastStatus() == LoopStatus.COMPLETED
                ? new Standing.Done(lastWords())
                : new Standing.Failed(STOPPED);
    }

    private Standing step() {
        var reached = reached();
        if (reached.isEmpty()) {
            return standing(run(new RunRequest.Task(link.loop(), List.of(new Part.Text(task)))));
        }
        if (!reached.get().pointer().equals(session.state().head())) {
            return end(reached.get());
        }
        if (session.state().lastStatus() == LoopStatus.COMPLETED) {
            return new Standing.Done(lastWords());
        }
        decide();
        // A loop that waits for its own sub-agents may find that they have something to do.
        return standing(run(new RunRequest.Continue()));
    }

    /// The last loop of this task, whoever took it further; empty if it has not begun.
    private Optional<LoopRecord> reached() {
        LoopRecord last = null;
        for (var next = session.state().head(); next != null; ) {
            var loop = session.loop(next).orElse(null);
            if (loop == null) {
                break;
            }
            last = last == null ? loop : last;
            if (loop.id().equals(link.loop())) {
                return Optional.of(last);
            }
            // Here began a later task; what was before it belongs to an earlier one.
            last = loop.trigger() == Trigger.SUB_AGENT ? null : last;
            next = loop.parentPointer();
        }
        return Optional.empty();
    }

    /// How a task ended that a later one has come after.
    private static Standing end(LoopRecord last) {
        return last.status() == LoopStatus.COMPLETED
                ? new Standing.Done(words(last.messages().reversed()))
                : new Standing.Failed(STOPPED);
    }

    /// Hands down what a person decided above.
    private void decide() {
        for (var waiting : Approvals.waiting(session)) {
            var given = decided.get(marked(waiting.call()));
            if (given != null) {
                try {
                    family.engine().decide(session, waiting.call(), given.approved(), given.by(), given.note());
                } catch (InvalidRequest _) {
                    // Somebody was quicker.
                }
            }
        }
    }

    private List<Ask> asks() {
        return Approvals.waiting(session).stream()
                .map(waiting -> new Ask(
                        marked(waiting.call()),
                        waiting.name(),
                        waiting.args(),
                        "the sub-agent '" + agent + "' asks"
                                + (waiting.reason() == null ? "" : ": " + waiting.reason())))
                .toList();
    }

    /// Calls of different sub-agents may have the same id.
    private ToolCallId marked(ToolCallId call) {
        var id = id().toString();
        return new ToolCallId(id.substring(id.length() - MARK_LENGTH) + ":" + call.text());
    }

    private RunOutcome run(RunRequest request) {
        var context = family.app()
                .context(
                        link.toolCall(),
                        session,
                        Overrides.NONE,
                        RunOptions.library().withDeltas(false).withAsking(family.asking()),
                        steering,
                        cancellation);
        return family.engine().run(context, request, emitter());
    }

    private Standing standing(RunOutcome outcome) {
        return switch (outcome.status()) {
            case COMPLETED -> new Standing.Done(outcome.text());
            case WAITING -> new Standing.Waiting(asks());
            default -> new Standing.Failed(Optional.ofNullable(outcome.reason()).orElse("it stopped"));
        };
    }

    /// What it said last.
    String lastWords() {
        return words(session.context(1).messages());
    }

    private static String words(List<Message> messages) {
        return messages.stream()
                .filter(message -> message.role() == Role.ASSISTANT)
                .map(Message::text)
                .findFirst()
                .orElse("");
    }

    private Emitter emitter() {
        return event -> {
            if (event.body() instanceof LiveEvent.ToolCall(var call)) {
                notes.accept(agent + " uses " + call.name());
            } else if (event.body() instanceof LiveEvent.Noted(var text)) {
                notes.accept(agent + ": " + text);
            }
        };
    }

    void close() {
        session.close();
    }
}
