package dev.skein.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.skein.bench.Report.Bound;
import dev.skein.bench.Report.Unit;
import dev.skein.engine.Engine;
import dev.skein.engine.RequestContext;
import dev.skein.engine.RunRequest;
import dev.skein.engine.RunSettings;
import dev.skein.engine.Workings;
import dev.skein.live.Emitter;
import dev.skein.live.LiveEvent;
import dev.skein.model.Model;
import dev.skein.model.ModelName;
import dev.skein.provider.ProviderRegistry;
import dev.skein.provider.ProviderSettings;
import dev.skein.provider.catalog.ModelCatalog;
import dev.skein.session.LoopStatus;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionStore;
import dev.skein.store.file.Durability;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/// Two thousand runs at once, each on a session of its own, while their provider takes its time. Part of [EngineBench].
final class StreamsBench {

    private static final int RUNS = 2_000;
    private static final int WARM_UP_RUNS = 1_000;

    void run(Lab lab, Report report) throws IOException {
        try (var store = Lab.open(lab.newDirectory(), Durability.ALWAYS);
                var engine = new Engine(store, Workings.real());
                var provider = PacedProvider.start()) {
            var settings = RunSettings.of(model(provider));
            together(engine, settings, sessions(store, WARM_UP_RUNS), Emitter.NONE);

            var sessions = sessions(store, RUNS);
            var cpu = cpu();
            var start = System.nanoTime();
            together(engine, settings, sessions, Emitter.NONE);
            var elapsed = System.nanoTime() - start;
            var cpuUsed = cpu() - cpu;
            report.compared(
                    "%,d runs at once, each a stream of %d pieces (control: one stream)"
                            .formatted(RUNS, PacedProvider.PIECES),
                    Unit.NANOS,
                    (double) elapsed,
                    (double) PacedProvider.TIME.toNanos(),
                    Bound.atMost(1.5));
            report.measured("CPU of one of them, without the provider's", Unit.NANOS, (double) cpuUsed / RUNS);
            report.compared(
                    "complete sessions after that (control: runs)",
                    Unit.COUNT,
                    (double) sessions.stream().filter(StreamsBench::isComplete).count(),
                    RUNS,
                    Bound.atLeast(1));
            sessions.forEach(SessionHandle::close);
            report.measured("memory of a run in mid-stream", Unit.BYTES, memory(store, engine, settings));
        }
    }

    /// All have begun to speak, none is near its end: what is on the heap then, beyond what was there before.
    private static double memory(SessionStore store, Engine engine, RunSettings settings) throws IOException {
        var sessions = sessions(store, RUNS);
        var before = used();
        var heard = new AtomicInteger();
        var inMidStream = new long[1];
        together(engine, settings, sessions, event -> {
            if (event.body() instanceof LiveEvent.AssistantDelta
                    && heard.incrementAndGet() == RUNS * PacedProvider.PIECES / 2) {
                inMidStream[0] = used();
            }
        });
        sessions.forEach(SessionHandle::close);
        return (double) (inMidStream[0] - before) / RUNS;
    }

    /// Of this process, so far.
    private static long cpu() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system.getProcessCpuTime()
                : 0;
    }

    private static long used() {
        System.gc();
        var runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private static List<SessionHandle> sessions(SessionStore store, int count) {
        var sessions = new ArrayList<SessionHandle>();
        for (int i = 0; i < count; i++) {
            sessions.add(store.create(NewSession.in(Lab.SCOPE)));
        }
        return sessions;
    }

    private static void together(Engine engine, RunSettings settings, List<SessionHandle> sessions, Emitter emitter)
            throws IOException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<Future<?>>();
            for (var session : sessions) {
                var context = RequestContext.of("bench", session, settings);
                running.add(threads.submit(() -> engine.run(context, RunRequest.Prompt.text(Lab.text(1)), emitter)));
            }
            for (var run : running) {
                run.get();
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new IOException("a run failed", e);
        }
    }

    private static boolean isComplete(SessionHandle session) {
        var path = session.load().path();
        return path.size() == 1
                && path.getFirst().status() == LoopStatus.COMPLETED
                && path.getFirst().messages().getLast().text().equals(PacedProvider.answer());
    }

    private static Model model(PacedProvider provider) {
        var settings = new ProviderSettings(null, provider.address().toString(), null, null);
        return new ProviderRegistry(
                        Map.of("OPENAI_API_KEY", "a-key-for-nothing"),
                        ModelCatalog.builtIn(),
                        Map.of("openai", settings))
                .open(new ModelName("openai", "bench"));
    }
}
