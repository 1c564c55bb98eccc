package dev.skein.tools.mcp;

import dev.skein.cancellation.Cancellation;
import dev.skein.tool.Tool;
import dev.skein.tools.mcp.client.McpClient;
import dev.skein.tools.mcp.client.ToolListing;
import dev.skein.tools.mcp.config.McpConfig;
import dev.skein.tools.mcp.config.McpServer;
import dev.skein.tools.mcp.pool.McpFactory;
import dev.skein.tools.mcp.pool.McpLease;
import dev.skein.tools.mcp.wire.McpFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The tools of the configured servers, for one user of them: a run, a prompt, a session.
///
/// No server starts before its tools are asked for. Then all start at once, and each is held until this is closed. One
/// that does not come up is told about once, and tried again later. Safe for use by many threads.
public final class McpTools implements AutoCloseable {

    /// What stands between the name of a server and that of its tool.
    public static final String SEPARATOR = "__";

    private static final Duration RETRY_AFTER = Duration.ofSeconds(30);

    private final McpConfig config;
    private final McpFactory factory;
    private final Pins pins;
    private final InstantSource clock;
    private final Consumer<String> problems;
    private final @Nullable Elicitation elicitation;
    private final Map<String, McpLease> leases = new HashMap<>();
    private final Map<String, Instant> failed = new HashMap<>();
    private final Map<String, List<String>> told = new HashMap<>();
    private boolean closed;

    /// @param problems hears of every server and tool that cannot be used
    public McpTools(
            McpConfig config,
            McpFactory factory,
            Pins pins,
            InstantSource clock,
            Consumer<String> problems,
            @Nullable Elicitation elicitation) {
        this.config = config;
        this.factory = factory;
        this.pins = pins;
        this.clock = clock;
        this.problems = problems;
        this.elicitation = elicitation;
    }

    /// The tools there are now. Starts the servers that do not run yet.
    public List<Tool> tools() {
        return tools(config.servers().keySet());
    }

    /// The tools of these servers. Starts those that do not run yet, and no others.
    public List<Tool> tools(Set<String> names) {
        var wanted = config.servers().values().stream()
                .filter(server -> names.contains(server.name()))
                .filter(this::isWorthTrying)
                .toList();
        var found = new LinkedHashMap<String, Tool>();
        var running = new LinkedHashMap<McpServer, Future<ToolListing>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            wanted.forEach(server -> running.put(server, threads.submit(() -> listing(server))));
        }
        running.forEach((server, listing) -> {
            try {
                add(server, listing.get(), found);
            } catch (ExecutionException e) {
                failed(
                        server,
                        String.valueOf(e.getCause() == null ? e : e.getCause().getMessage()));
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        return List.copyOf(found.values());
    }

    private ToolListing listing(McpServer server) throws InterruptedException {
        return client(server, new Cancellation()).tools(new Cancellation());
    }

    private void add(McpServer server, ToolListing listing, Map<String, Tool> found) {
        var complaints = new ArrayList<>(listing.problems());
        for (var info : listing.tools()) {
            var name = ToolName.of(server, info);
            if (found.containsKey(name)) {
                complaints.add("the tool '" + info.name() + "' is left out: another is named " + name);
            } else {
                found.put(name, new McpTool(server, name, info, scope()));
            }
        }
        if (!complaints.isEmpty() && !complaints.equals(told(server, complaints))) {
            complaints.forEach(what -> problems.accept("the MCP server '" + server.name() + "': " + what));
        }
    }

    private @Nullable List<String> told(McpServer server, List<String> complaints) {
        synchronized (leases) {
            return told.put(server.name(), complaints);
        }
    }

    private boolean isWorthTrying(McpServer server) {
        synchronized (leases) {
            var when = failed.get(server.name());
            return when == null || when.plus(RETRY_AFTER).isBefore(clock.instant());
        }
    }

    private void failed(McpServer server, String reason) {
        synchronized (leases) {
            failed.put(server.name(), clock.instant());
        }
        problems.accept(reason);
    }

    /// The server's client; another if it has ended meanwhile.
    private McpClient client(McpServer server, Cancellation cancellation) throws InterruptedException {
        synchronized (leases) {
            var held = leases.get(server.name());
            if (held != null && held.client().ended().isEmpty()) {
                return held.client();
            }
        }
        var fresh = factory.acquire(server, cancellation);
        McpLease replaced;
        synchronized (leases) {
            failed.remove(server.name());
            replaced = closed ? fresh : leases.put(server.name(), fresh);
        }
        if (replaced != null) {
            replaced.close();
        }
        if (replaced == fresh) {
            throw new McpFailure(McpFailure.Kind.ENDED, "the MCP server '" + server.name() + "' is not used any more");
        }
        return fresh.client();
    }

    private McpTool.Scope scope() {
        return new McpTool.Scope() {
            @Override
            public McpClient client(McpServer server, Cancellation cancellation) throws InterruptedException {
                return McpTools.this.client(server, cancellation);
            }

            @Override
            public Pins pins() {
                return pins;
            }

            @Override
            public @Nullable Elicitation elicitation() {
                return elicitation;
            }
        };
    }

    /// Lets go of all servers.
    @Override
    public void close() {
        List<McpLease> held;
        synchronized (leases) {
            closed = true;
            held = List.copyOf(leases.values());
            leases.clear();
        }
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            held.forEach(lease -> threads.execute(lease::close));
        }
    }
}
