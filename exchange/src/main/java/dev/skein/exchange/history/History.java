package dev.skein.exchange.history;

import dev.skein.message.Message;
import dev.skein.message.Role;
import dev.skein.session.CompactionBlock;
import dev.skein.session.CompactionBlock.BlockPointer;
import dev.skein.session.Exchange;
import dev.skein.session.Ids;
import dev.skein.session.LoopId;
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
public final class History {

    /// The sequence number of the first event. Number 1 is the session's opening, which the store writes.
    public static final long SEQ_FIRST = 2;

    private final Instant at;
    private final Ids ids;
    private final List<SessionEvent> events = new ArrayList<>();
    private final List<Message> pending = new ArrayList<>();
    private final List<SessionEvent> notes = new ArrayList<>();
    private final Earlier earlier;
    private LoopId next;
    private boolean begun;
    private int parts;
    private boolean answered;
    private @Nullable LoopPointer head;
    private @Nullable BlockPointer newestBlock;

    /// `at` is when the session was configured, and when what has no time of its own happened.
    public History(Instant at, Ids ids, SessionSettings settings) {
        this(at, ids, settings, Earlier.NONE);
    }

    /// Loops end where they ended in an earlier import, too, and the settings are those it began with.
    public History(Instant at, Ids ids, SessionSettings settings, Earlier earlier) {
        this.at = at;
        this.ids = ids;
        this.earlier = earlier;
        this.next = ids.loop();
        events.add(new SessionEvent.SessionConfigured(at, earlier.settings() == null ? settings : earlier.settings()));
    }

    /// Adds what came next. A prompt after an answer begins a new loop.
    public void say(List<Message> messages) {
        for (var message : messages) {
            var answers = message.role() == Role.ASSISTANT || message.role() == Role.TOOL;
            if (answered && !answers) {
                endLoop();
            } else if (!pending.isEmpty() && earlier.endedWith(pending.getLast())) {
                endPart();
            }
            if (!begun) {
                next = ids.loop();
                begun = true;
            }
            pending.add(message);
            answered |= answers;
        }
    }

    /// From here on a model sees these messages instead of all that was said before.
    public void recap(List<Message> messages) {
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

    /// Adds a loop of these messages, after `parent` instead of what was said last.
    public LoopPointer branch(LoopId id, @Nullable LoopPointer parent, List<Message> messages) {
        endLoop();
        head = parent;
        return loop(id, messages);
    }

    /// What a loop is called that goes on where an earlier import ended this one, for the `n`-th time.
    public static LoopId continued(LoopId loop, int n) {
        return n == 0 ? loop : new LoopId(loop + "-" + (n + 1));
    }

    /// Whether a loop ends with this message because it did so in an earlier import.
    public boolean endedWith(Message message) {
        return earlier.endedWith(message);
    }

    /// What is said next follows this loop.
    public void goOnFrom(LoopPointer loop) {
        endLoop();
        if (!loop.equals(head)) {
            events.add(new SessionEvent.HeadMoved(at, loop, null));
            head = loop;
        }
    }

    /// Adds something that is no message: at once, or after the loop that is being told.
    public void note(SessionEvent event) {
        if (pending.isEmpty()) {
            events.add(event);
        } else {
            notes.add(event);
        }
    }

    /// Adds something that others refer to by its sequence number, which this returns.
    public long set(SessionEvent event) {
        endLoop();
        events.add(event);
        return nextSeq() - 1;
    }

    /// Everything added, as events.
    public List<SessionEvent> events() {
        endLoop();
        return events;
    }

    private void endLoop() {
        endPart();
        begun = false;
        parts = 0;
        answered = false;
    }

    private void endPart() {
        if (!pending.isEmpty()) {
            loop(continued(next, parts), pending);
            parts++;
            pending.clear();
            events.addAll(notes);
            notes.clear();
        }
    }

    private LoopPointer loop(LoopId id, List<Message> messages) {
        var start = new LoopPointer(id, nextSeq());
        events.addAll(Exchange.loop(start.loop(), head, messages));
        head = start;
        return start;
    }

    private long nextSeq() {
        return SEQ_FIRST + events.size();
    }
}
