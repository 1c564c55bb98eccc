package dev.skein.tools.rag;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.RagFailed;
import dev.skein.retrieval.Passage;
import dev.skein.tools.rag.embedding.Embedder;
import dev.skein.tools.rag.embedding.Embedders;
import dev.skein.tools.rag.index.PassageSearch;
import dev.skein.tools.rag.index.PassageSearch.By;
import dev.skein.tools.rag.index.PassageSearch.Hit;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// One generation of a collection, open. Safe for use by many threads until it is closed.
public final class RagIndex implements AutoCloseable {

    /// A question is a sentence or two; what comes after that would drown it.
    private static final int QUESTION_MAX = 2_000;

    private static final int TRIES = 5;
    private static final float[] NO_VECTOR = {};

    private final String name;
    private final Path generation;
    private final Manifest manifest;
    private final PassageSearch search;
    private final Embedder embedder;

    private RagIndex(String name, Path generation, Manifest manifest, PassageSearch search, Embedder embedder) {
        this.name = name;
        this.generation = generation;
        this.manifest = manifest;
        this.search = search;
        this.embedder = embedder;
    }

    /// Opens the generation that counts. If it is replaced meanwhile, the next one.
    static RagIndex open(RagFolder folder, Embedders embedders) {
        try {
            for (int attempt = 1; ; attempt++) {
                var generation = folder.current().orElseThrow(() -> RagFailed.notFound(folder.name()));
                try {
                    var manifest = folder.manifest(generation);
                    return new RagIndex(
                            folder.name(),
                            generation,
                            manifest,
                            PassageSearch.open(RagFolder.index(generation)),
                            embedders.open(manifest.embedding()));
                } catch (NoSuchFileException e) {
                    if (attempt == TRIES || folder.current().equals(Optional.of(generation))) {
                        throw e;
                    }
                }
            }
        } catch (IOException e) {
            throw RagFailed.damaged(folder.name(), e);
        }
    }

    public Manifest manifest() {
        return manifest;
    }

    Path generation() {
        return generation;
    }

    /// The passages that fit the question best, the best first.
    public List<Hit> find(String question, int max, By by, Cancellation cancellation) {
        var asked = question.strip();
        if (asked.isEmpty() || search.size() == 0) {
            return List.of();
        }
        asked = asked.length() <= QUESTION_MAX ? asked : asked.substring(0, QUESTION_MAX);
        var vector = by == By.WORDS
                ? NO_VECTOR
                : embedder.embed(List.of(asked), Embedder.Role.QUESTION, cancellation)
                        .getFirst();
        try {
            return search.find(asked, vector, max, by);
        } catch (IOException | IllegalArgumentException e) {
            throw RagFailed.damaged(name, e);
        }
    }

    public List<Passage> recall(List<String> ids) {
        try {
            return search.recall(ids);
        } catch (IOException e) {
            throw RagFailed.damaged(name, e);
        }
    }

    @Override
    public void close() {
        try {
            search.close();
        } catch (IOException e) {
            throw RagFailed.damaged(name, e);
        }
    }
}
