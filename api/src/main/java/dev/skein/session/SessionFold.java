package dev.skein.session;

import dev.skein.message.Usage;
import dev.skein.session.SessionEvent.SessionOpened;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Builds a [Session] event by event. Constant time for each event, linear for each [#session()].
///
/// Not safe for use by several threads.
public final class SessionFold {

    private final Map<LoopId, LoopFold> loops = new LinkedHashMap<>();
    private final List<LoopId> roots = new ArrayList<>();
    private final Map<String, CompactionBlock> blocks = new HashMap<>();
    private final Map<LoopId, List<CompactionBlock>> shown = new HashMap<>();
    private final List<Entry> entries = new ArrayList<>();
    private @Nullable SessionState state;

    /// Adds the next event.
    public void add(Entry entry) {
        state = state == null ? SessionState.opening(entry) : state.after(entry);
        entries.add(entry);
        switch (entry.event()) {
            case LoopEvent event -> loop(event, entry);
            case SessionEvent.CompactionBlockSet(var _, var block) -> set(block);
            case SessionEvent.CompactionBlockRemoved(var _, var block) -> remove(block);
            case SessionEvent.ParallelStarted started ->
                group(started.loops(), new ParallelGroup(started.loops(), null, null, Usage.NONE));
            case SessionEvent.ParallelEnded ended ->
                group(
                        ended.loops(),
                        new ParallelGroup(
                                ended.loops(), ended.selected(), ended.selectedIndex(), ended.evaluationUsage()));
            case SessionOpened _,
                    SessionEvent.SessionRenamed _,
                    SessionEvent.SessionDescribed _,
                    SessionEvent.SessionConfigured _,
                    SessionEvent.SessionCleared _,
                    SessionEvent.HeadMoved _,
                    SessionEvent.Opaque _ -> {}
        }
    }

    /// The state so far, or null before the first event.
    public @Nullable SessionState state() {
        return state;
    }

    /// The session so far.
    public Session session() {
        if (state == null) {
            throw new IllegalStateException("no event was added yet");
        }
        var records = new LinkedHashMap<LoopId, LoopRecord>(loops.size() * 2);
        loops.forEach((id, loop) -> records.put(id, loop.record()));
        return new Session(state, records, roots, blocks, new ArrayList<>(entries));
    }

    /// Where a loop of this session started, or null if it has not.
    @Nullable
    LoopPointer pointerTo(@Nullable LoopId id) {
        var loop = id == null ? null : loops.get(id);
        return loop == null || loop.seq() == 0 ? null : new LoopPointer(loop.id(), loop.seq());
    }

    /// The loops that have not come to their end, in the order they were started or announced.
    List<LoopId> unfinished() {
        return loops.values().stream()
                .filter(loop -> !loop.status().ended())
                .map(LoopFold::id)
                .toList();
    }

    /// The events from this place in the list on.
    List<Entry> entriesFrom(int index) {
        return List.copyOf(entries.subList(index, entries.size()));
    }

    /// Tells the session what it was spawned by.
    void supplySpawn(SpawnRef spawn) {
        if (state != null) {
            state = state.withOpened(state.opened().spawnedBy(spawn));
        }
    }

    /// Tells the first event, too. Only for as long as nobody has seen it.
    void rewriteOpening() {
        if (state != null) {
            var first = entries.getFirst();
            entries.set(0, new Entry(first.seq(), state.opened(), first.key(), first.raw()));
        }
    }

    private void loop(LoopEvent event, Entry entry) {
        var loop = fold(event.loop());
        if (event instanceof LoopEvent.LoopStarted started) {
            var parent = pointerTo(started.parent());
            if (loop.start(started, entry.seq())) {
                link(loop, parent);
            }
        }
        loop.add(entry, event);
    }

    /// A parent is a loop that started before; anything else is of another session, or nonsense.
    private void link(LoopFold loop, @Nullable LoopPointer parent) {
        var fold = parent == null ? null : loops.get(parent.loop());
        if (parent == null || fold == null) {
            roots.add(loop.id());
            loop.parentStartedAt(null);
        } else {
            fold.addChild(loop.id());
            loop.parentStartedAt(parent.seq());
        }
    }

    private LoopFold fold(LoopId id) {
        return loops.computeIfAbsent(id, newId -> new LoopFold(newId, currentSession()));
    }

    private SessionId currentSession() {
        if (state == null) {
            throw new IllegalStateException("no event was added yet");
        }
        return state.id();
    }

    private void set(CompactionBlock block) {
        blocks.put(block.id(), block);
        var onLoop = shown.computeIfAbsent(block.until().loop(), _ -> new ArrayList<>());
        onLoop.add(block);
        compact(block.until().loop(), onLoop);
    }

    private void remove(String id) {
        var block = blocks.get(id);
        if (block != null) {
            var onLoop = shown.getOrDefault(block.until().loop(), new ArrayList<>());
            onLoop.removeIf(other -> other.id().equals(id));
            compact(block.until().loop(), onLoop);
        }
    }

    private void compact(LoopId loop, List<CompactionBlock> onLoop) {
        var fold = loops.get(loop);
        if (fold != null) {
            fold.compact(onLoop.isEmpty() ? null : onLoop.getLast());
        }
    }

    private void group(List<LoopId> members, ParallelGroup group) {
        members.forEach(member -> fold(member).join(group));
    }
}
