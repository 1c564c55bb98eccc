package dev.skein.bench;

import dev.skein.bench.Report.Bound;
import dev.skein.bench.Report.Unit;
import dev.skein.testkit.http.PlainHttp;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/// What does the server add to the web server below it, and does it lose anything when very many ask at once?
final class ServerBench implements Bench {

    private static final int COMPLETIONS = 2_000;
    private static final int WARM_UP = 1_000;
    private static final int WARM_UP_ROUNDS = 3;
    private static final int READERS = 8;
    private static final int READS = 20_000;

    /// Long enough that the compiler is done with both: what it does is the server's CPU too, and ours is more code.
    private static final int WARM_UP_READS = 100_000;
    private static final int WRITERS = 64;
    private static final int WARM_UP_WRITES = 10;
    private static final Duration ROUND = Duration.ofSeconds(2);
    private static final int ROUNDS = 5;
    private static final String PROMPT = "{\"prompt\":\"say something\",\"stream\":true}";

    @Override
    public String name() {
        return "server";
    }

    @Override
    public String question() {
        return "the server: two thousand answers at once, reads, durable appends over HTTP";
    }

    @Override
    public void run(Lab lab, Report report) throws IOException {
        try (var server = ServedProcess.start(lab.newDirectory())) {
            completions(server, report);
            reads(server, report);
            appends(server, report);
        }
    }

    /// What was heard of so many streams at once, and the CPU they took.
    private record Heard(int complete, double perCpuSecond) {}

    private static void completions(ServedProcess server, Report report) throws IOException {
        var warm = server.sessions(WARM_UP);
        var bytes = recorded(server, warm.getFirst());
        var bare = server.bare(bytes);
        for (int i = 0; i < WARM_UP_ROUNDS; i++) {
            streams(server, server.port(), warm);
            streams(server, bare, warm);
        }

        var sessions = server.sessions(COMPLETIONS);
        var ours = streams(server, server.port(), sessions);
        var control = streams(server, bare, sessions);
        report.compared(
                "%,d completions at once, as streams of %d pieces (control: heard to their end)"
                        .formatted(COMPLETIONS, PacedModel.PIECES),
                Unit.COUNT,
                ours.complete(),
                COMPLETIONS,
                Bound.atLeast(1));
        report.compared(
                "completions per CPU second (control: a bare handler, same bytes and pace)",
                Unit.PER_SECOND,
                ours.perCpuSecond(),
                control.perCpuSecond(),
                Bound.atLeast(0.3));
    }

    /// The events of one completion, as they are sent.
    private static String recorded(ServedProcess server, String session) throws IOException {
        try (var http = server.connect()) {
            return http.ask("POST", "/v1/sessions/" + session + "/completions", PROMPT)
                    .body();
        }
    }

    private static Heard streams(ServedProcess server, int port, List<String> sessions) throws IOException {
        var cpu = server.cpu();
        var complete = new AtomicInteger();
        var failures = new ConcurrentLinkedQueue<String>();
        together(sessions.size(), number -> {
            try (var http = new PlainHttp(port, server.key())) {
                var path = port == server.port() ? "/v1/sessions/" + sessions.get(number) + "/completions" : "/";
                var body = http.ask("POST", path, PROMPT).body();
                if (body.contains("event: finished\n")
                        && body.split("event: assistant_delta\n", -1).length == PacedModel.PIECES + 1) {
                    complete.incrementAndGet();
                } else {
                    failures.add(body);
                }
            } catch (IOException e) {
                failures.add(e.toString());
            }
        });
        if (!failures.isEmpty()) {
            throw new IOException(failures.size() + " were not complete, for example: " + failures.peek());
        }
        return new Heard(complete.get(), sessions.size() / ((server.cpu() - cpu) / 1e9));
    }

    private static void reads(ServedProcess server, Report report) throws IOException {
        var session = server.sessions(1).getFirst();
        var path = "/v1/sessions/" + session;
        String answer;
        try (var http = server.connect()) {
            http.ask("POST", path + "/completions", PROMPT);
            answer = http.ask("GET", path, null).body();
        }
        var bare = server.bare(answer);
        var ours = new double[ROUNDS];
        var control = new double[ROUNDS];
        perCpuSecond(server, server.port(), path, WARM_UP_READS);
        perCpuSecond(server, bare, "/", WARM_UP_READS);
        for (int round = 0; round < ROUNDS; round++) {
            ours[round] = perCpuSecond(server, server.port(), path, READS);
            control[round] = perCpuSecond(server, bare, "/", READS);
        }
        report.compared(
                "GET a session, per CPU second (control: a bare handler, same bytes)",
                Unit.PER_SECOND,
                median(ours),
                median(control),
                Bound.atLeast(0.3));
    }

    /// So many requests, not so much time: on a busy machine, time alone would leave the code cold.
    private static double perCpuSecond(ServedProcess server, int port, String path, int count) throws IOException {
        var connections = connections(server, port, READERS);
        var cpu = server.cpu();
        together(READERS, number -> {
            for (int i = 0; i < count / READERS; i++) {
                if (connections.get(number).ask("GET", path, null).status() != 200) {
                    throw new IOException("not 200");
                }
            }
        });
        var used = server.cpu() - cpu;
        close(connections);
        return count / (used / 1e9);
    }

    /// A change of a session's description is one durable append.
    private static void appends(ServedProcess server, Report report) throws IOException {
        var sessions = server.sessions(WRITERS);
        var connections = connections(server, server.port(), WRITERS);
        var took = new ConcurrentLinkedQueue<Long>();
        var rates = new double[ROUNDS];
        for (int round = -WARM_UP_WRITES; round < ROUNDS; round++) {
            took.clear();
            rates[Math.max(0, round)] = Crowd.perHour(WRITERS, ROUND, number -> {
                        var start = System.nanoTime();
                        var answer = connections
                                .get(number)
                                .ask("PATCH", "/v1/sessions/" + sessions.get(number), "{\"description\":\"another\"}");
                        if (answer.status() != 200) {
                            throw new IOException(answer.body());
                        }
                        took.add(System.nanoTime() - start);
                    })
                    / 3600.0;
        }
        close(connections);
        report.measured(
                "durable appends over HTTP, %d clients".formatted(WRITERS),
                Unit.PER_SECOND,
                median(rates),
                Bound.atLeast(5_000, Unit.PER_SECOND));
        report.measured("99th percentile of one", Unit.NANOS, percentile(took, 0.99), Bound.atMost(30e6, Unit.NANOS));
    }

    static List<PlainHttp> connections(ServedProcess server, int port, int count) throws IOException {
        var all = new ArrayList<PlainHttp>();
        for (int i = 0; i < count; i++) {
            all.add(new PlainHttp(port, server.key()));
        }
        return all;
    }

    static void close(List<PlainHttp> connections) throws IOException {
        for (var connection : connections) {
            connection.close();
        }
    }

    /// Everybody at the same time.
    static void together(int count, Crowd.Task task) throws IOException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<Future<?>>();
            for (int i = 0; i < count; i++) {
                var number = i;
                running.add(threads.submit(() -> {
                    task.run(number);
                    return number;
                }));
            }
            for (var each : running) {
                each.get();
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new IOException(e);
        }
    }

    static double median(double[] values) {
        var sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    static double percentile(Iterable<Long> values, double share) {
        var sorted = new ArrayList<Long>();
        values.forEach(sorted::add);
        sorted.sort(null);
        return sorted.isEmpty() ? 0 : sorted.get((int) Math.min(sorted.size() - 1L, Math.round(sorted.size() * share)));
    }
}
