package dev.skein.server.session;

import dev.skein.message.Message;
import dev.skein.message.Usage;
import dev.skein.server.http.HttpFailure;
import dev.skein.session.Entry;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopId;
import dev.skein.session.LoopList;
import dev.skein.session.LoopRecord;
import dev.skein.session.ParallelGroup;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionEvent.SessionOpened;
import dev.skein.session.SessionState;
import dev.skein.store.SessionHandle;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Which loops a session has and where they are in its journal, so that a page of them, or of what was said in them,
/// costs what it shows. The journal is read once; later only what is new in it.
///
/// Safe for use by many threads.
final class Outline {

    private final Map<LoopId, Sketch> loops = new LinkedHashMap<>();
    private final List<Sketch> inOrder = new ArrayList<>();
    private final Set<LoopId> late = new HashSet<>();
    private @Nullable SessionOpened opened;
    private long version;
    private volatile int count;
    private @Nullable Path path;

    /// The loops from the root to one of them, and how many messages come before each.
    private record Path(@Nullable LoopId to, long version, List<Sketch> loops, List<Long> before, Set<LoopId> ids) {}

    /// A part of a list, and whether there is more behind it.
    record Page<T>(List<T> items, boolean more) {}

    /// How many loops it knows. Waits for nobody.
    int size() {
        return count;
    }

    synchronized Page<LoopList.Item> loops(SessionHandle session, int from, int limit) {
        var state = refresh(session);
        var onPath = pathTo(head(state)).ids();
        var some = inOrder.stream().skip(from).limit(limit).toList();
        return new Page<>(items(some, state, onPath), inOrder.size() > (long) from + limit);
    }

    synchronized LoopList all(SessionHandle session) {
        var state = refresh(session);
        return new LoopList(
                session.id(),
                head(state),
                items(inOrder, state, pathTo(head(state)).ids()));
    }

    /// What was said on the path to this loop, or to the head.
    synchronized Page<Message> messages(SessionHandle session, Optional<LoopId> loop, int from, int limit) {
        var state = refresh(session);
        if (loop.isPresent() && !loops.containsKey(loop.get())) {
            throw HttpFailure.invalid("'loop' in the query is no loop of this session; its tree lists them");
        }
        var way = pathTo(loop.orElseGet(() -> head(state)));
        var said = new ArrayList<Message>();
        var more = false;
        for (int i = firstWith(way, from); i < way.loops().size() && !more; i++) {
            var sketch = way.loops().get(i);
            var skip = (int) Math.max(0, from - way.before().get(i));
            var ofLoop = record(session, sketch)
                    .map(record -> record.messages().stream().skip(skip).toList())
                    .orElse(List.of());
            var room = limit - said.size();
            said.addAll(ofLoop.subList(0, Math.min(room, ofLoop.size())));
            more = ofLoop.size() > room || (said.size() == limit && leftAfter(way, i));
        }
        return new Page<>(said, more);
    }

    private static boolean leftAfter(Path way, int index) {
        var last = way.loops().size() - 1;
        return index < last
                && way.before().get(last) + way.loops().get(last).messages()
                        > way.before().get(index + 1);
    }

    /// The last loop of the path that has no more messages than this before it.
    private static int firstWith(Path way, int from) {
        int low = 0;
        int high = way.loops().size() - 1;
        while (low < high) {
            var middle = (low + high + 1) >>> 1;
            if (way.before().get(middle) <= from) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private static List<LoopList.Item> items(List<Sketch> some, SessionState state, Set<LoopId> onPath) {
        var head = head(state);
        return some.stream()
                .map(sketch -> sketch.item(sketch.id().equals(head), onPath.contains(sketch.id())))
                .toList();
    }

    private static @Nullable LoopId head(SessionState state) {
        var head = state.head();
        return head == null ? null : head.loop();
    }

    private Path pathTo(@Nullable LoopId loop) {
        var known = path;
        if (known != null && known.version() == version && Objects.equals(known.to(), loop)) {
            return known;
        }
        var way = new ArrayList<Sketch>();
        for (var sketch = loop == null ? null : loops.get(loop); sketch != null; sketch = sketch.parent()) {
            way.add(sketch);
        }
        var forwards = List.copyOf(way.reversed());
        var before = new ArrayList<Long>(forwards.size());
        var ids = new HashSet<LoopId>();
        long messages = 0;
        for (var sketch : forwards) {
            before.add(messages);
            ids.add(sketch.id());
            messages += sketch.messages();
        }
        var made = new Path(loop, version, forwards, List.copyOf(before), ids);
        path = made;
        return made;
    }

    /// Reads what is new. The state it returns is no newer than what was read: its head is a loop that is known here.
    private SessionState refresh(SessionHandle session) {
        var state = session.state();
        if (!state.opened().equals(opened) || state.version() < version) {
            loops.clear();
            inOrder.clear();
            version = 0;
            path = null;
            opened = state.opened();
        }
        if (version < state.version()) {
            session.read(version + 1, this::add);
            count = loops.size();
            late.forEach(loop -> reread(session, loop));
            late.clear();
        }
        return state;
    }

    private void reread(SessionHandle session, LoopId loop) {
        var sketch = loops.get(loop);
        if (sketch != null) {
            record(session, sketch).ifPresent(sketch::replace);
        }
    }

    /// A loop that was only announced is nowhere yet.
    private static Optional<LoopRecord> record(SessionHandle session, Sketch sketch) {
        return sketch.seq() == 0 ? Optional.empty() : session.loop(sketch.pointer());
    }

    private void add(Entry entry) {
        version = entry.seq();
        switch (entry.event()) {
            case LoopEvent event -> loop(entry, event);
            case SessionEvent.ParallelStarted started ->
                group(started.loops(), new ParallelGroup(started.loops(), null, null, Usage.NONE));
            case SessionEvent.ParallelEnded ended ->
                group(
                        ended.loops(),
                        new ParallelGroup(
                                ended.loops(), ended.selected(), ended.selectedIndex(), ended.evaluationUsage()));
            default -> {}
        }
    }

    /// A parent is a loop that started before; anything else is of another session, or nonsense.
    private void loop(Entry entry, LoopEvent event) {
        var sketch = sketch(event.loop());
        var before = sketch.seq();
        var parent = event instanceof LoopEvent.LoopStarted started && started.parent() != null
                ? loops.get(started.parent())
                : null;
        if (!sketch.add(entry, event)) {
            late.add(event.loop());
        }
        if (before == 0 && sketch.seq() > 0 && parent != null && parent != sketch && parent.seq() > 0) {
            sketch.follows(parent);
        }
    }

    private Sketch sketch(LoopId id) {
        return loops.computeIfAbsent(id, _ -> {
            var made = new Sketch(id, Objects.requireNonNull(opened).session());
            inOrder.add(made);
            return made;
        });
    }

    private void group(List<LoopId> members, ParallelGroup group) {
        members.forEach(member -> sketch(member).join(group));
    }
}
