package dev.skein.session;

import dev.skein.message.Message;
import dev.skein.message.Role;
import dev.skein.message.Usage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Something that was already said, as the events of one finished loop: for programs that bring their own
/// model, and for importers.
public final class Exchange {

    private Exchange() {}

    /// One prompt and its answer, continuing from `head`.
    public static List<SessionEvent> of(Ids ids, Instant at, @Nullable LoopPointer head, String prompt, String answer) {
        return loop(
                ids.loop(),
                head,
                List.of(
                        Message.of(ids.message(), Role.USER, at, prompt),
                        Message.of(ids.message(), Role.ASSISTANT, at, answer)));
    }

    /// These messages, in this order, as one loop that continues from `head`. A turn ends where an assistant
    /// message and its tool results end.
    public static List<SessionEvent> loop(LoopId loop, @Nullable LoopPointer head, List<Message> messages) {
        if (messages.isEmpty()) {
            throw new IllegalArgumentException("a loop needs at least one message");
        }
        var start = messages.getFirst().at();
        var events = new ArrayList<SessionEvent>(messages.size() + 6);
        events.add(new LoopEvent.LoopStarted(
                start,
                loop,
                head == null ? null : head.loop(),
                head == null ? null : head.seq(),
                head == null ? Continuation.INITIAL : Continuation.DEFAULT,
                Trigger.USER,
                null,
                null,
                Map.of()));
        var turn = 0;
        var answered = false;
        events.add(new LoopEvent.TurnStarted(start, loop, turn, Trigger.USER));
        for (int i = 0; i < messages.size(); i++) {
            var message = messages.get(i);
            if (answered && message.role() != Role.TOOL) {
                events.add(new LoopEvent.TurnEnded(messages.get(i - 1).at(), loop, turn, usage(messages, i), null));
                turn++;
                answered = false;
                events.add(new LoopEvent.TurnStarted(message.at(), loop, turn, Trigger.CONTINUATION));
            }
            events.add(new LoopEvent.MessageEnded(message.at(), loop, turn, message));
            answered |= message.role() == Role.ASSISTANT;
        }
        var end = messages.getLast().at();
        events.add(new LoopEvent.TurnEnded(end, loop, turn, usage(messages, messages.size()), null));
        events.add(new LoopEvent.LoopEnded(end, loop, LoopStatus.COMPLETED, null, null, null));
        return events;
    }

    /// What the last answer before `end` used.
    private static Usage usage(List<Message> messages, int end) {
        for (int i = end - 1; i >= 0 && messages.get(i).role() != Role.USER; i--) {
            var reply = messages.get(i).reply();
            if (messages.get(i).role() == Role.ASSISTANT) {
                return reply == null || reply.usage() == null ? Usage.NONE : reply.usage();
            }
        }
        return Usage.NONE;
    }
}
