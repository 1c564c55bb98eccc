package dev.skein.tool;

import dev.skein.cancellation.Cancellation;
import java.util.Optional;

/// Something a model can ask for.
///
/// A tool ends soon after its thread is interrupted, and leaves no process of its own behind. Safe for use by many
/// threads.
public interface Tool {

    ToolSpec spec();

    /// What a person should know before it is run now; empty if nothing.
    default Optional<Caution> caution() {
        return Optional.empty();
    }

    /// What has to be kept ready while it may be called; empty if nothing.
    default Optional<Keeper> keeper() {
        return Optional.empty();
    }

    /// Does what was asked. Whatever it throws goes back to the model as a failure.
    ToolOutcome run(ToolRequest request, Cancellation cancellation) throws InterruptedException;
}
