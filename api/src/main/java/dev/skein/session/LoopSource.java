package dev.skein.session;

import dev.skein.session.CompactionBlock.BlockPointer;
import org.jspecify.annotations.Nullable;

/// Where loops and compaction blocks are looked up: a whole session in memory, or a store that reads only
/// what it is asked for.
public interface LoopSource {

    /// The loop that starts there, or null if there is none.
    @Nullable
    LoopRecord loop(LoopPointer pointer);

    /// The block that was set there, or null if there is none.
    @Nullable
    CompactionBlock block(BlockPointer pointer);
}
