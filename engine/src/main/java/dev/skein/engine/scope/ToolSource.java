package dev.skein.engine.scope;

import dev.skein.tool.Tool;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Tools that take a moment to be had, because others have them: those of MCP servers. Not asked where they are not
/// wanted. Safe for use by many threads.
public interface ToolSource {

    ToolSource NONE = _ -> List.of();

    /// The tools of these servers; of all that are configured, for null. A server that is in two lists runs once, and
    /// one that is in none need not run.
    ///
    /// @throws dev.skein.failure.InvalidRequest if a server is named that is not configured
    List<Tool> tools(@Nullable List<String> servers);

    /// The same for one run, which hears of every server that it has to do without.
    default List<Tool> tools(@Nullable List<String> servers, Consumer<String> warnings) {
        return tools(servers);
    }

    /// What is known of each configured server and its tools without asking or starting any.
    default List<Known> known() {
        return List.of();
    }

    /// A server.
    ///
    /// @param listed whether it ever said which tools it has
    /// @param tools those it named last
    record Known(String server, boolean listed, List<Tool> tools) {
        public Known {
            tools = List.copyOf(tools);
        }
    }
}
