package dev.skein.bench;

import dev.skein.testkit.http.EventReader;
import dev.skein.testkit.http.PlainHttp;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Many who follow sessions, each on a connection of its own, from the newest event on.
final class Tails implements AutoCloseable {

    private static final int AT_ONCE = 50;
    private static final int BUFFER = 512;

    private final List<PlainHttp> connections = new ArrayList<>();
    private final ConcurrentLinkedQueue<Long> times = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<IOException> refused = new ConcurrentLinkedQueue<>();
    private volatile CountDownLatch expected = new CountDownLatch(0);
    private volatile int count;

    private Tails() {}

    static Tails open(ServedProcess server, List<String> sessions) throws IOException {
        var tails = new Tails();
        var begun = new CountDownLatch(sessions.size());
        var pace = new Semaphore(AT_ONCE);
        for (var session : sessions) {
            pace.acquireUninterruptibly();
            var http = new PlainHttp(server.port(), server.key(), 0, BUFFER);
            tails.connections.add(http);
            Thread.ofVirtual().start(() -> tails.hear(http, session, begun, pace));
        }
        await(begun, Duration.ofMinutes(2));
        if (!tails.refused.isEmpty()) {
            throw new IOException(tails.refused.size() + " could not follow", tails.refused.peek());
        }
        return tails;
    }

    private void hear(PlainHttp http, String session, CountDownLatch begun, Semaphore pace) {
        try {
            var events = begin(http, session);
            pace.release();
            begun.countDown();
            for (var event = events.next(); event != null; event = events.next()) {
                times.add(System.nanoTime());
                expected.countDown();
            }
        } catch (IOException _) {
            // Closed, here or there; what is missing then is noticed by who counts.
            pace.release();
            begun.countDown();
        }
    }

    private EventReader begin(PlainHttp http, String session) throws IOException {
        try {
            return http.events("GET", "/v1/sessions/" + session + "/events?newest=0", Map.of(), null);
        } catch (IOException e) {
            refused.add(e);
            throw e;
        }
    }

    /// From now on each is expected to hear so many.
    void expect(int each) {
        times.clear();
        count = connections.size() * each;
        expected = new CountDownLatch(count);
    }

    /// How many events came of those that were expected.
    int await(Duration atMost) throws IOException {
        await(expected, atMost);
        return count - (int) expected.getCount();
    }

    /// When each was heard.
    List<Long> times() {
        return List.copyOf(times);
    }

    /// @throws IOException if something was heard though nothing happened
    void requireQuiet() throws IOException {
        if (!times.isEmpty()) {
            throw new IOException(times.size() + " events of nothing");
        }
    }

    private static void await(CountDownLatch latch, Duration atMost) throws IOException {
        try {
            var _ = latch.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        ServerBench.close(connections);
    }
}
