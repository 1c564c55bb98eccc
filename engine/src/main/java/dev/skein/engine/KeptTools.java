package dev.skein.engine;

import dev.skein.tool.Keeper;
import dev.skein.tool.Tool;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// What the tools of a run need, kept ready until this is closed. Who makes another for the next run before closing
/// this one changes only what differs: what both need is never let go of.
public final class KeptTools implements AutoCloseable {

    private final List<Keeper.Kept> kept;

    private KeptTools(List<Keeper.Kept> kept) {
        this.kept = kept;
    }

    public static KeptTools of(Collection<Tool> tools) {
        return new KeptTools(tools.stream()
                .map(Tool::keeper)
                .flatMap(Optional::stream)
                .distinct()
                .map(Keeper::keep)
                .toList());
    }

    @Override
    public void close() {
        kept.forEach(Keeper.Kept::close);
    }
}
