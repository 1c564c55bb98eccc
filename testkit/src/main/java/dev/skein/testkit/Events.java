package dev.skein.testkit;

import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.ToolCallId;
import dev.skein.message.Usage;
import dev.skein.session.Continuation;
import dev.skein.session.Exchange;
import dev.skein.session.Ids;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopId;
import dev.skein.session.LoopPointer;
import dev.skein.session.LoopStatus;
import dev.skein.session.SessionEvent;
import dev.skein.session.Trigger;
import dev.skein.wire.Json;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Makes events with ids from a seed and times from a clock: same seed, same events.
///
/// Safe for use by many threads, though which thread gets which id is then chance.
public final class Events {

    private final Clock clock;
    private final Ids ids;

    public Events(Clock clock, long seed) {
        this.clock = clock;
        this.ids = new Ids(clock, new Random(seed));
    }

    public Ids ids() {
        return ids;
    }

    /// A prompt and its answer, as a finished loop: six events.
    public List<SessionEvent> exchange(@Nullable LoopPointer head, String prompt, String answer) {
        return Exchange.of(ids, clock.instant(), head, prompt, answer);
    }

    /// The start of a loop that has not come to rest: three events.
    public List<SessionEvent> unfinished(@Nullable LoopPointer head, String prompt) {
        var loop = ids.loop();
        return List.of(started(loop, head), turnStarted(loop, 0), said(loop, 0, Role.USER, prompt));
    }

    /// A loop that asks for a tool and gets an answer: seven events.
    public List<SessionEvent> toolUse(@Nullable LoopPointer head, String prompt, String result) {
        var loop = ids.loop();
        var call = new ToolCallId("call-" + ids.message());
        return List.of(
                started(loop, head),
                turnStarted(loop, 0),
                said(loop, 0, Role.USER, prompt),
                asked(loop, 0, call),
                answered(loop, 0, call, result),
                turnEnded(loop, 0),
                ended(loop, LoopStatus.COMPLETED));
    }

    /// So many small events.
    public List<SessionEvent> descriptions(int count) {
        var events = new ArrayList<SessionEvent>(count);
        IntStream.range(0, count).forEach(i -> events.add(described("description " + i)));
        return events;
    }

    public SessionEvent described(String text) {
        return new SessionEvent.SessionDescribed(clock.instant(), text);
    }

    /// An event of a type that nobody knows.
    public SessionEvent unknown(String type) {
        var at = clock.instant();
        var body = Json.MAPPER.createObjectNode().put("type", type).put("at", at.toString());
        body.putObject("deep").put("number", 42).put("text", "kept ✓");
        return new SessionEvent.Opaque(at, type, body);
    }

    public SessionEvent headMoved(@Nullable LoopPointer head) {
        return new SessionEvent.HeadMoved(clock.instant(), head, "undo");
    }

    public SessionEvent cleared() {
        return new SessionEvent.SessionCleared(clock.instant());
    }

    LoopEvent started(LoopId loop, @Nullable LoopPointer parent) {
        return new LoopEvent.LoopStarted(
                clock.instant(),
                loop,
                parent == null ? null : parent.loop(),
                parent == null ? null : parent.seq(),
                parent == null ? Continuation.INITIAL : Continuation.DEFAULT,
                Trigger.USER,
                null,
                null,
                Map.of());
    }

    LoopEvent turnStarted(LoopId loop, int turn) {
        return new LoopEvent.TurnStarted(clock.instant(), loop, turn, Trigger.USER);
    }

    LoopEvent said(LoopId loop, int turn, Role role, String text) {
        return new LoopEvent.MessageEnded(
                clock.instant(), loop, turn, Message.of(ids.message(), role, clock.instant(), text));
    }

    LoopEvent asked(LoopId loop, int turn, ToolCallId... calls) {
        var parts = new ArrayList<Part>();
        for (var call : calls) {
            var arguments = Json.MAPPER.createObjectNode().put("call", call.text());
            parts.add(new Part.ToolCall(call, "look", arguments, null));
        }
        var message = Message.of(ids.message(), Role.ASSISTANT, clock.instant(), parts.toArray(Part[]::new));
        return new LoopEvent.MessageEnded(clock.instant(), loop, turn, message);
    }

    LoopEvent answered(LoopId loop, int turn, ToolCallId call, String result) {
        return new LoopEvent.ToolFinished(
                clock.instant(), loop, turn, Part.ToolResult.text(call, "look", result), null);
    }

    LoopEvent turnEnded(LoopId loop, int turn) {
        return new LoopEvent.TurnEnded(clock.instant(), loop, turn, Usage.of(7, 3), null);
    }

    LoopEvent ended(LoopId loop, LoopStatus status) {
        return new LoopEvent.LoopEnded(clock.instant(), loop, status, null, null, null);
    }
}
