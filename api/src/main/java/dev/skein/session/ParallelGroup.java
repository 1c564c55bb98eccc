package dev.skein.session;

import dev.skein.message.Usage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The loops that tried one prompt side by side, in the order of their configurations. The selection is
/// absent until one was chosen.
public record ParallelGroup(
        List<LoopId> loops,
        @Nullable LoopId selected,
        @Nullable Integer selectedIndex,
        Usage evaluationUsage) {

    public ParallelGroup {
        loops = List.copyOf(loops);
    }

    public boolean isSelected(LoopId loop) {
        return loop.equals(selected);
    }
}
