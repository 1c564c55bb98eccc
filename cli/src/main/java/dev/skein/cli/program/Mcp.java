package dev.skein.cli.program;

import dev.skein.cancellation.Cancellation;
import dev.skein.cli.vault.Interpolation;
import dev.skein.engine.scope.ToolSource;
import dev.skein.failure.InvalidRequest;
import dev.skein.redaction.Redaction;
import dev.skein.tool.Tool;
import dev.skein.tools.mcp.McpTools;
import dev.skein.tools.mcp.Pins;
import dev.skein.tools.mcp.client.ClientTerms;
import dev.skein.tools.mcp.config.McpConfig;
import dev.skein.tools.mcp.config.McpConfigFile;
import dev.skein.tools.mcp.config.McpServer;
import dev.skein.tools.mcp.pool.McpFactory;
import dev.skein.tools.mcp.pool.McpLease;
import dev.skein.tools.mcp.pool.PoolTerms;
import dev.skein.tools.process.ChildEnvironment;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The MCP servers of `mcp.json`. None runs before somebody asks for its tools, and none after this is closed.
public final class Mcp implements ToolSource, AutoCloseable {

    private static final int SECRET_LENGTH_MIN = 8;

    private final McpConfigFile file;
    private final Function<String, Optional<String>> variables;
    private final McpConfig config;
    private final McpFactory factory;
    private final McpTools tools;
    private final Pins pins;

    private Mcp(
            McpConfigFile file,
            Function<String, Optional<String>> variables,
            McpConfig config,
            McpFactory factory,
            McpTools tools,
            Pins pins) {
        this.file = file;
        this.variables = variables;
        this.config = config;
        this.factory = factory;
        this.tools = tools;
        this.pins = pins;
    }

    static Mcp open(
            Path home,
            Map<String, String> env,
            Interpolation secrets,
            Map<String, String> unspeakable,
            Set<String> variables,
            Clock clock,
            Consumer<String> problems) {
        var file = home.resolve(McpConfig.FILE);
        var values = secrets.values();
        var config = McpConfig.read(file, values);
        config.problems().forEach(problem -> problems.accept(problem.toString()));
        var given = new HashMap<>(unspeakable);
        given.putAll(longEnough(config.secrets()));
        var terms = ClientTerms.of(Path.of("").toAbsolutePath(), ChildEnvironment.of(env, variables))
                .withRedaction(Redaction.of(given));
        var factory = new McpFactory(terms, PoolTerms.forOne(), clock);
        var pins = new Pins(home.resolve(Pins.FILE));
        var tools = new McpTools(config, factory, pins, clock, problems, null);
        return new Mcp(new McpConfigFile(file), values, config, factory, tools, pins);
    }

    /// What is wrong with what would be written about a server; empty if nothing is.
    public Optional<McpConfig.Problem> check(String name, JsonNode entry) {
        return McpConfig.check(name, entry, variables);
    }

    /// The file the servers are in.
    public McpConfigFile file() {
        return file;
    }

    public McpConfig config() {
        return config;
    }

    /// The tools of these servers, of all for null; starts those that do not run yet.
    @Override
    public List<Tool> tools(@Nullable List<String> servers) {
        for (var name : servers == null ? List.<String>of() : servers) {
            if (!config.servers().containsKey(name)) {
                throw new InvalidRequest("there is no MCP server '" + name + "' in " + McpConfig.FILE + "; there are "
                        + List.copyOf(config.servers().keySet()));
            }
        }
        var wanted = servers == null ? config.servers().keySet() : new LinkedHashSet<>(servers);
        return wanted.isEmpty() ? List.of() : tools.tools(wanted);
    }

    /// Starts one server, or joins those who use it.
    public McpLease acquire(McpServer server, Cancellation cancellation) throws InterruptedException {
        return factory.acquire(server, cancellation);
    }

    /// How many servers run, idle ones included.
    public int running() {
        return factory.counters().servers().size();
    }

    public Pins pins() {
        return pins;
    }

    /// What servers are given under a name and is long enough to be a secret.
    Map<String, String> secrets() {
        return longEnough(config.secrets());
    }

    private static Map<String, String> longEnough(Map<String, String> values) {
        var secrets = new HashMap<>(values);
        secrets.values().removeIf(value -> value.length() < SECRET_LENGTH_MIN);
        return secrets;
    }

    @Override
    public void close() {
        tools.close();
        factory.close();
    }
}
