package dev.skein.engine;

import dev.skein.engine.retrieval.Grounding;
import dev.skein.failure.InvalidRequest;
import dev.skein.live.RunOutcome;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.redaction.Redaction;
import dev.skein.session.Continuation;
import dev.skein.session.Ids;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopId;
import dev.skein.session.LoopPointer;
import dev.skein.session.LoopRecord;
import dev.skein.session.LoopStatus;
import dev.skein.session.OutputShape;
import dev.skein.session.SessionState;
import dev.skein.session.Trigger;
import dev.skein.store.SessionHandle;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// The loop that a request asks for: where it begins, how it continues, and what is said first in it.
///
/// @param given the loop's id, if somebody has announced it already
/// @param said empty if nothing is said, because an earlier loop is taken further
/// @param pending the calls of that earlier loop that have no answer yet
/// @param shape what the answer of an earlier loop had to look like, if this one is to give it
record Next(
        @Nullable LoopId given,
        @Nullable LoopPointer parent,
        Continuation.Kind kind,
        Trigger trigger,
        List<Part> said,
        PendingCalls pending,
        @Nullable OutputShape shape) {

    /// A loop that answers for no other.
    Next(
            @Nullable LoopId given,
            @Nullable LoopPointer parent,
            Continuation.Kind kind,
            Trigger trigger,
            List<Part> said,
            PendingCalls pending) {
        this(given, parent, kind, trigger, said, pending, null);
    }

    /// @throws InvalidRequest if the session is not in a state for this; says what would be
    static Next of(RunRequest request, SessionHandle session, SessionState state) {
        return switch (request) {
            case RunRequest.Prompt(var parts) -> saying(null, state.head(), Trigger.USER, parts);
            case RunRequest.Task(var loop, var parts) -> saying(loop, state.head(), Trigger.SUB_AGENT, parts);
            case RunRequest.Branch(var from, var parts) -> {
                if (session.loop(from).isEmpty()) {
                    throw new InvalidRequest("there is no loop '" + from.loop() + "' here; the tree shows which are");
                }
                yield new Next(null, from, Continuation.Kind.BRANCH, Trigger.BRANCH, parts, PendingCalls.NONE);
            }
            case RunRequest.Continue _ -> further(head(session, state));
            case RunRequest.Regenerate _ -> again(head(session, state));
        };
    }

    private static Next saying(@Nullable LoopId loop, @Nullable LoopPointer head, Trigger trigger, List<Part> parts) {
        var kind = head == null ? Continuation.Kind.INITIAL : Continuation.Kind.DEFAULT;
        return new Next(loop, head, kind, trigger, parts, PendingCalls.NONE);
    }

    /// After a loop that ended early, a new one takes over its unanswered calls.
    private static Next further(LoopRecord head) {
        if (head.status() == LoopStatus.COMPLETED) {
            throw new InvalidRequest("the last answer is complete; there is nothing to continue");
        }
        return new Next(
                null,
                head.pointer(),
                Continuation.Kind.DEFAULT,
                Trigger.CONTINUATION,
                List.of(),
                PendingCalls.in(head),
                head.outputShape());
    }

    /// The same prompt again, as a sibling of the loop that answered it.
    private static Next again(LoopRecord head) {
        var prompt = head.messages().stream()
                .filter(message -> message.role() == Role.USER)
                .findFirst()
                .orElseThrow(() -> new InvalidRequest("the last loop had no prompt of its own; continue it instead"));
        return new Next(
                null,
                head.parentPointer(),
                Continuation.Kind.RERUN,
                Trigger.USER,
                prompt.parts(),
                PendingCalls.NONE,
                head.outputShape());
    }

    /// The loop from which the session goes on.
    static LoopRecord head(SessionHandle session, SessionState state) {
        var record = state.head() == null ? null : session.loop(state.head()).orElse(null);
        if (record == null) {
            throw new InvalidRequest("the session is empty; say something first");
        }
        return record;
    }

    /// The context, for an answer of the shape that the request wants, else of that which was wanted before.
    RequestContext shaped(RequestContext context) {
        var settings = context.settings();
        return settings.shape() == null && shape != null ? context.with(settings.withShape(shape)) : context;
    }

    LoopId loop(Ids ids) {
        return given == null ? ids.loop() : given;
    }

    Continuation continuation(Instant now) {
        return switch (kind) {
            case INITIAL -> Continuation.INITIAL;
            case DEFAULT -> Continuation.DEFAULT;
            case RERUN -> Continuation.rerun(now);
            case BRANCH -> Continuation.branch(now);
            case COMPACTION -> throw new IllegalStateException("no run asks for this");
        };
    }

    /// What is said first, without secrets.
    Optional<Message> prompt(Ids ids, Instant now, Redaction redaction) {
        return said.isEmpty()
                ? Optional.empty()
                : Optional.of(new Message(ids.message(), Role.USER, now, redaction.redactKnown(said), null, Map.of()));
    }

    /// The event that begins it.
    LoopEvent.LoopStarted started(
            Workings workings, RequestContext context, LoopId loop, Grounding grounding, boolean compressed) {
        var settings = context.settings();
        return new LoopEvent.LoopStarted(
                workings.clock().instant(),
                loop,
                parent == null ? null : parent.loop(),
                parent == null ? null : parent.seq(),
                continuation(workings.clock().instant()),
                trigger,
                settings.agent() == null
                        ? context.session().scope().agent()
                        : settings.agent().name(),
                settings.model().snapshot(settings.sampling()).withOutputShape(settings.shape()),
                metadata(context, grounding, compressed));
    }

    /// What front ends noted, which passages were shown, and whether the conversation was summarised for it.
    private static Map<String, JsonNode> metadata(RequestContext context, Grounding grounding, boolean compressed) {
        var metadata = new LinkedHashMap<>(context.ticket().metadata());
        metadata.putAll(grounding.metadata());
        if (compressed) {
            metadata.put(RunOutcome.COMPRESSED, JsonNodeFactory.instance.booleanNode(true));
        }
        return metadata;
    }
}
