package dev.skein.session;

import dev.skein.message.Cost;
import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.ToolCallId;
import dev.skein.message.Usage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/// Tells a session event by event, one second apart, and gives what follows from it.
final class Story {

    static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    static final SessionId ID = SessionId.of("01900000-0000-7000-8000-000000000001");

    private final List<Entry> entries = new ArrayList<>();

    /// A session that was opened and nothing more.
    static Story opened() {
        return new Story().add(opening(ID));
    }

    static SessionEvent.SessionOpened opening(SessionId id) {
        return new SessionEvent.SessionOpened(
                NOON,
                1,
                id,
                "local",
                null,
                null,
                null,
                new Formation.Explicit(),
                null,
                null,
                null,
                Lifetime.PERSISTENT,
                Map.of());
    }

    static LoopId loop(String id) {
        return new LoopId(id);
    }

    static ToolCallId call(String id) {
        return new ToolCallId(id);
    }

    Story add(SessionEvent event) {
        return add(event, null);
    }

    Story add(SessionEvent event, @Nullable String key) {
        entries.add(new Entry(entries.size() + 1, event, key, null));
        return this;
    }

    Story start(String loop) {
        return start(loop, null);
    }

    /// Starts a loop that continues another one of this story.
    Story start(String loop, @Nullable String parent) {
        return add(started(
                now(), loop, parent, parent == null ? null : pointer(parent).seq()));
    }

    static LoopEvent.LoopStarted started(Instant at, String loop, @Nullable String parent, @Nullable Long parentSeq) {
        return new LoopEvent.LoopStarted(
                at,
                loop(loop),
                parent == null ? null : loop(parent),
                parentSeq,
                parent == null ? Continuation.INITIAL : Continuation.DEFAULT,
                Trigger.USER,
                null,
                null,
                Map.of());
    }

    Story turn(String loop, int turn) {
        return add(new LoopEvent.TurnStarted(now(), loop(loop), turn, Trigger.USER));
    }

    Story user(String loop, int turn, String text) {
        return say(loop, turn, Role.USER, new Part.Text(text));
    }

    Story assistant(String loop, int turn, String text) {
        return say(loop, turn, Role.ASSISTANT, new Part.Text(text));
    }

    /// The model asks for tools, by call id.
    Story asks(String loop, int turn, String... calls) {
        return say(
                loop,
                turn,
                Role.ASSISTANT,
                Arrays.stream(calls).map(Story::toolCall).toArray(Part[]::new));
    }

    static Part toolCall(String call) {
        return new Part.ToolCall(call(call), "tool", JsonNodeFactory.instance.objectNode(), null);
    }

    Story say(String loop, int turn, Role role, Part... parts) {
        var message = Message.of(new MessageId("m" + (entries.size() + 1)), role, now(), parts);
        return add(new LoopEvent.MessageEnded(now(), loop(loop), turn, message));
    }

    Story finishes(String loop, int turn, String call) {
        return add(toolFinished(now(), loop, turn, call, null));
    }

    static LoopEvent.ToolFinished toolFinished(
            Instant at, String loop, int turn, String call, @Nullable ChildLoopRef child) {
        return new LoopEvent.ToolFinished(
                at, loop(loop), turn, Part.ToolResult.text(call(call), "tool", "result of " + call), child);
    }

    Story endTurn(String loop, int turn, long input, long output) {
        return add(new LoopEvent.TurnEnded(now(), loop(loop), turn, Usage.of(input, output), Cost.ofUsd("0.01")));
    }

    Story end(String loop) {
        return end(loop, LoopStatus.COMPLETED);
    }

    Story end(String loop, LoopStatus status) {
        return add(ended(now(), loop, status));
    }

    static LoopEvent.LoopEnded ended(Instant at, String loop, LoopStatus status) {
        return new LoopEvent.LoopEnded(at, loop(loop), status, null, null, null);
    }

    /// One prompt, one answer, one finished loop.
    Story exchange(String loop, @Nullable String parent) {
        return start(loop, parent)
                .turn(loop, 0)
                .user(loop, 0, loop + "?")
                .assistant(loop, 0, loop + "!")
                .endTurn(loop, 0, 10, 5)
                .end(loop);
    }

    Story asksApproval(String loop, String call) {
        return add(new LoopEvent.ApprovalRequested(
                now(), loop(loop), 0, call(call), "tool", JsonNodeFactory.instance.objectNode(), null));
    }

    Story approves(String loop, String call) {
        return add(new LoopEvent.ApprovalGiven(now(), loop(loop), call(call), true, "me", null));
    }

    Story moveHead(@Nullable String loop) {
        return add(new SessionEvent.HeadMoved(now(), loop == null ? null : pointer(loop), null));
    }

    /// Where a loop of this story started.
    LoopPointer pointer(String loop) {
        return entries.stream()
                .filter(entry -> entry.event() instanceof LoopEvent.LoopStarted started
                        && started.loop().equals(loop(loop)))
                .map(entry -> new LoopPointer(loop(loop), entry.seq()))
                .findFirst()
                .orElseThrow();
    }

    Instant now() {
        return NOON.plusSeconds(entries.size());
    }

    List<Entry> entries() {
        return List.copyOf(entries);
    }

    Session session() {
        return Session.replay(entries);
    }

    SessionState state() {
        return session().state();
    }

    /// What a model sees, as texts: prompts and answers as they are, calls as `call:a,b`, results as their text.
    List<String> view(int max) {
        return texts(session().context(max).messages());
    }

    static List<String> texts(List<Message> messages) {
        return messages.stream()
                .map(message -> message.toolCalls().isEmpty()
                        ? message.text()
                        : "call:"
                                + String.join(
                                        ",",
                                        message.toolCalls().stream()
                                                .map(call -> call.id().text())
                                                .toList()))
                .toList();
    }
}
