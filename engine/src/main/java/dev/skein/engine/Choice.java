package dev.skein.engine;

import dev.skein.live.RunOutcome;
import dev.skein.model.Model;
import java.util.List;
import java.util.function.ToIntFunction;

/// How one of several parallel answers is chosen. Only completed ones can be.
public sealed interface Choice {

    /// The first in the order of the settings.
    record First() implements Choice {}

    /// The one that used the fewest tokens.
    record MostTokenEfficient() implements Choice {}

    /// The longest answer.
    record MostElaborate() implements Choice {}

    /// The one another model prefers.
    record Judge(Model model) implements Choice {}

    /// The one the caller picks, given the outcomes; the index of one of them.
    record Transparent(ToIntFunction<List<RunOutcome>> pick) implements Choice {}
}
