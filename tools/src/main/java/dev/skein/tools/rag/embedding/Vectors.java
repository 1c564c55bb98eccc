package dev.skein.tools.rag.embedding;

import dev.skein.failure.RagFailed;

/// Arithmetic of vectors.
final class Vectors {

    private Vectors() {}

    /// The same direction, with length 1.
    static float[] unit(String model, float[] vector) {
        double sum = 0;
        for (float value : vector) {
            sum += (double) value * value;
        }
        if (!(sum > 0) || Double.isInfinite(sum)) {
            throw RagFailed.embedding("the model '" + model + "' gave a vector without a direction", null);
        }
        var length = (float) Math.sqrt(sum);
        var unit = new float[vector.length];
        for (int i = 0; i < vector.length; i++) {
            unit[i] = vector[i] / length;
        }
        return unit;
    }
}
