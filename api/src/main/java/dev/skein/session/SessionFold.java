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

    private void loop(LoopEvent event, Entry entry) {
        var loop = fold(event.loop());
        if (event instanceof LoopEvent.LoopStarted started && loop.start(started, entry.seq())) {
            var parent = started.parent() == null ? null : loops.get(started.parent());
            if (parent == null) {
                roots.add(started.loop());
            } else {
                parent.addChild(started.loop());
                loop.parentStartedAt(parent.seq());
            }
        }
        loop.add(entry, event);
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
        fold(block.until().loop()).compact(block);
    }

    private void remove(String id) {
        var block = blocks.get(id);
        if (block != null) {
            var earlier = block.previous() == null
                    ? null
                    : blocks.get(block.previous().id());
            var same = earlier != null
                    && earlier.until().loop().equals(block.until().loop());
            fold(block.until().loop()).compact(same ? earlier : null);
        }
    }

    private void group(List<LoopId> members, ParallelGroup group) {
        members.forEach(member -> fold(member).join(group));
    }
}
