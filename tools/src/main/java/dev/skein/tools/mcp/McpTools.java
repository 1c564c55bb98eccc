package dev.skein.tools.mcp;

import dev.skein.cancellation.Cancellation;
import dev.skein.tool.Keeper;
import dev.skein.tool.Tool;
import dev.skein.tools.mcp.client.ToolListing;
import dev.skein.tools.mcp.config.McpConfig;
import dev.skein.tools.mcp.config.McpServer;
import dev.skein.tools.mcp.config.ServerKey;
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
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The tools of the configured servers, for whoever has runs: a program, a service.
///
/// No server starts before its tools are asked for. Then all that are wanted start at once, and whoever asked waits,
/// but
/// not for long. Each run keeps the servers it was offered tools of, and no others, by their [Keeper]; so runs with
/// different servers have nothing to do with each other. One that does not come up is told about, and tried again
/// later.
/// Safe for use by many threads.
public final class McpTools implements AutoCloseable {

    /// What stands between the name of a server and that of its tool.
    public static final String SEPARATOR = "__";

    private static final Duration RETRY_AFTER = Duration.ofSeconds(30);

    /// From when tools are listed until the run begins that they were listed for.
    private static final Duration GRACE = Duration.ofSeconds(60);

    private final McpFactory factory;
    private final Terms terms;
    private final InstantSource clock;
    private final Map<ServerKey, Failed> failed = new HashMap<>();
    private final Map<String, List<String>> told = new HashMap<>();
    private final Map<String, OngoingCall> parked = new ConcurrentHashMap<>();

    /// What each server offered last.
    private final Map<ServerKey, List<Tool>> offered = new ConcurrentHashMap<>();

    private volatile McpConfig config;
    private volatile boolean closed;

    /// How servers are dealt with.
    ///
    /// @param startWait how long whoever asks for tools waits for servers that are slow to start
    /// @param problems hears once of every server and tool that cannot be used
    /// @param sampler asks a model for servers that may; null if none may
    public record Terms(
            Pins pins,
            Duration startWait,
            Consumer<String> problems,
            @Nullable Sampler sampler) {}

    private record Failed(Instant when, String reason) {}

    public McpTools(McpConfig config, McpFactory factory, Terms terms, InstantSource clock) {
        this.config = config;
        this.factory = factory;
        this.terms = terms;
        this.clock = clock;
    }

    public McpConfig config() {
        return config;
    }

    /// From now on these are the servers. Runs that have begun keep theirs.
    public void reload(McpConfig changed) {
        synchronized (failed) {
            failed.clear();
            told.clear();
            config = changed;
        }
        offered.keySet()
                .retainAll(
                        changed.servers().values().stream().map(ServerKey::of).toList());
        factory.reload(changed.servers().values());
    }

    /// The tools of the configured servers that were asked for theirs, by server, as each named them last. Asks and
    /// starts none.
    public Map<String, List<Tool>> offered() {
        var known = new LinkedHashMap<String, List<Tool>>();
        for (var server : config.servers().values()) {
            var tools = offered.get(ServerKey.of(server));
            if (tools != null) {
                known.put(server.name(), tools);
            }
        }
        return known;
    }

    /// The tools there are now. Starts the servers that do not run yet.
    public List<Tool> tools() {
        return tools(config.servers().keySet(), _ -> {});
    }

    /// The tools of these servers. Starts those that do not run yet, and no others.
    ///
    /// @param warnings hears of every server whose tools are missing
    public List<Tool> tools(Set<String> names, Consumer<String> warnings) {
        var running = new LinkedHashMap<McpServer, CompletableFuture<ToolListing>>();
        for (var server : config.servers().values()) {
            if (names.contains(server.name())) {
                failure(server)
                        .ifPresentOrElse(
                                reason -> warn(server, reason, warnings), () -> running.put(server, listing(server)));
            }
        }
        var found = new LinkedHashMap<String, Tool>();
        var deadline = System.nanoTime() + terms.startWait().toNanos();
        running.forEach((server, listing) -> {
            try {
                add(server, listing.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS), found);
            } catch (ExecutionException e) {
                warn(server, reason(e), warnings);
            } catch (TimeoutException _) {
                warn(
                        server,
                        "the MCP server '" + server.name() + "' is still starting after "
                                + terms.startWait().toSeconds() + " s; going on without its tools",
                        warnings);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        });
        return List.copyOf(found.values());
    }

    /// Goes on when nobody waits any more, so that whoever asks next finds the server ready.
    private CompletableFuture<ToolListing> listing(McpServer server) {
        var listing = new CompletableFuture<ToolListing>();
        Thread.ofVirtual().name("mcp " + server.name() + " tools").start(() -> {
            try {
                listing.complete(listed(server));
            } catch (InterruptedException | RuntimeException e) {
                synchronized (failed) {
                    failed.put(ServerKey.of(server), new Failed(clock.instant(), String.valueOf(e.getMessage())));
                }
                listing.completeExceptionally(e);
            }
        });
        return listing;
    }

    private ToolListing listed(McpServer server) throws InterruptedException {
        var lease = acquire(server, new Cancellation());
        try {
            return lease.client().tools(new Cancellation());
        } finally {
            lease.giveBack(GRACE);
        }
    }

    private static String reason(ExecutionException e) {
        return String.valueOf(e.getCause() == null ? e : e.getCause().getMessage());
    }

    private void add(McpServer server, ToolListing listing, Map<String, Tool> found) {
        var complaints = new ArrayList<>(listing.problems());
        var its = new ArrayList<Tool>();
        for (var info : listing.tools()) {
            var name = ToolName.of(server, info);
            if (found.containsKey(name)) {
                complaints.add("the tool '" + info.name() + "' is left out: another is named " + name);
            } else {
                its.add(new McpTool(server, name, info, new Scope()));
                found.put(name, its.getLast());
            }
        }
        offered.put(ServerKey.of(server), List.copyOf(its));
        if (!complaints.isEmpty() && isNews(server, complaints)) {
            complaints.forEach(what -> terms.problems().accept("the MCP server '" + server.name() + "': " + what));
        }
    }

    /// Why it is not worth trying again yet; empty if it is.
    private Optional<String> failure(McpServer server) {
        synchronized (failed) {
            var last = failed.get(ServerKey.of(server));
            return last == null || last.when().plus(RETRY_AFTER).isBefore(clock.instant())
                    ? Optional.empty()
                    : Optional.of(last.reason());
        }
    }

    private void warn(McpServer server, String reason, Consumer<String> warnings) {
        warnings.accept(reason);
        if (isNews(server, List.of(reason))) {
            terms.problems().accept(reason);
        }
    }

    private boolean isNews(McpServer server, List<String> words) {
        synchronized (failed) {
            return !words.equals(told.put(server.name(), words));
        }
    }

    private McpLease acquire(McpServer server, Cancellation cancellation) throws InterruptedException {
        if (closed) {
            throw new McpFailure(McpFailure.Kind.ENDED, "the MCP server '" + server.name() + "' is not used any more");
        }
        var lease = factory.acquire(server, cancellation);
        synchronized (failed) {
            failed.remove(ServerKey.of(server));
        }
        return lease;
    }

    /// Keeps one server running.
    private record ServerKeeper(McpFactory factory, McpServer server) implements Keeper {
        @Override
        public Kept keep() {
            var lease = factory.acquireRunning(server);
            return () -> lease.ifPresent(McpLease::close);
        }
    }

    private final class Scope implements McpTool.Scope {
        @Override
        public McpLease acquire(McpServer server, Cancellation cancellation) throws InterruptedException {
            var held = factory.acquireRetired(server);
            return held.isPresent() ? held.get() : McpTools.this.acquire(server, cancellation);
        }

        @Override
        public Keeper keeper(McpServer server) {
            return new ServerKeeper(factory, server);
        }

        @Override
        public Pins pins() {
            return terms.pins();
        }

        @Override
        public @Nullable Sampler sampler() {
            return terms.sampler();
        }

        @Override
        public Map<String, OngoingCall> parked() {
            return parked;
        }
    }

    /// No server is used any more, and none started.
    @Override
    public void close() {
        closed = true;
        parked.values().forEach(OngoingCall::cancel);
    }
}
