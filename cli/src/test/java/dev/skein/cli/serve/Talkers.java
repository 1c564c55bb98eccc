package dev.skein.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.session.LoopEvent;
import dev.skein.session.LoopId;
import dev.skein.session.LoopRecord;
import dev.skein.session.LoopStatus;
import dev.skein.session.Scope;
import dev.skein.session.SessionId;
import dev.skein.testkit.HistoryChecker;
import dev.skein.testkit.HistoryChecker.Op;
import dev.skein.testkit.HistoryChecker.Outcome;
import dev.skein.wire.Json;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collection;
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
import tools.jackson.databind.JsonNode;

/// Clients that talk in shared sessions through nodes chosen at random, and note what they were told.
///
/// Each says its next word when the last was answered. What fails is said again with the same key, to any node, until
/// somebody answers.
final class Talkers implements AutoCloseable {

    private static final long PATIENCE_SECONDS = 150;
    private static final int READ_EACH = Integer.getInteger("skein.nodes.read", 3);

    private final Nodes nodes;
    private final List<SessionId> sessions = new ArrayList<>();
    private final Map<SessionId, Queue<Told>> told = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Future<?>> talking = new ArrayList<>();
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final AtomicInteger answered = new AtomicInteger();

    /// How requests failed, and how often.
    final Map<String, AtomicInteger> failures = new ConcurrentHashMap<>();

    /// An answer, or what was read. `loop` is null for the latter.
    private record Told(String value, long invoked, long ended, LoopId loop, int count) {}

    Talkers(Nodes nodes, int sessionCount) throws Exception {
        this.nodes = nodes;
        for (int i = 0; i < sessionCount; i++) {
            var id = SessionId.parse(
                            nodes.get(i).post("/v1/sessions", "{}").path("id").asString())
                    .orElseThrow();
            sessions.add(id);
            told.put(id, new ConcurrentLinkedQueue<>());
        }
    }

    /// Lets clients talk until each has said so much, or [#stop] is called.
    Talkers start(int clients, int words, long seed) {
        for (int i = 0; i < clients; i++) {
            var number = i;
            var random = new Random(seed * 1_000 + number);
            talking.add(threads.submit(() -> talk(number, sessions.get(number % sessions.size()), words, random)));
        }
        return this;
    }

    /// Waits until so many more answers came.
    void awaitMore(int count) throws Exception {
        var wanted = answered.get() + count;
        var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (answered.get() < wanted) {
            requireNobodyFailed();
            assertThat(System.nanoTime()).as("the clients go on").isLessThan(deadline);
            assertThat(stopping.await(5, TimeUnit.MILLISECONDS)).isFalse();
        }
    }

    int answered() {
        return answered.get();
    }

    long reads() {
        return told.values().stream()
                .flatMap(Collection::stream)
                .filter(each -> each.loop() == null)
                .count();
    }

    private void requireNobodyFailed() throws Exception {
        for (var each : talking) {
            if (each.state() == Future.State.FAILED) {
                each.get();
            }
        }
    }

    Talkers stop() throws Exception {
        stopping.countDown();
        return await();
    }

    Talkers await() throws Exception {
        for (var each : talking) {
            each.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        }
        return this;
    }

    private Void talk(int client, SessionId session, int words, Random random) throws Exception {
        for (int i = 0; i < words && stopping.getCount() > 0; i++) {
            var word = "word-" + client + "-" + i;
            var invoked = System.nanoTime();
            var answer = untilAnswered(
                    random,
                    node -> node.send(
                            "/v1/sessions/" + session + "/completions", word, "{\"prompt\":\"" + word + "\"}"));
            told.get(session)
                    .add(new Told(
                            word,
                            invoked,
                            System.nanoTime(),
                            new LoopId(answer.path("loop_id").asString()),
                            0));
            answered.incrementAndGet();
            if (random.nextInt(READ_EACH) == 0) {
                read(session, random);
            }
        }
        return null;
    }

    /// Everything that was said in the session.
    private void read(SessionId session, Random random) throws Exception {
        var invoked = System.nanoTime();
        var digest = 0;
        var count = 0;
        var cursor = "0";
        while (!cursor.isEmpty()) {
            var from = cursor;
            var page = untilAnswered(
                    random, node -> node.fetch("/v1/sessions/" + session + "/messages?limit=200&cursor=" + from));
            for (var message : page.path("messages")) {
                if (message.path("role").asString().equals("user")) {
                    digest = HistoryChecker.digest(digest, text(message));
                    count++;
                }
            }
            cursor = page.path("next_cursor").asString("");
        }
        told.get(session).add(new Told(String.valueOf(digest), invoked, System.nanoTime(), null, count));
    }

    private static String text(JsonNode message) {
        return message.path("parts").path(0).path("text").asString();
    }

    private interface Question {
        HttpResponse<String> ask(ServeProcess node) throws Exception;
    }

    private JsonNode untilAnswered(Random random, Question question) throws Exception {
        var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (System.nanoTime() < deadline) {
            try {
                var answer = question.ask(nodes.get(random.nextInt(nodes.count())));
                var body = Json.MAPPER.readTree(answer.body());
                if (answer.statusCode() == 200) {
                    return body;
                }
                failed(answer.statusCode() + " "
                        + body.path("error").path("code").asString("none"));
            } catch (IOException e) {
                failed("unreachable");
            }
            assertThat(new CountDownLatch(1).await(20 + random.nextInt(50), TimeUnit.MILLISECONDS))
                    .isFalse();
        }
        throw new AssertionError("nobody answered in time; failures: " + failures);
    }

    private void failed(String how) {
        failures.computeIfAbsent(how, _ -> new AtomicInteger()).incrementAndGet();
    }

    /// Compares what the clients were told with what the sessions have.
    Talkers judge() {
        for (var session : sessions) {
            var handle = nodes.store.open(Scope.LOCAL, session);
            requireOneAfterTheOther(handle.read(1).stream()
                    .map(dev.skein.session.Entry::event)
                    .filter(LoopEvent.class::isInstance)
                    .map(LoopEvent.class::cast)
                    .toList());
            judge(session, handle.load().loops());
        }
        return this;
    }

    /// Every loop of these sessions.
    List<LoopRecord> loops() {
        return sessions.stream()
                .flatMap(session -> nodes.store.open(Scope.LOCAL, session).load().loops().stream())
                .toList();
    }

    private void judge(SessionId session, Collection<LoopRecord> loops) {
        var stored = new ArrayList<String>();
        var places = new HashMap<LoopId, Long>();
        for (var loop : loops) {
            stored.add(loop.messages().getFirst().text());
            places.put(loop.id(), (long) stored.size());
            assertThat(loop.status()).isIn(LoopStatus.COMPLETED, LoopStatus.ABORTED);
        }
        var history = told.get(session).stream()
                .map(each -> each.loop() == null
                        ? new Op(false, each.value(), each.invoked(), each.ended(), Outcome.OK, each.count())
                        : new Op(
                                true,
                                each.value(),
                                each.invoked(),
                                each.ended(),
                                Outcome.OK,
                                places.getOrDefault(each.loop(), -1L)))
                .toList();
        assertThat(new HistoryChecker(stored, 1).violationsIn(history)).isEmpty();
    }

    /// A turn is never inside another.
    private static void requireOneAfterTheOther(List<LoopEvent> events) {
        LoopId current = null;
        for (var event : events) {
            if (event instanceof LoopEvent.LoopStarted) {
                assertThat(current).as("the loop before").isNull();
                current = event.loop();
            }
            assertThat(event.loop()).isEqualTo(current);
            current = event instanceof LoopEvent.LoopEnded ? null : current;
        }
    }

    @Override
    public void close() {
        stopping.countDown();
        threads.shutdownNow();
    }
}
