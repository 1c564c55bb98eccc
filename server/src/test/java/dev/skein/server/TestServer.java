package dev.skein.server;

import dev.skein.cancellation.Cancellation;
import dev.skein.engine.AppState;
import dev.skein.engine.Engine;
import dev.skein.engine.EngineSettings;
import dev.skein.engine.Pause;
import dev.skein.engine.Timers;
import dev.skein.engine.Workings;
import dev.skein.engine.household.AgentRuntime;
import dev.skein.engine.role.Roles;
import dev.skein.engine.schedule.Schedules;
import dev.skein.engine.scope.ToolSource;
import dev.skein.redaction.Redaction;
import dev.skein.retrieval.Retrievers;
import dev.skein.server.audit.AuditLog;
import dev.skein.server.auth.Authentication;
import dev.skein.server.auth.Caller;
import dev.skein.server.auth.Grant;
import dev.skein.server.gate.Gate;
import dev.skein.server.gate.GateOptions;
import dev.skein.server.health.Health;
import dev.skein.server.limit.Rate;
import dev.skein.server.metrics.Meters;
import dev.skein.server.setup.Backend;
import dev.skein.server.setup.Exports;
import dev.skein.server.setup.ServerOptions;
import dev.skein.server.trace.Traces;
import dev.skein.session.Ids;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionStore;
import dev.skein.store.memory.MemorySessionStore;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolRequest;
import dev.skein.tool.ToolSpec;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import tools.jackson.databind.node.JsonNodeFactory;

/// A server on a real socket, with a model that does what it is told. The token of a caller is their name; `admin` may
/// do everything, others everything but what is for admins, and `reader` may only read.
final class TestServer implements AutoCloseable {

    static final ServerOptions OPTIONS = ServerOptions.standard()
            .on("127.0.0.1", 0)
            .withHeartbeat(Duration.ofMillis(200))
            .withDrainTime(Duration.ofSeconds(1));

    final TalkingModel model = new TalkingModel();
    final SessionStore store;
    final Engine engine;
    final Server server;
    final Meters meters = new Meters();
    private final boolean ownsStore;

    TestServer() {
        this(OPTIONS);
    }

    TestServer(ServerOptions options) {
        this(options, new MemorySessionStore(Clock.systemUTC(), ids()), true, Duration.ofSeconds(30));
    }

    TestServer(ServerOptions options, SessionStore store, boolean ownsStore, Duration lockWait) {
        this(options, store, ownsStore, lockWait, Extras.NONE);
    }

    TestServer(ServerOptions options, Extras extras) {
        this(options, new MemorySessionStore(Clock.systemUTC(), ids()), true, Duration.ofSeconds(30), extras);
    }

    /// What some tests want otherwise: who gets in, who traces, more tools, time, how long connections may be idle,
    /// schedules and the clock by which they are due.
    record Extras(
            Authentication authentication,
            Traces traces,
            List<Tool> tools,
            Timers timers,
            Duration idle,
            Schedules schedules,
            Clock clock) {

        static final Extras NONE = new Extras(
                TestServer::caller,
                Traces.OFF,
                List.of(),
                Timers.daemon(),
                GateOptions.STANDARD.idle(),
                Schedules.NONE,
                Clock.systemUTC());

        Extras idleFor(Duration newIdle) {
            return new Extras(authentication, traces, tools, timers, newIdle, schedules, clock);
        }

        Extras with(Authentication newAuthentication) {
            return new Extras(newAuthentication, traces, tools, timers, idle, schedules, clock);
        }

        Extras with(Traces newTraces) {
            return new Extras(authentication, newTraces, tools, timers, idle, schedules, clock);
        }

        Extras with(Timers newTimers, Tool... newTools) {
            return new Extras(authentication, traces, List.of(newTools), newTimers, idle, schedules, clock);
        }

        Extras with(Schedules newSchedules, Clock newClock) {
            return new Extras(authentication, traces, tools, timers, idle, newSchedules, newClock);
        }
    }

    TestServer(ServerOptions options, SessionStore store, boolean ownsStore, Duration lockWait, Extras extras) {
        this.store = store;
        this.ownsStore = ownsStore;
        this.engine = new Engine(
                store,
                Workings.of(extras.clock(), new SecureRandom(), Pause.REAL).waitingFor(lockWait));
        var ids = ids();
        var app = new AppState(
                store,
                model,
                Stream.concat(
                                Stream.of(
                                        new TestTool("look", ToolSpec.Effect.READS),
                                        new TestTool("act", ToolSpec.Effect.ACTS)),
                                extras.tools().stream())
                        .toList(),
                ToolSource.NONE,
                Roles.NONE,
                new TestAgents(),
                AgentRuntime.standard(engine, ids, Clock.systemUTC()),
                Retrievers.NONE,
                EngineSettings.STANDARD);
        var backend = new Backend(
                app,
                engine,
                new MemorySessionStore(Clock.systemUTC(), ids),
                new PlainExports(),
                ids,
                extras.clock(),
                extras.timers(),
                "test");
        this.server = Server.start(backend.with(extras.schedules()), options, gate(options, ids, meters, extras));
    }

    /// Like the real one, but that nobody is slowed down.
    private static Gate gate(ServerOptions options, Ids ids, Meters meters, Extras extras) {
        var sizes = GateOptions.Sizes.STANDARD;
        var gateOptions = GateOptions.STANDARD
                .withRates(new Rate(100_000, 1_000_000), new Rate(100_000, 1_000_000))
                .withAtOnce(100_000, 100_000)
                .withTimes(GateOptions.STANDARD.slow(), extras.idle())
                .withSizes(
                        new GateOptions.Sizes(options.bodyMax(), sizes.headers(), sizes.headerBytes(), sizes.line()));
        var audit = AuditLog.open(
                temporary(), AuditLog.Options.STANDARD, Redaction.SHAPES, Clock.systemUTC(), meters::auditLost);
        var health = new Health(() -> {}, Duration.ofSeconds(10), System::nanoTime);
        return new Gate(
                gateOptions,
                new Gate.Parts(extras.authentication(), meters, audit, health, extras.traces()),
                new RouteRules(),
                ids);
    }

    private static Path temporary() {
        try {
            var directory = Files.createTempDirectory("skein-test-server");
            directory.toFile().deleteOnExit();
            var file = directory.resolve("audit.log");
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Ids ids() {
        return new Ids(Clock.systemUTC(), new SecureRandom());
    }

    private static Optional<Caller> caller(String authorization) {
        if (authorization == null || !authorization.startsWith("Bearer ")) {
            return Optional.empty();
        }
        var name = authorization.substring("Bearer ".length());
        return Optional.of(new Caller(name, grants(name)));
    }

    private static Set<Grant> grants(String name) {
        return switch (name) {
            case "admin" -> EnumSet.allOf(Grant.class);
            case "reader" -> EnumSet.of(Grant.READ_SESSIONS);
            default -> EnumSet.complementOf(EnumSet.of(Grant.ADMIN_MCP, Grant.ADMIN_METRICS, Grant.ADMIN_SESSIONS));
        };
    }

    Client client(String name) {
        return new Client(server.port(), name);
    }

    @Override
    public void close() {
        server.close();
        engine.close();
        if (ownsStore) {
            store.close();
        }
    }

    /// A tool that says what it was given.
    record TestTool(String name, ToolSpec.Effect effect) implements Tool {
        @Override
        public ToolSpec spec() {
            return new ToolSpec(
                    name,
                    "For tests.",
                    JsonNodeFactory.instance.objectNode().put("type", "object"),
                    ToolSpec.Repeat.SAFE,
                    effect);
        }

        @Override
        public ToolOutcome run(ToolRequest request, Cancellation cancellation) {
            return ToolOutcome.Answered.text(
                    name + " of " + request.call().arguments().path("value").asString(""));
        }
    }

    private static final class PlainExports implements Exports {
        @Override
        public Optional<Format> format(String name) {
            return name.equals("json") ? Optional.of(new Plain()) : Optional.empty();
        }

        @Override
        public String names() {
            return "json";
        }
    }

    private static final class Plain implements Exports.Format {
        @Override
        public String mediaType() {
            return "application/json";
        }

        @Override
        public void write(SessionHandle session, OutputStream out) throws IOException {
            out.write(("{\"id\":\"" + session.id() + "\"}").getBytes(StandardCharsets.UTF_8));
        }
    }

    /// Waits until it is so; fails if it never is.
    static void await(BooleanSupplier condition) {
        var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("it never came to that");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    static Random random(long seed) {
        return new Random(seed);
    }
}
