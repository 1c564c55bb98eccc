package dev.skein.session;

import dev.skein.message.Cost;
import dev.skein.message.Usage;
import dev.skein.session.CompactionBlock.BlockPointer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A whole session: every loop, as a tree. Computed from events by [SessionFold], never stored.
///
/// Immutable. Each step along the tree costs the same however many loops there are.
public final class Session implements LoopSource {

    private final SessionState state;
    private final Map<LoopId, LoopRecord> loops;
    private final List<LoopId> roots;
    private final Map<String, CompactionBlock> blocks;
    private final List<Entry> entries;

    Session(
            SessionState state,
            Map<LoopId, LoopRecord> loops,
            List<LoopId> roots,
            Map<String, CompactionBlock> blocks,
            List<Entry> entries) {
        this.state = state;
        this.loops = Collections.unmodifiableMap(loops);
        this.roots = List.copyOf(roots);
        this.blocks = Map.copyOf(blocks);
        this.entries = Collections.unmodifiableList(entries);
    }

    /// The session that these events tell of, from the first on.
    public static Session replay(Iterable<Entry> entries) {
        var fold = new SessionFold();
        entries.forEach(fold::add);
        return fold.session();
    }

    public SessionId id() {
        return state.id();
    }

    public SessionState state() {
        return state;
    }

    /// All loops, in the order they were started or announced.
    public Collection<LoopRecord> loops() {
        return loops.values();
    }

    /// Everything that happened, in order.
    public List<Entry> entries() {
        return entries;
    }

    public Optional<LoopRecord> loop(LoopId id) {
        return Optional.ofNullable(loops.get(id));
    }

    /// Loops without a parent in this session.
    public List<LoopRecord> roots() {
        return records(roots);
    }

    /// The loops that continue this one, oldest first.
    public List<LoopRecord> childrenOf(LoopId id) {
        var parent = loops.get(id);
        return parent == null ? List.of() : records(parent.children());
    }

    /// The loops that tried the same prompt side by side, this one included; empty for a loop that ran alone.
    public List<LoopRecord> parallelSiblings(LoopId id) {
        var loop = loops.get(id);
        return loop == null || loop.parallel() == null
                ? List.of()
                : records(loop.parallel().loops());
    }

    /// From the root to the head: the loops of the conversation as it stands.
    public List<LoopRecord> path() {
        return state.head() == null ? List.of() : pathTo(state.head().loop());
    }

    /// From the root to this loop.
    public List<LoopRecord> pathTo(LoopId id) {
        var path = new ArrayList<LoopRecord>();
        for (var loop = loops.get(id); loop != null; loop = parentOf(loop)) {
            path.add(loop);
        }
        return path.reversed();
    }

    public Usage totalUsage() {
        return state.usage();
    }

    public Cost totalCost() {
        return state.cost();
    }

    /// What a model gets to see of this session.
    public ContextView context(int messagesMax) {
        return ContextView.of(this, state, messagesMax);
    }

    @Override
    public @Nullable LoopRecord loop(LoopPointer pointer) {
        return loops.get(pointer.loop());
    }

    @Override
    public @Nullable CompactionBlock block(BlockPointer pointer) {
        return blocks.get(pointer.id());
    }

    private @Nullable LoopRecord parentOf(LoopRecord loop) {
        var parent = loop.parentPointer();
        return parent == null ? null : loops.get(parent.loop());
    }

    private List<LoopRecord> records(List<LoopId> ids) {
        return ids.stream().map(loops::get).filter(Objects::nonNull).toList();
    }
}
