package dev.skein.bench;

import dev.skein.bench.Report.Bound;
import dev.skein.bench.Report.Unit;
import dev.skein.testkit.http.EventReader;
import dev.skein.testkit.http.PlainHttp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/// Clients that follow a session and stop reading: whom does that hurt?
final class StalledBench implements Bench {

    private static final int CLIENTS = 500;
    private static final int APPENDS = 300;
    private static final int WARM_UP = 50;
    private static final int PAGE = 4_096;
    private static final String SAID = "{\"description\":\"" + "a long description ".repeat(300) + "\"}";

    @Override
    public String name() {
        return "stalled";
    }

    @Override
    public String question() {
        return "clients that follow a session and do not read";
    }

    @Override
    public void run(Lab lab, Report report) throws IOException {
        try (var server = ServedProcess.start(lab.newDirectory(), "-Xmx1g")) {
            var sessions = server.sessions(2);
            measure(server, sessions.getFirst(), sessions.getLast(), report);
        }
    }

    private static void measure(ServedProcess server, String followed, String alone, Report report) throws IOException {
        var connections = new ArrayList<PlainHttp>();
        try (var writer = server.connect()) {
            for (int i = 0; i < WARM_UP; i++) {
                append(writer, alone);
            }
            var memory = server.resident();
            var kernel = socketMemory();
            var readers = new ArrayList<EventReader>();
            for (int i = 0; i < CLIENTS; i++) {
                var http = new PlainHttp(server.port(), server.key(), PAGE, 256);
                connections.add(http);
                readers.add(http.events("GET", "/v1/sessions/" + followed + "/events?newest=0", Map.of(), null));
            }
            var with = new ArrayList<Long>();
            var without = new ArrayList<Long>();
            for (int i = 0; i < APPENDS; i++) {
                with.add(append(writer, followed));
                without.add(append(writer, alone));
            }
            report.compared(
                    "an append while %d who follow do not read, 99th percentile (control: nobody follows)"
                            .formatted(CLIENTS),
                    Unit.NANOS,
                    ServerBench.percentile(with, 0.99),
                    ServerBench.percentile(without, 0.99),
                    Bound.atMost(1.2));
            report.compared(
                    "the same, median",
                    Unit.NANOS,
                    ServerBench.percentile(with, 0.5),
                    ServerBench.percentile(without, 0.5),
                    Bound.atMost(1.2));
            report.measured(
                    "memory of one who does not read",
                    Unit.BYTES,
                    (server.resident() - memory) / (double) CLIENTS,
                    Bound.atMost(64 * 1024, Unit.BYTES));
            report.measured(
                    "memory that the system keeps for one, both ends",
                    Unit.BYTES,
                    (socketMemory() - kernel) / (double) CLIENTS);
            ends(server, followed, readers, report);
        } finally {
            ServerBench.close(connections);
        }
    }

    /// When they read again they find the end of their stream, and come again with the id of the last event they got.
    private static void ends(ServedProcess server, String session, List<EventReader> readers, Report report)
            throws IOException {
        var ended = new AtomicInteger();
        var resumed = new AtomicInteger();
        ServerBench.together(readers.size(), number -> {
            var last = lastOf(readers.get(number));
            ended.incrementAndGet();
            try (var http = server.connect()) {
                var events =
                        http.events("GET", "/v1/sessions/" + session + "/events", Map.of("Last-Event-ID", last), null);
                var next = events.next();
                if (next != null && Long.parseLong(String.valueOf(next.id())) == Long.parseLong(last) + 1) {
                    resumed.incrementAndGet();
                }
            }
        });
        report.compared(
                "of them disconnected, and back with the next event (control: clients)",
                Unit.COUNT,
                Math.min(ended.get(), resumed.get()),
                CLIENTS,
                Bound.atLeast(1));
    }

    private static String lastOf(EventReader reader) {
        var last = "1";
        try {
            for (var event = reader.next(); event != null; event = reader.next()) {
                last = event.id() == null ? last : event.id();
            }
        } catch (IOException _) {
            // Cut off in the middle of an event.
        }
        return last;
    }

    private static long append(PlainHttp http, String session) throws IOException {
        var start = System.nanoTime();
        var answer = http.ask("PATCH", "/v1/sessions/" + session, SAID);
        if (answer.status() != 200) {
            throw new IOException(answer.body());
        }
        return System.nanoTime() - start;
    }

    /// Bytes in the buffers of all TCP sockets of the machine, 0 where nobody says.
    private static long socketMemory() throws IOException {
        var file = Path.of("/proc/net/sockstat");
        if (!Files.isReadable(file)) {
            return 0;
        }
        var words = Files.readAllLines(file).stream()
                .filter(line -> line.startsWith("TCP:"))
                .flatMap(line -> Arrays.stream(line.split(" ")))
                .toList();
        var at = words.indexOf("mem");
        return at < 0 ? 0 : Long.parseLong(words.get(at + 1)) * PAGE;
    }
}
