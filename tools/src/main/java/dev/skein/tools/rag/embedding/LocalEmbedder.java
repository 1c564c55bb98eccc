package dev.skein.tools.rag.embedding;

import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.embedding.onnx.bgesmallenv15q.BgeSmallEnV15QuantizedEmbeddingModel;
import dev.skein.cancellation.Cancellation;
import dev.skein.failure.RagFailed;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A small English model that runs on this machine; nothing leaves it. Loaded when the first text comes, once.
public final class LocalEmbedder implements Embedder {

    public static final String NAME = "local:bge-small-en-v1.5";

    /// The model was trained with these words before questions.
    private static final String QUESTION = "Represent this sentence for searching relevant passages: ";

    private final Path libraries;

    /// Nothing is loaded yet.
    ///
    /// @param libraries a directory of our own, in which nobody else can put a library in place of the model's
    public LocalEmbedder(Path libraries) {
        this.libraries = libraries;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<float[]> embed(List<String> texts, Role role, Cancellation cancellation) {
        var model = model(libraries);
        var vectors = new ArrayList<float[]>(texts.size());
        for (var text : texts) {
            cancellation.check();
            var said = switch (role) {
                case QUESTION -> QUESTION + text;
                case PASSAGE -> text;
            };
            vectors.add(Vectors.unit(NAME, model.embed(said).content().vector()));
        }
        return vectors;
    }

    private static EmbeddingModel model(Path libraries) {
        try {
            return Loaded.model(libraries);
        } catch (NoClassDefFoundError e) {
            throw RagFailed.embedding(
                    "the local embedding model is not installed; unpack skein-VERSION-embeddings.tar.gz over Skein, or "
                            + "create the rag with --embedding PROVIDER:MODEL",
                    e);
        } catch (LinkageError e) {
            throw RagFailed.embedding(
                    "the local embedding model cannot be loaded on this machine (" + cause(e)
                            + "); create the rag with --embedding PROVIDER:MODEL instead",
                    e);
        }
    }

    private static String cause(Throwable thrown) {
        var deepest = thrown;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return String.valueOf(deepest.getMessage());
    }

    /// There is one for the whole process, made by whoever comes first.
    private static final class Loaded {

        private static @Nullable EmbeddingModel model;

        static synchronized EmbeddingModel model(Path libraries) {
            if (model == null) {
                model = load(libraries);
            }
            return model;
        }

        /// Its tokenizer would report its use over the network, ask it for libraries, and leave files in the person's
        /// own directory, unless told not to.
        private static EmbeddingModel load(Path libraries) {
            System.setProperty("OPT_OUT_TRACKING", "true");
            System.setProperty("ai.djl.offline", "true");
            System.setProperty("DJL_CACHE_DIR", libraries.toAbsolutePath().toString());
            // One text after the other: the library uses all processors for one.
            return new BgeSmallEnV15QuantizedEmbeddingModel(Runnable::run);
        }
    }
}
