package dev.skein.cli.program;

import dev.skein.cancellation.Cancellation;
import dev.skein.tool.Tool;
import dev.skein.tools.mcp.McpTools;
import dev.skein.tools.mcp.Pins;
import dev.skein.tools.mcp.client.ClientTerms;
import dev.skein.tools.mcp.config.McpConfig;
import dev.skein.tools.mcp.config.McpServer;
import dev.skein.tools.mcp.pool.McpFactory;
import dev.skein.tools.mcp.pool.McpLease;
import dev.skein.tools.mcp.pool.PoolTerms;
import dev.skein.tools.process.ChildEnvironment;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// The MCP servers of `mcp.json`. None runs before somebody asks for its tools, and none after this is closed.
public final class Mcp implements AutoCloseable {

    private static final int SECRET_LENGTH_MIN = 8;

    private final McpConfig config;
    private final McpFactory factory;
    private final McpTools tools;
    private final Pins pins;

    private Mcp(McpConfig config, McpFactory factory, McpTools tools, Pins pins) {
        this.config = config;
        this.factory = factory;
        this.tools = tools;
        this.pins = pins;
    }

    static Mcp open(
            Path home, Map<String, String> env, Set<String> variables, Clock clock, Consumer<String> problems) {
        var config = McpConfig.read(home.resolve(McpConfig.FILE), name -> Optional.ofNullable(env.get(name)));
        config.problems().forEach(problem -> problems.accept(problem.toString()));
        var terms = ClientTerms.of(Path.of("").toAbsolutePath(), ChildEnvironment.of(env, variables));
        var factory = new McpFactory(terms, PoolTerms.forOne(), clock);
        var pins = new Pins(home.resolve(Pins.FILE));
        return new Mcp(config, factory, new McpTools(config, factory, pins, clock, problems, null), pins);
    }

    public McpConfig config() {
        return config;
    }

    /// The tools of all servers; starts those that do not run yet.
    public List<Tool> tools() {
        return config.servers().isEmpty() ? List.of() : tools.tools();
    }

    /// Starts one server, or joins those who use it.
    public McpLease acquire(McpServer server, Cancellation cancellation) throws InterruptedException {
        return factory.acquire(server, cancellation);
    }

    public Pins pins() {
        return pins;
    }

    /// What servers are given under a name and is long enough to be a secret.
    Map<String, String> secrets() {
        var secrets = new HashMap<>(config.secrets());
        secrets.values().removeIf(value -> value.length() < SECRET_LENGTH_MIN);
        return secrets;
    }

    @Override
    public void close() {
        tools.close();
        factory.close();
    }
}
