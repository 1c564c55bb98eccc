package dev.skein.failure;

/// A model was asked for an answer of a certain shape, and did not give one.
public final class OutputInvalid extends SkeinException {

    /// `problem` is what is wrong with the last answer; `times` how many were given.
    public OutputInvalid(Object model, int times, String problem) {
        super(
                FailureKind.PROVIDER,
                "model.output_invalid",
                model + " gave " + times + " answers that do not have the shape that was asked for; the last one: "
                        + problem + "; continue the run, ask another model, or make the schema simpler",
                null);
    }
}
