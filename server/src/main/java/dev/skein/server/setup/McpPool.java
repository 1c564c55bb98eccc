package dev.skein.server.setup;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The MCP servers whose tools runs are offered.
public interface McpPool {

    /// There are none.
    McpPool NONE = new McpPool() {
        @Override
        public State info() {
            return new State(0, 0, 0, 0, 0, 0, 0, 0, 0, List.of());
        }

        @Override
        public State reload() {
            return info();
        }
    };

    State info();

    /// Reads again which there are. Runs that have begun keep what they have.
    State reload();

    /// How many run, and what happened since the start.
    ///
    /// @param shared times a run joined others who use a server
    /// @param revived times one was taken up again that nobody used
    /// @param evicted those that were ended because nobody used them
    /// @param broken those that ended by themselves, or were ended because they were not well
    /// @param failed those that did not come up
    record State(
            int active,
            int idle,
            int starting,
            long spawned,
            long shared,
            long revived,
            long evicted,
            long broken,
            long failed,
            List<Listed> servers) {
        public State {
            servers = List.copyOf(servers);
        }
    }

    /// One server.
    ///
    /// @param state ready (it does not run), starting, active, idle, ending (it is not wanted any more), disabled
    ///     or wrong
    record Listed(
            String name,
            String state,
            @Nullable String type,
            int holders,
            @Nullable String problem) {}
}
