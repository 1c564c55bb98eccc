package dev.skein.exchange.loki;

import dev.skein.message.Message;
import dev.skein.message.Role;
import dev.skein.session.CompactionBlock;
import dev.skein.session.CompactionBlock.BlockPointer;
import dev.skein.session.Exchange;
import dev.skein.session.Ids;
import dev.skein.session.LoopPointer;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionSettings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes a conversation down as events: a loop for each prompt with all that answers it, and a compaction
/// block wherever the original replaced what was said so far by a recap.
///
/// Not safe for use by several threads.
final class LokiHistory {

    private final Instant at;
    private final Ids ids;
    private final List<SessionEvent> events = new ArrayList<>();
    private final List<Message> pending = new ArrayList<>();
    private boolean answered;
    private @Nullable LoopPointer head;
    private @Nullable BlockPointer newestBlock;

    LokiHistory(Instant at, Ids ids, SessionSettings settings) {
        this.at = at;
        this.ids = ids;
        events.add(new SessionEvent.SessionConfigured(at, settings));
    }

    /// Adds what came next. A prompt after an answer begins a new loop.
    void say(List<Message> messages) {
        for (var message : messages) {
            var answers = message.role() == Role.ASSISTANT || message.role() == Role.TOOL;
            if (answered && !answers) {
                endLoop();
            }
            pending.add(message);
            answered |= answers;
        }
    }

    /// From here on a model sees these messages instead of all that was said before.
    void recap(List<Message> messages) {
        endLoop();
        if (head == null) {
            say(messages);
            return;
        }
        var id = ids.message().text();
        var block = new CompactionBlock(id, null, head, null, List.of(), messages, at, newestBlock);
        newestBlock = new BlockPointer(id, nextSeq());
        events.add(new SessionEvent.CompactionBlockSet(at, block));
    }

    /// Everything added, as events.
    List<SessionEvent> events() {
        endLoop();
        return events;
    }

    private void endLoop() {
        if (pending.isEmpty()) {
            return;
        }
        var start = new LoopPointer(ids.loop(), nextSeq());
        events.addAll(Exchange.loop(start.loop(), head, pending));
        head = start;
        pending.clear();
        answered = false;
    }

    private long nextSeq() {
        return LokiSession.SEQ_FIRST + events.size();
    }
}
