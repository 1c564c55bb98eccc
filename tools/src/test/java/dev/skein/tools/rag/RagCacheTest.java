package dev.skein.tools.rag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.RagFailed;
import dev.skein.retrieval.RagKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Open indexes, shared while in use.
class RagCacheTest {

    private static final RagKey DOCS = new RagKey.Named("docs");

    @TempDir
    Path home;

    private final AtomicInteger loads = new AtomicInteger();
    private final AtomicBoolean current = new AtomicBoolean(true);
    private RagFolder folder;
    private RagCache cache;

    @BeforeEach
    void a_collection() throws IOException {
        Files.writeString(home.resolve("a.txt"), "Some words.");
        new Rags(home, _ -> new WordEmbedder(), Clock.systemUTC())
                .create(DOCS, List.of(), WordEmbedder.NAME, Progress.SILENT, new Cancellation());
        folder = new RagFolder("docs", home.resolve("rags/docs"));
        cache = new RagCache(_ -> load(), _ -> current.get());
    }

    private RagIndex load() {
        loads.incrementAndGet();
        return RagIndex.open(folder, _ -> new WordEmbedder());
    }

    @Test
    void many_who_come_at_once_share_one_load() throws Exception {
        var indexes = ConcurrentHashMap.<RagIndex>newKeySet();
        var start = new CountDownLatch(1);
        var all = new CountDownLatch(50);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 50; i++) {
                var _ = threads.submit(() -> {
                    start.await();
                    try (var lease = cache.acquire(DOCS)) {
                        indexes.add(lease.index());
                        all.countDown();
                        return all.await(60, TimeUnit.SECONDS);
                    }
                });
            }
            start.countDown();
        }

        assertThat(indexes).hasSize(1);
        assertThat(loads).hasValue(1);
        assertThat(cache.size()).isZero();
    }

    @Test
    @SuppressWarnings("try") // Closed early on purpose.
    void the_last_one_who_leaves_closes_it_and_the_next_one_opens_it_anew() {
        RagIndex first;
        try (var one = cache.acquire(DOCS);
                var two = cache.acquire(DOCS)) {
            first = one.index();
            assertThat(two.index()).isSameAs(first);
            one.close();
            one.close();
            assertThat(two.index().recall(List.of("x"))).isEmpty();
            assertThatThrownBy(one::index).isInstanceOf(IllegalStateException.class);
        }
        try (var three = cache.acquire(DOCS)) {
            assertThat(three.index()).isNotSameAs(first);
        }
        assertThat(loads).hasValue(2);
        assertThat(cache.size()).isZero();
    }

    @Test
    @SuppressWarnings("try") // Closed early on purpose.
    void after_an_invalidation_newcomers_get_another_one_and_holders_keep_theirs() {
        try (var old = cache.acquire(DOCS)) {
            cache.invalidate(DOCS);
            try (var fresh = cache.acquire(DOCS)) {
                assertThat(fresh.index()).isNotSameAs(old.index());
                assertThat(old.index().recall(List.of("x"))).isEmpty();
                old.close();
                try (var another = cache.acquire(DOCS)) {
                    assertThat(another.index()).isSameAs(fresh.index());
                }
            }
        }
        assertThat(cache.size()).isZero();
    }

    @Test
    void what_is_out_of_date_is_not_shared_any_more() {
        try (var old = cache.acquire(DOCS)) {
            current.set(false);
            try (var fresh = cache.acquire(DOCS)) {
                assertThat(fresh.index()).isNotSameAs(old.index());
            }
        }
        assertThat(cache.size()).isZero();
    }

    @Test
    void a_load_that_fails_fails_for_all_who_wait_and_the_next_one_tries_again() throws Exception {
        var entered = new CountDownLatch(1);
        var proceed = new CountDownLatch(1);
        var fails = new AtomicBoolean(true);
        var flaky = new RagCache(
                _ -> {
                    entered.countDown();
                    try {
                        assertThat(proceed.await(60, TimeUnit.SECONDS)).isTrue();
                    } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                    if (fails.get()) {
                        throw RagFailed.notFound("docs");
                    }
                    return load();
                },
                _ -> true);
        Set<Class<?>> failures = ConcurrentHashMap.newKeySet();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 2; i++) {
                var _ = threads.submit(() -> {
                    try (var lease = flaky.acquire(DOCS)) {
                        return lease.index();
                    } catch (RagFailed e) {
                        failures.add(e.getClass());
                        throw e;
                    }
                });
            }
            assertThat(entered.await(60, TimeUnit.SECONDS)).isTrue();
            proceed.countDown();
        }
        assertThat(failures).containsExactly(RagFailed.class);
        fails.set(false);
        try (var lease = flaky.acquire(DOCS)) {
            assertThat(lease.index().manifest().sources()).isEmpty();
        }
        assertThat(flaky.size()).isZero();
    }
}
