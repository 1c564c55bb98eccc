package dev.skein.server.run;

import dev.skein.cancellation.Cancellation;
import dev.skein.server.http.HttpFailure;
import dev.skein.session.SessionId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What runs, or waits for its turn, in this server. Safe for use by many threads.
public final class Runs {

    private final Map<SessionId, Set<Cancellation>> running = new HashMap<>();
    private boolean draining;
    private int count;
    private int answering;

    /// Takes note of a run. Closing what is returned says that it is over.
    ///
    /// @throws HttpFailure if the server is about to stop
    synchronized Cancellation.Registration begin(SessionId session, Cancellation cancellation) {
        if (draining) {
            throw HttpFailure.draining();
        }
        running.computeIfAbsent(session, _ -> new LinkedHashSet<>()).add(cancellation);
        count++;
        return () -> end(session, cancellation);
    }

    /// Takes note of an answer that is still to be sent: a run may be over before its client knows. To be closed once.
    synchronized Cancellation.Registration answering() {
        answering++;
        return this::answered;
    }

    private synchronized void answered() {
        answering--;
        notifyAll();
    }

    private synchronized void end(SessionId session, Cancellation cancellation) {
        var ofSession = running.get(session);
        if (ofSession != null && ofSession.remove(cancellation)) {
            if (ofSession.isEmpty()) {
                running.remove(session);
            }
            count--;
            notifyAll();
        }
    }

    /// Stops everything that runs or waits for its turn in this session; says how much that was.
    int cancel(SessionId session, String why) {
        List<Cancellation> all;
        synchronized (this) {
            all = List.copyOf(running.getOrDefault(session, Set.of()));
        }
        all.forEach(cancellation -> cancellation.cancel(why));
        return all.size();
    }

    public synchronized int count() {
        return count;
    }

    public synchronized boolean isDraining() {
        return draining;
    }

    /// Lets no new run begin.
    public synchronized void drain() {
        draining = true;
    }

    /// Stops everything.
    public void cancelAll(String why) {
        var all = new ArrayList<Cancellation>();
        synchronized (this) {
            running.values().forEach(all::addAll);
        }
        all.forEach(cancellation -> cancellation.cancel(why));
    }

    /// Waits until nothing runs and everybody has an answer, at most so long; says whether it is so.
    public synchronized boolean await(Duration atMost) throws InterruptedException {
        var deadline = System.nanoTime() + atMost.toNanos();
        for (var left = atMost.toMillis(); count + answering > 0 && left > 0; ) {
            wait(left);
            left = (deadline - System.nanoTime() + 999_999) / 1_000_000;
        }
        return count + answering == 0;
    }
}
