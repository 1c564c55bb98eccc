package dev.skein.exchange.imports;

import dev.skein.message.Role;
import dev.skein.message.Usage;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopId;
import dev.skein.session.Trigger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The turns of one loop of phi-core. A message says which turn it belongs to, or it begins one if the turn before was
/// answered.
final class PhiTurns {

    private final PhiHistory history;
    private final LoopId loop;
    private final Map<Integer, Usage> used = new HashMap<>();
    private final Map<Integer, Trigger> triggers = new HashMap<>();
    private Instant last;
    private int turn = -1;
    private boolean answered;
    private Usage spent = Usage.NONE;

    PhiTurns(PhiHistory history, LoopId loop, Instant start, List<Fields> turns) {
        this.history = history;
        this.loop = loop;
        this.last = start;
        for (var each : turns) {
            var number = each.rest().path("turn_id").path("turnIndex").asInt(triggers.size());
            triggers.put(number, PhiHistory.trigger(each.text("triggered_by", "")));
            var usage = each.object("usage");
            if (usage != null) {
                used.put(number, PhiMessages.usage(usage));
            }
        }
    }

    /// The messages of a loop, from wherever they are.
    static List<Fields> messagesOf(List<Fields> messages, List<Fields> turns, List<Fields> events) {
        if (!messages.isEmpty()) {
            return messages;
        }
        var found = new ArrayList<Fields>();
        for (var turn : turns) {
            found.addAll(turn.objects("input_messages"));
            var answer = turn.object("output_message");
            if (answer != null) {
                found.add(answer);
            }
            found.addAll(turn.objects("tool_results"));
        }
        if (found.isEmpty()) {
            for (var event : events) {
                var told = event.rest().path("event");
                if (told.path("type").asString("").equals("MessageEnd")) {
                    found.add(Fields.of(told.get("message"), event.source(), "a message of an event"));
                }
            }
        }
        return found;
    }

    void tell(List<Fields> messages) {
        for (var message : messages) {
            if (PhiMessages.isNote(message)) {
                history.note(Kept.event(message.time("timestamp", last), "phi_extension", message.rest()));
                continue;
            }
            var place = message.object("turnId");
            var said = history.messages().message(message, last);
            last = said.at();
            var own = place == null || !place.has("turnIndex")
                    ? turn + (turn < 0 || (answered && said.role() != Role.TOOL) ? 1 : 0)
                    : (int) Math.max(turn, place.count("turnIndex"));
            begin(own);
            history.note(new LoopEvent.MessageEnded(last, loop, turn, said));
            answered |= said.role() == Role.ASSISTANT;
            spent = spent.plus(PhiHistory.used(said));
        }
        end();
    }

    private void begin(int own) {
        if (own != turn) {
            end();
            turn = own;
            history.note(new LoopEvent.TurnStarted(
                    last, loop, turn, triggers.getOrDefault(turn, turn == 0 ? Trigger.USER : Trigger.CONTINUATION)));
        }
    }

    private void end() {
        if (turn >= 0) {
            history.note(new LoopEvent.TurnEnded(last, loop, turn, used.getOrDefault(turn, spent), null));
        }
        answered = false;
        spent = Usage.NONE;
    }
}
