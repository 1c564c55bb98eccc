package dev.skein.server.metrics;

import dev.skein.message.Cost;
import dev.skein.message.Usage;
import dev.skein.session.LoopStatus;
import dev.skein.tool.ToolOutcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/// Everything that is counted. Labels have few values by construction: methods and statuses are those that exist,
/// routes are templates, models are the first hundred seen.
///
/// Safe for use by many threads.
public final class Meters implements AutoCloseable {

    /// What the answer of [#scrape] is.
    public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");
    private static final Duration[] STEPS = {
        Duration.ofMillis(5),
        Duration.ofMillis(25),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        Duration.ofSeconds(30),
        Duration.ofMinutes(2)
    };
    private static final int MODELS_MAX = 100;
    private static final String OTHER = "other";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics collections = new JvmGcMetrics();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger streams = new AtomicInteger();
    private volatile DoubleSupplier sessions = () -> 0;
    private volatile DoubleSupplier mcpPool = () -> 0;
    private final Set<String> models = ConcurrentHashMap.newKeySet();

    // To find a meter by its labels takes longer than to count, so those of requests are kept at hand.
    private final Map<Answered, Counter> answered = new ConcurrentHashMap<>();
    private final Map<Asked, Timer> took = new ConcurrentHashMap<>();

    private record Asked(String method, String route) {}

    private record Answered(Asked asked, int status) {}

    public Meters() {
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        collections.bindTo(registry);
        gauge("http.requests.in.flight", "Requests being answered.", inFlight::get);
        gauge("streams.open", "Open event streams.", streams::get);
        gauge("mcp.pool.size", "MCP servers kept ready.", () -> mcpPool.getAsDouble());
    }

    /// Why nobody or too many were let in. The values of a label.
    public enum Reason {
        NO_KEY,
        BAD_KEY,
        FORBIDDEN,
        HOST,
        ORIGIN,
        RATE,
        AT_ONCE,
        SERVER_BUSY;

        private String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public void requestBegan() {
        inFlight.incrementAndGet();
    }

    /// `route` is the template of the route, never the path that was asked for.
    public void requestEnded(String method, String route, int status, Duration time) {
        inFlight.decrementAndGet();
        var asked = new Asked(METHODS.contains(method) ? method : OTHER, route);
        answered.computeIfAbsent(new Answered(asked, status), this::counter).increment();
        took.computeIfAbsent(asked, this::timer).record(time);
    }

    private Counter counter(Answered answer) {
        return Counter.builder("http.requests")
                .description("Requests answered.")
                .tag("method", answer.asked().method())
                .tag("route", answer.asked().route())
                .tag("status", String.valueOf(answer.status()))
                .register(registry);
    }

    private Timer timer(Asked asked) {
        return Timer.builder("http.request.duration")
                .description("How long requests took.")
                .tags("method", asked.method(), "route", asked.route())
                .serviceLevelObjectives(STEPS)
                .register(registry);
    }

    public void authFailed(Reason reason) {
        count("auth.failures", "Requests of nobody, or of somebody who may not.", "reason", reason.label(), 1);
    }

    public void rejected(Reason reason) {
        count("rate.limit.rejections", "Requests beyond a limit.", "reason", reason.label(), 1);
    }

    public void runEnded(LoopStatus status) {
        count("runs", "Runs that came to rest.", "status", status.toString(), 1);
    }

    /// `outcome` is how a schedule's run came to rest, or why there was none.
    public void scheduledRun(String outcome) {
        count("scheduled.runs", "Runs of schedules, by what became of them.", "outcome", outcome, 1);
    }

    /// `model` as `provider:model`; `cost` null if nobody knows the price.
    public void modelAnswered(String model, Usage usage, @Nullable Cost cost) {
        var label = bounded(model);
        tokens("input", label, usage.inputTokens());
        tokens("output", label, usage.outputTokens());
        if (cost != null && cost.usd().signum() > 0) {
            count(
                    "cost.usd",
                    "US dollars spent, as far as prices are known.",
                    "model",
                    label,
                    cost.usd().doubleValue());
        }
    }

    public void toolEnded(ToolOutcome outcome) {
        var label = switch (outcome) {
            case ToolOutcome.Answered _ -> "answered";
            case ToolOutcome.Failed _ -> "failed";
            case ToolOutcome.Denied _ -> "denied";
            case ToolOutcome.TimedOut _ -> "timed_out";
            case ToolOutcome.Waits _ -> "waits";
            case ToolOutcome.Unknown _ -> "unknown";
        };
        count("tool.calls", "Tool calls that came to their end.", "outcome", label, 1);
    }

    public void auditLost() {
        count("audit.lost", "Lines that did not make it into the audit log.", "log", "audit", 1);
    }

    public void streamOpened() {
        streams.incrementAndGet();
    }

    public void streamClosed() {
        streams.decrementAndGet();
    }

    /// Who knows how many sessions are open tells it here.
    public void sessionsActive(DoubleSupplier count) {
        sessions = count;
    }

    /// Who has the pool of MCP servers tells its size here.
    public void mcpPoolSize(DoubleSupplier size) {
        mcpPool = size;
    }

    /// Anything else that has a value at any time; dots in the name become underscores.
    public void gauge(String name, String description, DoubleSupplier value) {
        Gauge.builder(name, value::getAsDouble)
                .description(description)
                .strongReference(true)
                .register(registry);
    }

    /// Everything, as Prometheus reads it.
    public String scrape() {
        // The library reserves the ending of this name for counters.
        return registry.scrape() + """
                # HELP sessions_active_total Sessions that are open.
                # TYPE sessions_active_total gauge
                sessions_active_total %s
                """.formatted(sessions.getAsDouble());
    }

    private void tokens(String direction, String model, long count) {
        if (count > 0) {
            Counter.builder("tokens")
                    .description("Tokens that models read and wrote.")
                    .tags("direction", direction, "model", model)
                    .register(registry)
                    .increment((double) count);
        }
    }

    private void count(String name, String description, String label, String value, double amount) {
        Counter.builder(name)
                .description(description)
                .tag(label, value)
                .register(registry)
                .increment(amount);
    }

    private String bounded(String model) {
        if (models.size() < MODELS_MAX) {
            models.add(model);
        }
        return models.contains(model) ? model : OTHER;
    }

    @Override
    public void close() {
        collections.close();
        registry.close();
    }
}
