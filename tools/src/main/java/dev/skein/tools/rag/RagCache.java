package dev.skein.tools.rag;

import dev.skein.retrieval.RagKey;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;

/// One open index per collection, shared by all who use it at the same time.
///
/// The first one opens it, those who come meanwhile wait for that, and the last one closes it. After [#invalidate], or
/// when somebody else has replaced what is on the disk, newcomers get the new one, while holders keep theirs. Safe for
/// use by many threads.
public final class RagCache {

    private final Function<RagKey, RagIndex> loader;
    private final Predicate<Held> isCurrent;
    private final Map<RagKey, Entry> entries = new HashMap<>();

    /// An open index, and what it is the index of.
    record Held(RagKey key, RagIndex index) {}

    /// @param isCurrent whether an open index is still what is on the disk
    RagCache(Function<RagKey, RagIndex> loader, Predicate<Held> isCurrent) {
        this.loader = loader;
        this.isCurrent = isCurrent;
    }

    /// An index, and how many hold it. The count is guarded by the cache.
    private static final class Entry {
        final CompletableFuture<RagIndex> index = new CompletableFuture<>();
        int holders;
    }

    /// The right to use an index, until closed.
    public final class Lease implements AutoCloseable {

        private final RagKey key;
        private final Entry entry;
        private final AtomicBoolean closed = new AtomicBoolean();

        private Lease(RagKey key, Entry entry) {
            this.key = key;
            this.entry = entry;
        }

        public RagIndex index() {
            if (closed.get()) {
                throw new IllegalStateException("the lease on '" + key.name() + "' was given back");
            }
            return entry.index.join();
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                release(key, entry);
            }
        }
    }

    /// Waits until the index is open.
    ///
    /// @throws dev.skein.failure.RagFailed if it cannot be opened; the next one who asks tries again
    public Lease acquire(RagKey key) {
        Entry entry;
        boolean first;
        synchronized (this) {
            var open = entries.get(key);
            if (open != null && isStale(key, open)) {
                entries.remove(key);
                open = null;
            }
            first = open == null;
            entry = open == null ? new Entry() : open;
            entry.holders++;
            entries.put(key, entry);
        }
        if (first) {
            load(key, entry);
        }
        try {
            var _ = entry.index.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : e;
        }
        return new Lease(key, entry);
    }

    private boolean isStale(RagKey key, Entry entry) {
        return entry.index.isDone()
                && (entry.index.isCompletedExceptionally() || !isCurrent.test(new Held(key, entry.index.join())));
    }

    private void load(RagKey key, Entry entry) {
        try {
            entry.index.complete(loader.apply(key));
        } catch (RuntimeException | Error e) {
            synchronized (this) {
                entries.remove(key, entry);
            }
            entry.index.completeExceptionally(e);
        }
    }

    private void release(RagKey key, Entry entry) {
        synchronized (this) {
            if (--entry.holders > 0) {
                return;
            }
            entries.remove(key, entry);
        }
        entry.index.join().close();
    }

    /// Whoever comes next opens it anew. Holders are not disturbed.
    public synchronized void invalidate(RagKey key) {
        entries.remove(key);
    }

    /// How many are open for newcomers to share.
    public synchronized int size() {
        return entries.size();
    }
}
