package dev.skein.tools.rag;

import dev.skein.cancellation.Cancellation;
import dev.skein.tools.rag.embedding.Embedder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Texts with the same words have the same direction. Fast, and remembers what it was asked.
final class WordEmbedder implements Embedder {

    static final String NAME = "test:words";

    final List<String> asked = new ArrayList<>();
    Runnable beforeEach = () -> {};

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public synchronized List<float[]> embed(List<String> texts, Role role, Cancellation cancellation) {
        var vectors = new ArrayList<float[]>();
        for (var text : texts) {
            beforeEach.run();
            cancellation.check();
            asked.add(text);
            vectors.add(vector(text));
        }
        return vectors;
    }

    private static float[] vector(String text) {
        var vector = new float[64];
        vector[0] = 0.01f;
        for (var word : text.toLowerCase(Locale.ROOT).split("\\W+")) {
            vector[Math.floorMod(word.hashCode(), 64)] += 1;
        }
        double sum = 0;
        for (var value : vector) {
            sum += value * value;
        }
        for (int i = 0; i < vector.length; i++) {
            vector[i] /= (float) Math.sqrt(sum);
        }
        return vector;
    }
}
