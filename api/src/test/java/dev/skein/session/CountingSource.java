package dev.skein.session;

import org.jspecify.annotations.Nullable;

/// Counts what is looked up in a session.
final class CountingSource implements LoopSource {

    private final Session session;
    int loopsRead;
    int blocksRead;

    CountingSource(Session session) {
        this.session = session;
    }

    @Override
    public @Nullable LoopRecord loop(LoopPointer pointer) {
        loopsRead++;
        return session.loop(pointer);
    }

    @Override
    public @Nullable CompactionBlock block(CompactionBlock.BlockPointer pointer) {
        blocksRead++;
        return session.block(pointer);
    }
}
