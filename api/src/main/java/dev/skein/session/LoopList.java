package dev.skein.session;

import dev.skein.message.Cost;
import dev.skein.message.Role;
import dev.skein.message.Usage;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The loop tree as programs get it, on the command line and over HTTP: a flat list in the order the loops began,
/// linked
/// by id both ways, because a chain of a hundred thousand loops must not nest.
public record LoopList(SessionId session, @Nullable LoopId head, List<Item> loops) {

    /// One loop. `onPath` are those from the root to the head.
    public record Item(
            LoopId id,
            @Nullable LoopId parent,
            List<LoopId> children,
            LoopStatus status,
            Continuation continuation,
            Trigger trigger,
            int turns,
            int messages,
            @Nullable String firstMessage,
            @Nullable Instant startedAt,
            @Nullable Instant endedAt,
            @Nullable String rejection,
            Usage usage,
            Cost cost,
            boolean head,
            boolean onPath,
            @Nullable ParallelGroup parallel,
            List<ChildLoopRef> childSessions) {}

    public static LoopList of(Session session) {
        var head = headOf(session);
        var path = new HashSet<LoopId>();
        session.path().forEach(loop -> path.add(loop.id()));
        return new LoopList(
                session.id(),
                head,
                session.loops().stream().map(loop -> item(loop, head, path)).toList());
    }

    public static @Nullable LoopId headOf(Session session) {
        var pointer = session.state().head();
        return pointer == null ? null : pointer.loop();
    }

    /// What the person asked at the start of this loop, else the first words of anybody.
    public static @Nullable String firstWords(LoopRecord loop) {
        String first = null;
        for (var message : loop.messages()) {
            var text = message.text();
            if (!text.isBlank() && message.role() == Role.USER) {
                return text;
            }
            first = first == null && !text.isBlank() ? text : first;
        }
        return first;
    }

    private static Item item(LoopRecord loop, @Nullable LoopId head, Set<LoopId> path) {
        return new Item(
                loop.id(),
                loop.parent(),
                loop.children(),
                loop.status(),
                loop.continuation(),
                loop.trigger(),
                loop.turns().size(),
                loop.said().size(),
                firstWords(loop),
                loop.startedAt(),
                loop.endedAt(),
                loop.rejection(),
                loop.usage(),
                loop.cost(),
                loop.id().equals(head),
                path.contains(loop.id()),
                loop.parallel(),
                loop.childRefs());
    }
}
