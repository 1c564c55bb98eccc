package dev.skein.testkit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.skein.session.Entry;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionEvent;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// What all contracts of a store have in common: a store nobody has written to, a clock that stands still, and
/// events from a seed. Extend the contracts, not this.
public abstract class StoreFixture implements StoreUnderTest {

    static final Scope SCOPE = Scope.LOCAL;

    /// Long enough for any machine; only a test that fails waits for so long.
    static final Duration PATIENCE = Duration.ofSeconds(60);

    /// For waits that are meant to end in vain.
    static final Duration IMPATIENCE = Duration.ofMillis(20);

    private final List<SessionStore> opened = new ArrayList<>();

    final MutableClock clock = new MutableClock(Instant.parse("2026-01-01T00:00:00Z"));
    final Events events = new Events(clock, 1);
    SessionStore store;

    @BeforeEach
    void openStore() {
        store = fresh(clock);
        opened.add(store);
    }

    @AfterEach
    void closeStores() {
        opened.reversed().forEach(SessionStore::close);
    }

    /// Goes on with the same bytes under a new instance. The test is skipped if the store forgets.
    void reopen() {
        var again = reopened(store);
        assumeTrue(again.isPresent(), "this store forgets by design");
        store = again.orElseThrow();
        opened.add(store);
    }

    static NewSession unnamed() {
        return NewSession.in(SCOPE);
    }

    static NewSession named(String alias) {
        return NewSession.in(SCOPE).named(alias);
    }

    static SessionAlias alias(String text) {
        return new SessionAlias(text);
    }

    SessionHandle create() {
        return store.create(unnamed());
    }

    SessionHandle create(String alias) {
        return store.create(named(alias));
    }

    /// Appends a prompt and its answer, a second later than what was before.
    void say(SessionHandle handle, String prompt) {
        clock.advance(Duration.ofSeconds(1));
        handle.append(events.exchange(handle.state().head(), prompt, "answer to " + prompt));
    }

    static List<SessionEvent> eventsOf(SessionHandle handle) {
        return handle.read(1).stream().map(Entry::event).toList();
    }

    /// What the user said, as the model gets to see it.
    static List<String> textsOf(SessionHandle handle) {
        return handle.context(1_000_000).messages().stream()
                .map(message -> message.text())
                .toList();
    }

    /// Runs the same task in so many threads, all at the same moment, and gives what they returned.
    static <T> List<T> together(int threads, Numbered<T> task) throws Exception {
        var barrier = new CyclicBarrier(threads);
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<Future<T>>();
            for (int i = 0; i < threads; i++) {
                var number = i;
                running.add(pool.submit(() -> {
                    barrier.await();
                    return task.run(number);
                }));
            }
            var results = new ArrayList<T>();
            for (var future : running) {
                results.add(future.get());
            }
            return results;
        }
    }

    /// Runs a task in another thread, waits for it, and gives what it returned or throws what it threw.
    static <T> T elsewhere(Supplier<T> task) {
        var running = start(task);
        try {
            return running.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    /// Runs a task in another thread.
    static <T> CompletableFuture<T> start(Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, Thread::startVirtualThread);
    }

    /// What `look` gives, again and again, while `work` is done in another thread, and once more after that.
    static <T> List<T> seenDuring(Runnable work, Supplier<T> look) {
        var working = CompletableFuture.runAsync(work, Thread::startVirtualThread);
        var seen = new ArrayList<T>();
        while (!working.isDone()) {
            seen.add(look.get());
        }
        working.join();
        seen.add(look.get());
        return seen;
    }

    /// One of several equal tasks.
    interface Numbered<T> {
        T run(int number) throws Exception;
    }
}
