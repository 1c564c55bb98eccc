package dev.skein.store.file;

import dev.skein.failure.SkeinException;
import dev.skein.session.Scope;
import dev.skein.store.SearchHit;
import dev.skein.store.SearchQuery;
import dev.skein.store.SessionSummary;
import dev.skein.store.query.MessageSearch;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Reads journals side by side and hands over what they say, in the order of the sessions.
final class Search {

    private static final Logger LOG = LoggerFactory.getLogger(Search.class);

    private final FileSessionStore store;
    private final SearchQuery query;
    private final MessageSearch search;

    Search(FileSessionStore store, SearchQuery query) {
        this.store = store;
        this.query = query;
        this.search = new MessageSearch(query.text());
    }

    void run(List<SessionSummary> sessions, Consumer<SearchHit> hits) {
        var ahead = 2 * Runtime.getRuntime().availableProcessors();
        var left = query.limit();
        Deque<Future<List<SearchHit>>> running = new ArrayDeque<>();
        try (var threads = Executors.newFixedThreadPool(
                Runtime.getRuntime().availableProcessors(),
                Thread.ofPlatform().daemon().name("skein-search-", 0).factory())) {
            var next = sessions.iterator();
            while (left > 0 && (next.hasNext() || !running.isEmpty())) {
                while (next.hasNext() && running.size() < ahead) {
                    var summary = next.next();
                    if (summary.id() != null) {
                        running.add(threads.submit(() -> find(summary)));
                    }
                }
                if (running.isEmpty()) {
                    continue;
                }
                for (var hit : result(running.remove())) {
                    if (left-- > 0) {
                        hits.accept(hit);
                    }
                }
            }
            threads.shutdownNow();
        }
    }

    private List<SearchHit> find(SessionSummary summary) {
        var found = new ArrayList<SearchHit>();
        if (summary.id() == null) {
            return found;
        }
        var place = MessageSearch.Place.of(summary);
        try (var handle = store.open(new Scope(summary.owner(), summary.agent()), summary.id())) {
            handle.read(1, entry -> {
                if (found.size() < query.limit()) {
                    search.find(place, entry).ifPresent(found::add);
                }
            });
        } catch (SkeinException e) {
            LOG.warn("session {} was not searched: {}", summary.id(), e.getMessage());
        }
        return found;
    }

    private static List<SearchHit> result(Future<List<SearchHit>> future) {
        try {
            return future.get();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return List.of();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a search failed", e.getCause());
        }
    }
}
