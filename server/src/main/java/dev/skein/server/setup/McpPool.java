package dev.skein.server.setup;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The MCP servers whose tools runs are offered.
public interface McpPool {

    /// There are none.
    McpPool NONE = new McpPool() {
        @Override
        public Info info() {
            return new Info(0, 0, 0, 0, 0, 0, 0, 0, 0, List.of());
        }

        @Override
        public Info reload() {
            return info();
        }
    };

    Info info();

    /// Reads again which there are. Runs that have begun keep what they have.
    Info reload();

    /// How many run, and what happened since the start.
    ///
    /// @param shared times a run joined others who use a server
    /// @param revived times one was taken up again that nobody used
    /// @param evicted those that were ended because nobody used them
    /// @param broken those that ended by themselves, or were ended because they were not well
    /// @param failed those that did not come up
    record Info(
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
        public Info {
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
