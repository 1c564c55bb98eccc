package dev.skein.tools.mcp.server;

import dev.skein.cancellation.Cancellation;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolSpec;
import dev.skein.tools.call.Arguments;
import java.util.function.Consumer;

/// A tool that is offered to clients. Safe for use by many threads.
///
/// @param spec what clients are told about it
public record ServedTool(ToolSpec spec, Action action) {

    /// What it does.
    @FunctionalInterface
    public interface Action {

        /// Does it.
        ///
        /// @param progress hears how far it has come
        ToolOutcome act(Arguments arguments, Consumer<String> progress, Cancellation cancellation)
                throws InterruptedException;
    }
}
