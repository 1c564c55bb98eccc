package dev.skein.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.session.Scope;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionId;
import dev.skein.testkit.HistoryChecker;
import dev.skein.testkit.HistoryChecker.Op;
import dev.skein.testkit.HistoryChecker.Outcome;
import dev.skein.testkit.http.PlainHttp;
import dev.skein.wire.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Clients that describe shared sessions anew, or ask how they are described, through nodes chosen at random, and note
/// what they were told. The cheapest durable write there is: for very many of them.
///
/// Nothing is tried again. What did not end well may have happened or not.
final class Changers implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 150;

    private final Nodes nodes;
    private final List<SessionId> sessions = new ArrayList<>();
    private final Map<SessionId, Queue<Asked>> asked = new HashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Future<?>> working = new ArrayList<>();
    private final AtomicLong left;
    private final CountDownLatch nothingLeft = new CountDownLatch(1);
    private final AtomicLong ended = new AtomicLong();

    /// How requests failed, and how often.
    final Map<String, AtomicInteger> failures = new ConcurrentHashMap<>();

    /// A change to this description, or what was read; null if nobody knows how it ended.
    private record Asked(boolean change, @Nullable String value, long invoked, long ended, boolean ok) {}

    Changers(Nodes nodes, int sessionCount, long operations) throws Exception {
        this.nodes = nodes;
        this.left = new AtomicLong(operations);
        for (int i = 0; i < sessionCount; i++) {
            var made = nodes.get(i).post("/v1/sessions", "{}").path("id").asString();
            var id = SessionId.parse(made).orElseThrow();
            sessions.add(id);
            asked.put(id, new ConcurrentLinkedQueue<>());
        }
    }

    Changers start(int clients, long seed) {
        for (int i = 0; i < clients; i++) {
            var number = i;
            working.add(threads.submit(() -> work(number, new Random(seed * 1_000 + number))));
        }
        return this;
    }

    long ended() {
        return ended.get();
    }

    boolean areAtWork() {
        return nothingLeft.getCount() > 0;
    }

    /// Waits until so many more came to an end, well or not, or all did.
    void awaitMore(long count) throws Exception {
        var wanted = ended.get() + count;
        var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (ended.get() < wanted && !nothingLeft.await(5, TimeUnit.MILLISECONDS)) {
            assertThat(System.nanoTime()).as("the clients go on").isLessThan(deadline);
        }
    }

    Changers await() throws Exception {
        for (var each : working) {
            each.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
        return this;
    }

    private Void work(int client, Random random) throws IOException {
        try (var lines = new Lines()) {
            for (int i = 0; left.getAndDecrement() > 0; i++) {
                var session = sessions.get(random.nextInt(sessions.size()));
                var change = random.nextBoolean() ? "change-" + client + "-" + i : null;
                var invoked = System.nanoTime();
                var answer = lines.ask(random.nextInt(nodes.count()), "/v1/sessions/" + session, change);
                var now = System.nanoTime();
                if (change != null || answer != null) {
                    var value = change != null ? change : answer;
                    asked.get(session).add(new Asked(change != null, value, invoked, now, answer != null));
                }
                ended.incrementAndGet();
            }
        }
        nothingLeft.countDown();
        return null;
    }

    /// A connection to each node that one client has.
    private final class Lines implements AutoCloseable {
        private final Map<Integer, PlainHttp> open = new HashMap<>();

        /// How the session is described after the change, or now; null if something went wrong.
        @Nullable
        String ask(int node, String path, @Nullable String change) throws IOException {
            try {
                var line = open.get(node);
                if (line == null) {
                    line = new PlainHttp(nodes.get(node).port, nodes.get(node).token());
                    open.put(node, line);
                }
                var answer = change == null
                        ? line.ask("GET", path, null)
                        : line.ask("PATCH", path, "{\"description\":\"" + change + "\"}");
                var body = Json.MAPPER.readTree(answer.body());
                if (answer.status() == 200) {
                    return body.path("description").asString("");
                }
                failed(answer.status() + " " + body.path("error").path("code").asString("none"));
            } catch (IOException _) {
                failed("unreachable");
                var gone = open.remove(node);
                if (gone != null) {
                    gone.close();
                }
            }
            return null;
        }

        @Override
        public void close() throws IOException {
            for (var each : open.values()) {
                each.close();
            }
        }
    }

    private void failed(String how) {
        failures.computeIfAbsent(how, _ -> new AtomicInteger()).incrementAndGet();
    }

    /// Compares what the clients were told with what the sessions have.
    void judge() {
        for (var session : sessions) {
            var stored = new ArrayList<String>();
            var places = new HashMap<String, Long>(Map.of("", 0L));
            var digests = new ArrayList<>(List.of(0));
            nodes.store.open(Scope.LOCAL, session).read(1, entry -> {
                if (entry.event() instanceof SessionEvent.SessionDescribed described) {
                    stored.add(described.description());
                    places.put(described.description(), (long) stored.size());
                    digests.add(HistoryChecker.digest(digests.getLast(), described.description()));
                }
            });
            var history = asked.get(session).stream()
                    .map(each -> op(each, places.getOrDefault(each.value(), -1L), digests))
                    .toList();
            assertThat(new HistoryChecker(stored, 1).violationsIn(history)).isEmpty();
        }
    }

    /// Who read a description read all that led to it: there is one place in the history for each.
    private static Op op(Asked asked, long place, List<Integer> digests) {
        if (asked.change()) {
            var outcome = asked.ok() ? Outcome.OK : Outcome.UNKNOWN;
            return new Op(true, asked.value(), asked.invoked(), asked.ended(), outcome, place);
        }
        var seen = place < 0 ? "nothing that is there" : String.valueOf(digests.get((int) place));
        return new Op(false, seen, asked.invoked(), asked.ended(), Outcome.OK, place);
    }

    @Override
    public void close() {
        left.set(0);
        threads.shutdownNow();
    }
}
