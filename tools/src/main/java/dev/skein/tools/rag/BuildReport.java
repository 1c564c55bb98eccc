package dev.skein.tools.rag;

import dev.skein.tools.rag.source.Problem;
import java.util.List;

/// What a build did. `passages` is how many there are now.
public record BuildReport(int added, int changed, int removed, int unchanged, int passages, List<Problem> problems) {

    public BuildReport {
        problems = List.copyOf(problems);
    }
}
