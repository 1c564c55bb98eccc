package dev.skein.tools.rag;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.RagFailed;
import dev.skein.failure.StorageFailed;
import dev.skein.retrieval.Passage;
import dev.skein.retrieval.RagKey;
import dev.skein.retrieval.Retriever;
import dev.skein.retrieval.Retrievers;
import dev.skein.tools.rag.embedding.Embedders;
import dev.skein.tools.rag.embedding.LocalEmbedder;
import dev.skein.tools.rag.index.PassageSearch.By;
import dev.skein.tools.rag.index.PassageSearch.Hit;
import dev.skein.tools.rag.text.Chunking;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// All collections below one home. Safe for use by many threads.
public final class Rags implements Retrievers {

    /// How many passages a model is shown.
    public static final int PASSAGES = 5;

    private static final String RAGS = "rags";
    private static final Duration PAGE_PATIENCE = Duration.ofSeconds(30);

    private final Path home;
    private final Embedders embedders;
    private final InstantSource clock;
    private final RagCache cache;

    public Rags(Path home, Embedders embedders, InstantSource clock) {
        this.home = home;
        this.embedders = embedders;
        this.clock = clock;
        this.cache = new RagCache(key -> RagIndex.open(existing(key), embedders), this::isCurrent);
    }

    /// Where libraries of the local embedding model are unpacked.
    public static Path libraries(Path home) {
        return home.resolve(RAGS).resolve(".libraries");
    }

    /// A collection and what it was made of.
    public record Listed(String name, Manifest manifest) {}

    /// What there is, and what is wrong with what cannot be read.
    public record Listing(List<Listed> rags, List<String> problems) {}

    /// Those that people made, by name.
    public Listing list() {
        var root = home.resolve(RAGS);
        if (!Files.isDirectory(root)) {
            return new Listing(List.of(), List.of());
        }
        var listed = new ArrayList<Listed>();
        var problems = new ArrayList<String>();
        try (var files = Files.list(root)) {
            for (var path : files.sorted().toList()) {
                var name = path.getFileName().toString();
                if (RagKey.NAME.matcher(name).matches() && has(new RagKey.Named(name))) {
                    try {
                        listed.add(new Listed(name, manifest(new RagKey.Named(name))));
                    } catch (RagFailed e) {
                        problems.add(String.valueOf(e.getMessage()));
                    }
                }
            }
        } catch (IOException e) {
            throw StorageFailed.io("list the rags", e);
        }
        return new Listing(listed, problems);
    }

    @Override
    public boolean has(RagKey key) {
        return folder(key).exists();
    }

    @Override
    public Retriever open(RagKey key) {
        var _ = existing(key);
        return new Shared(key);
    }

    public Manifest manifest(RagKey key) {
        var folder = existing(key);
        try {
            return folder.manifest(folder.current().orElseThrow(() -> RagFailed.notFound(key.name())));
        } catch (IOException e) {
            throw RagFailed.damaged(key.name(), e);
        }
    }

    /// Makes a collection. Without sources it is empty.
    ///
    /// @param embedding the model, or null for the one on this machine
    /// @throws RagFailed if there is one of this name
    public BuildReport create(
            RagKey key,
            List<String> sources,
            @Nullable String embedding,
            Progress progress,
            Cancellation cancellation) {
        var model = embedding == null ? LocalEmbedder.NAME : embedding;
        var folder = folder(key);
        try (var _ = folder.lock()) {
            if (folder.exists()) {
                throw RagFailed.exists(key.name());
            }
            var wanted = new Manifest(Manifest.FORMAT, model, Chunking.STANDARD, sources, clock.instant(), Map.of());
            return build(key, folder, wanted, progress, cancellation);
        } catch (IOException e) {
            throw StorageFailed.io("make the rag '" + key.name() + "'", e);
        }
    }

    /// Adds sources and brings everything up to date.
    public BuildReport add(RagKey key, List<String> more, Progress progress, Cancellation cancellation) {
        return update(
                key,
                sources -> {
                    var all = new LinkedHashSet<>(sources);
                    all.addAll(more);
                    return List.copyOf(all);
                },
                progress,
                cancellation);
    }

    /// Brings everything up to date.
    public BuildReport rebuild(RagKey key, Progress progress, Cancellation cancellation) {
        return update(key, sources -> sources, progress, cancellation);
    }

    private BuildReport update(
            RagKey key, UnaryOperator<List<String>> sources, Progress progress, Cancellation cancellation) {
        var folder = existing(key);
        try (var _ = folder.lock()) {
            var now = manifest(key);
            var wanted = new Manifest(
                    Manifest.FORMAT,
                    now.embedding(),
                    Chunking.STANDARD,
                    sources.apply(now.sources()),
                    clock.instant(),
                    Map.of());
            return build(key, folder, wanted, progress, cancellation);
        } catch (IOException e) {
            throw StorageFailed.io("build the rag '" + key.name() + "'", e);
        }
    }

    private BuildReport build(
            RagKey key, RagFolder folder, Manifest wanted, Progress progress, Cancellation cancellation)
            throws IOException {
        var basis = folder.current().orElse(null);
        var known = basis == null ? null : folder.manifest(basis);
        var before = known != null && known.fits(wanted) ? known : null;
        var embedder = embedders.open(wanted.embedding());
        try {
            return new RagBuild(folder, wanted, before, embedder, new OriginReader(PAGE_PATIENCE), cancellation)
                    .run(home, basis, progress);
        } finally {
            folder.sweep();
            cache.invalidate(key);
        }
    }

    public List<Hit> search(RagKey key, String question, int max, By by, Cancellation cancellation) {
        try (var lease = cache.acquire(key)) {
            return lease.index().find(question, max, by, cancellation);
        }
    }

    /// Removes a collection for good. Its sources are not touched.
    public void delete(RagKey key) {
        var folder = existing(key);
        try (var _ = folder.lock()) {
            // From here on it is not there any more, whatever happens.
            Files.delete(folder.directory().resolve("current"));
            RagFolder.remove(folder.directory());
        } catch (IOException e) {
            throw StorageFailed.io("delete the rag '" + key.name() + "'", e);
        } finally {
            cache.invalidate(key);
        }
    }

    public RagCache cache() {
        return cache;
    }

    private RagFolder existing(RagKey key) {
        var folder = folder(key);
        if (!folder.exists()) {
            throw RagFailed.notFound(key.name());
        }
        return folder;
    }

    private RagFolder folder(RagKey key) {
        return new RagFolder(
                key.name(),
                switch (key) {
                    case RagKey.Named(var name) -> home.resolve(RAGS).resolve(name);
                    case RagKey.Agent(var name) ->
                        home.resolve("agents").resolve(name).resolve("rag");
                });
    }

    private boolean isCurrent(RagCache.Held held) {
        try {
            return folder(held.key())
                    .current()
                    .filter(held.index().generation()::equals)
                    .isPresent();
        } catch (IOException _) {
            return false;
        }
    }

    /// Takes a lease for each question.
    private final class Shared implements Retriever {

        private final RagKey key;

        Shared(RagKey key) {
            this.key = key;
        }

        @Override
        public String name() {
            return key.name();
        }

        @Override
        public List<Passage> find(String question, Cancellation cancellation) {
            return search(key, question, PASSAGES, By.BOTH, cancellation).stream()
                    .map(Hit::passage)
                    .toList();
        }

        @Override
        public List<Passage> recall(List<String> ids) {
            try (var lease = cache.acquire(key)) {
                return lease.index().recall(ids);
            }
        }
    }
}
