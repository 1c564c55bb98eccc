package dev.skein.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.skein.engine.AppState;
import dev.skein.engine.Engine;
import dev.skein.engine.EngineSettings;
import dev.skein.engine.Timers;
import dev.skein.engine.Workings;
import dev.skein.redaction.Redaction;
import dev.skein.server.RouteRules;
import dev.skein.server.Server;
import dev.skein.server.audit.AuditLog;
import dev.skein.server.auth.Authentications;
import dev.skein.server.auth.Grant;
import dev.skein.server.auth.KeyFile;
import dev.skein.server.auth.StaticKeys;
import dev.skein.server.gate.Gate;
import dev.skein.server.gate.GateOptions;
import dev.skein.server.health.Health;
import dev.skein.server.limit.Rate;
import dev.skein.server.metrics.Meters;
import dev.skein.server.setup.Backend;
import dev.skein.server.setup.Exports;
import dev.skein.server.setup.ServerOptions;
import dev.skein.server.trace.Traces;
import dev.skein.session.Exchange;
import dev.skein.session.Ids;
import dev.skein.session.Scope;
import dev.skein.session.SessionId;
import dev.skein.store.NewSession;
import dev.skein.store.file.FileSessionStore;
import dev.skein.store.memory.MemorySessionStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The other process of [ServedProcess]: a whole server, with keys, limits, audit log and a durable file store, but for
/// the model, which is [PacedModel]. Ends when its standard input does.
final class ServedChild implements AutoCloseable {

    /// What begins a line that is meant for the other process, and no line of a log.
    static final String ANSWER = "> ";

    private static final String OWNER = "bench";
    private static final String STREAMS = "streams_open ";
    private static final int EVERYBODY = 100_000;
    private static final Duration GIVING_BACK = Duration.ofSeconds(2);

    private final FileSessionStore store;
    private final Engine engine;
    private final Meters meters;
    private final AuditLog audit;
    private final Server server;
    private final BareServer bare = new BareServer();
    private final String key;
    private final Ids ids = new Ids(Clock.systemUTC(), new SecureRandom());

    private ServedChild(Path home) {
        this.store = FileSessionStore.open(home.resolve("store"));
        this.engine = new Engine(store, Workings.real());
        var keys = new KeyFile(home.resolve("keys.yaml"));
        var grants = Arrays.stream(Grant.values()).map(Grant::wire).toList();
        this.key = keys.create(OWNER, grants, Clock.systemUTC(), new SecureRandom())
                .key();
        this.meters = new Meters();
        this.audit = AuditLog.open(
                home.resolve("audit.log"),
                AuditLog.Options.STANDARD,
                Redaction.SHAPES,
                Clock.systemUTC(),
                meters::auditLost);
        var authentication = new Authentications(List.of(new StaticKeys(keys, System::nanoTime)));
        var health = new Health(() -> {}, Duration.ofSeconds(5), System::nanoTime);
        // One caller stands for thousands here, so the limits of one are those of all.
        var limits = GateOptions.STANDARD
                .withRates(new Rate(1_000_000, 1_000_000), new Rate(1, 20))
                .withAtOnce(EVERYBODY, EVERYBODY);
        var gate = new Gate(
                limits, new Gate.Parts(authentication, meters, audit, health, Traces.OFF), new RouteRules(), ids);
        var backend = new Backend(
                new AppState(store, new PacedModel(), List.of(), EngineSettings.STANDARD),
                engine,
                new MemorySessionStore(Clock.systemUTC(), ids),
                new NoExports(),
                ids,
                Clock.systemUTC(),
                Timers.daemon(),
                "bench");
        this.server = Server.start(backend, ServerOptions.standard().on("127.0.0.1", 0), gate);
    }

    public static void main(String[] args) throws IOException {
        var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        try (var child = new ServedChild(Files.createDirectories(Path.of(args[0])));
                var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            out.println(ANSWER + child.server.port() + " " + child.key);
            for (var line = in.readLine(); line != null; line = in.readLine()) {
                out.println(ANSWER + child.answer(line.split(" ")));
            }
        }
    }

    private String answer(String[] words) throws IOException {
        return switch (words[0]) {
            case "bare" -> String.valueOf(bare.port());
            case "cpu" -> String.valueOf(cpu());
            case "resident" -> String.valueOf(resident());
            case "streams" -> String.valueOf(streams());
            case "used" -> String.valueOf(used());
            case "sessions" -> sessions(Integer.parseInt(words[1]));
            case "said" -> String.valueOf(said(words[1], Integer.parseInt(words[2])));
            default -> throw new IllegalArgumentException(words[0]);
        };
    }

    private static long cpu() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system.getProcessCpuTime()
                : 0;
    }

    /// Heap and buffers outside of it, when the garbage is gone. Stacks of virtual threads are on the heap.
    private static long used() {
        System.gc();
        var outside = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() + outside;
    }

    /// What the process has of the machine's memory, when the garbage is gone and what held it is given back, which
    /// takes the virtual machine a while.
    private static long resident() throws IOException {
        System.gc();
        var before = Long.MAX_VALUE;
        var now = residentNow();
        while (now < before) {
            before = now;
            TailsBench.pause(GIVING_BACK);
            now = residentNow();
        }
        return now;
    }

    private static long residentNow() throws IOException {
        var line = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(each -> each.startsWith("VmRSS:"))
                .findFirst()
                .orElse("VmRSS: 0 kB");
        return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
    }

    /// How many streams are open.
    private int streams() {
        return meters.scrape()
                .lines()
                .filter(line -> line.startsWith(STREAMS))
                .mapToInt(line -> (int) Double.parseDouble(line.substring(STREAMS.length())))
                .sum();
    }

    private String sessions(int count) {
        var ids = new StringBuilder();
        for (int i = 0; i < count; i++) {
            try (var session = store.create(NewSession.in(Scope.ofOwner(OWNER)))) {
                ids.append(session.id()).append(' ');
            }
        }
        return ids.toString();
    }

    /// Somebody says something in a session, and is answered with so many characters; how long that took to be kept.
    private long said(String session, int length) {
        try (var handle = store.open(Scope.ofOwner(OWNER), SessionId.of(session))) {
            var turn =
                    Exchange.of(ids, Clock.systemUTC().instant(), handle.state().head(), "go on", "x".repeat(length));
            var start = System.nanoTime();
            handle.append(turn);
            return System.nanoTime() - start;
        }
    }

    @Override
    public void close() {
        bare.close();
        server.close();
        engine.close();
        store.close();
        audit.close();
    }

    private static final class NoExports implements Exports {
        @Override
        public Optional<Format> format(String name) {
            return Optional.empty();
        }

        @Override
        public String names() {
            return "none";
        }
    }
}
