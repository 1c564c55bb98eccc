package dev.skein.engine;

import dev.skein.engine.Companions.Heard;
import dev.skein.engine.output.ShapeCheck;
import dev.skein.failure.OutputInvalid;
import dev.skein.live.RunOutcome;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.model.ModelName;
import dev.skein.model.ModelReply.StopReason;
import dev.skein.session.LoopRecord;
import dev.skein.session.OutputShape;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// Holds the answer of a loop to its shape: the model hears what is wrong and is asked again, so often and no more. How
/// often it was is in the journal. Used by one thread.
final class ShapedAnswer {

    /// How often a model is asked again.
    static final int AGAIN_MAX = 2;

    private final @Nullable OutputShape shape;
    private final ModelName model;
    private final Supplier<Optional<LoopRecord>> loop;
    private @Nullable ShapeCheck check;

    ShapedAnswer(RunSettings settings, Supplier<Optional<LoopRecord>> loop) {
        this.shape = settings.shape();
        this.model = settings.model().name();
        this.loop = loop;
    }

    boolean isWanted() {
        return shape != null;
    }

    /// The value that an answer which fits holds; null if none is wanted.
    @Nullable
    JsonNode value(@Nullable Message answer) {
        return shape == null || answer == null
                ? null
                : OutputShape.value(answer.text()).orElse(null);
    }

    /// What the model is told so that it answers again; empty if the answer fits.
    ///
    /// @throws OutputInvalid if it was told often enough
    Optional<Heard> again(@Nullable Message answer) {
        if (shape == null) {
            return Optional.empty();
        }
        if (check == null) {
            check = ShapeCheck.of(shape);
        }
        var problem = check.problem(answer == null ? "" : answer.text()).orElse(null);
        if (problem == null) {
            return Optional.empty();
        }
        var told = wasCutOff(answer) ? "it was cut off, because it is too long; " + problem : problem;
        var times = times();
        if (times >= AGAIN_MAX) {
            throw new OutputInvalid(model, times + 1, told);
        }
        var text = "Your answer does not have the shape that was asked for: " + told
                + "\nAnswer again, with nothing but JSON that fits the schema.";
        return Optional.of(new Heard(
                List.of(new Part.Text(text)),
                Map.of(RunOutcome.OUTPUT_RETRY, JsonNodeFactory.instance.numberNode(times + 1))));
    }

    private static boolean wasCutOff(@Nullable Message answer) {
        return answer != null
                && answer.reply() != null
                && StopReason.LENGTH.toString().equals(answer.reply().stopReason());
    }

    private int times() {
        return (int) loop.get().stream()
                .flatMap(record -> record.messages().stream())
                .filter(message -> message.metadata().containsKey(RunOutcome.OUTPUT_RETRY))
                .count();
    }
}
