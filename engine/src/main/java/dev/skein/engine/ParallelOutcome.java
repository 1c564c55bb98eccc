package dev.skein.engine;

import dev.skein.live.RunOutcome;
import dev.skein.message.Usage;
import java.util.List;

/// What the branches of a parallel run came to, in the order of their settings, and which one was chosen.
public record ParallelOutcome(List<RunOutcome> branches, int selected, Usage evaluationUsage) {

    public ParallelOutcome {
        branches = List.copyOf(branches);
    }

    public RunOutcome winner() {
        return branches.get(selected);
    }
}
