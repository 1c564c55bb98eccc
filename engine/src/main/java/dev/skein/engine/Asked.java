package dev.skein.engine;

import dev.skein.engine.retrieval.Grounding;
import dev.skein.message.Message;
import dev.skein.model.ModelRequest;
import dev.skein.tool.Tool;
import java.util.List;
import java.util.stream.Stream;

/// Puts together what a model is asked.
final class Asked {

    private Asked() {}

    /// What the model is asked about these messages. It is told what its answer has to look like, unless its provider
    /// sees to that.
    static ModelRequest of(RunSettings settings, List<Message> messages, Grounding grounding) {
        var shape = settings.shape();
        var holds =
                shape != null && settings.model().holds(shape, !settings.tools().isEmpty());
        return new ModelRequest(
                shape == null || holds ? settings.system() : shape.told(settings.system()),
                shown(settings.examples(), grounding.among(messages, settings.redaction())),
                settings.tools().stream().map(Tool::spec).toList(),
                settings.sampling(),
                holds ? shape : null);
    }

    private static List<Message> shown(List<Message> examples, List<Message> messages) {
        return examples.isEmpty()
                ? messages
                : Stream.concat(examples.stream(), messages.stream()).toList();
    }
}
