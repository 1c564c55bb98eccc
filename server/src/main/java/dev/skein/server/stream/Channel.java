package dev.skein.server.stream;

import dev.skein.live.LiveEvent;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One session's events on their way to those who follow it here.
///
/// Durable events come from the journal, through whoever pumps them; what is live only comes from runs in this process.
/// A live event belongs behind the durable event it names, so it is held back until that one has passed. Runs never
/// wait
/// here.
final class Channel {

    /// How much is held back for a journal that is slow to be read; what is beyond that is only in the journal.
    private static final int HELD_MAX = 10_000;

    private final Partial partial = new Partial();
    private final Set<Mailbox> readers = new LinkedHashSet<>();
    private final Deque<LiveEvent> held = new ArrayDeque<>();
    private long position;
    private @Nullable Pump pump;

    /// What a reader has to know who begins now: it finds in its mailbox everything after `position` and `since`, as
    /// soon as somebody works the pump, if there is one that nobody works yet.
    record Joined(
            long position, List<LiveEvent> since, @Nullable Pump idle) {}

    /// @param version of the session, if nobody pumps yet
    synchronized Joined join(Mailbox reader, long version, Place known) {
        Pump idle = null;
        if (pump == null) {
            idle = new Pump();
            pump = idle;
            position = version;
            held.clear();
            if (partial.seq() > position) {
                held.addAll(partial.fragments());
            }
        }
        readers.add(reader);
        var since = partial.seq() != position
                ? List.<LiveEvent>of()
                : partial.after(known.seq() == position ? known.sub() : 0);
        return new Joined(position, since, idle);
    }

    /// With the last reader the pump ends.
    synchronized void leave(Mailbox reader) {
        readers.remove(reader);
        if (readers.isEmpty() && pump != null) {
            pump.stop();
            pump = null;
            held.clear();
        }
    }

    /// A run tells something. What is durable is only taken note of: the journal brings it.
    synchronized void told(LiveEvent event) {
        if (event.seq() < partial.seq()) {
            return;
        }
        partial.startAfter(event.seq());
        if (event.sub() > partial.lastSub()) {
            partial.add(event);
            if (position >= event.seq()) {
                tell(event);
            } else if (pump != null && held.size() < HELD_MAX) {
                held.add(event);
            }
        }
    }

    /// The journal has come so far, and this is what there is to tell about it.
    ///
    /// @param by whoever brings it; nobody listens to a pump that was stopped
    synchronized void advance(Pump by, long seq, List<LiveEvent> told) {
        if (by != pump) {
            return;
        }
        position = seq;
        told.forEach(this::tell);
        while (!held.isEmpty() && held.getFirst().seq() <= seq) {
            tell(held.removeFirst());
        }
    }

    private void tell(LiveEvent event) {
        if (!readers.isEmpty()) {
            var letter = new Letter(event);
            readers.forEach(reader -> reader.offer(letter));
        }
    }

    /// This pump brings nothing any more. Nobody cares if it was stopped, or another has taken its place.
    synchronized void fail(Pump by, Throwable failure) {
        if (by == pump) {
            end(failure);
        }
    }

    /// Nothing will come any more.
    synchronized void end(@Nullable Throwable failure) {
        readers.forEach(reader -> reader.end(failure));
        readers.clear();
        if (pump != null) {
            pump.stop();
            pump = null;
        }
    }

    synchronized long position() {
        return position;
    }
}
