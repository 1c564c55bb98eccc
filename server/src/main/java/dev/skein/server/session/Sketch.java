package dev.skein.server.session;

import dev.skein.session.Entry;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopFold;
import dev.skein.session.LoopId;
import dev.skein.session.LoopList;
import dev.skein.session.LoopPointer;
import dev.skein.session.LoopRecord;
import dev.skein.session.ParallelGroup;
import dev.skein.session.SessionId;
import dev.skein.session.SessionState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One loop, without what was said in it. Only a loop that has not ended keeps that, to be able to go on.
final class Sketch {

    private final LoopId id;
    private final SessionId session;
    private final List<LoopId> children = new ArrayList<>();
    private @Nullable LoopFold fold;
    private LoopList.@Nullable Item item;
    private @Nullable Sketch parent;
    private @Nullable ParallelGroup parallel;
    private long seq;
    private int messages;

    Sketch(LoopId id, SessionId session) {
        this.id = id;
        this.session = session;
        this.fold = new LoopFold(id, session);
    }

    /// Adds the loop's next event; says whether it could. It cannot if what went before is forgotten.
    boolean add(Entry entry, LoopEvent event) {
        var current = fold;
        if (current == null) {
            return false;
        }
        if (event instanceof LoopEvent.LoopStarted started && current.start(started, entry.seq())) {
            seq = entry.seq();
        }
        current.add(entry, event);
        item = null;
        if (seq > 0 && event instanceof LoopEvent.LoopEnded) {
            sum(current.record());
            fold = null;
        }
        return true;
    }

    /// Takes the loop as it is now.
    void replace(LoopRecord record) {
        sum(record);
    }

    private LoopList.Item sum(LoopRecord loop) {
        messages = loop.messages().size();
        var made = new LoopList.Item(
                id,
                loop.parent(),
                List.of(),
                loop.status(),
                loop.continuation(),
                loop.trigger(),
                loop.turns().size(),
                loop.said().size(),
                preview(LoopList.firstWords(loop)),
                loop.startedAt(),
                loop.endedAt(),
                loop.rejection(),
                loop.usage(),
                loop.cost(),
                false,
                false,
                null,
                loop.childRefs());
        item = made;
        return made;
    }

    private static @Nullable String preview(@Nullable String words) {
        if (words == null || words.length() <= SessionState.PREVIEW_LENGTH) {
            return words;
        }
        var end = SessionState.PREVIEW_LENGTH;
        return words.substring(0, Character.isHighSurrogate(words.charAt(end - 1)) ? end - 1 : end);
    }

    /// The loop as lists have it.
    LoopList.Item item(boolean head, boolean onPath) {
        var sum = summary();
        return new LoopList.Item(
                sum.id(),
                sum.parent(),
                List.copyOf(children),
                sum.status(),
                sum.continuation(),
                sum.trigger(),
                sum.turns(),
                sum.messages(),
                sum.firstMessage(),
                sum.startedAt(),
                sum.endedAt(),
                sum.rejection(),
                sum.usage(),
                sum.cost(),
                head,
                onPath,
                parallel,
                sum.childSessions());
    }

    private LoopList.Item summary() {
        var known = item;
        if (known != null) {
            return known;
        }
        var current = fold == null ? new LoopFold(id, session) : fold;
        return sum(current.record());
    }

    LoopId id() {
        return id;
    }

    /// Where it started; 0 if it has not.
    long seq() {
        return seq;
    }

    LoopPointer pointer() {
        return new LoopPointer(id, seq);
    }

    int messages() {
        summary();
        return messages;
    }

    @Nullable
    Sketch parent() {
        return parent;
    }

    void follows(Sketch before) {
        parent = before;
        before.children.add(id);
    }

    void join(ParallelGroup group) {
        parallel = group;
    }
}
