package dev.skein.engine.naming;

import dev.skein.cancellation.Cancellation;
import dev.skein.message.Excerpt;
import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.model.Model;
import dev.skein.model.ModelRequest;
import dev.skein.model.Sampling;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/// Asks a model for a name.
public record ModelNamer(Model model, String instructions) implements Namer {

    private static final int EXCERPT_MAX = 1_000;
    private static final int MESSAGES_MAX = 4;
    private static final String INSTRUCTIONS =
            "Name this conversation in two to five words, lower case, joined by hyphens. Reply with the name only.";

    public static ModelNamer with(Model model) {
        return new ModelNamer(model, INSTRUCTIONS);
    }

    @Override
    public String name(List<Message> beginning, Cancellation cancellation) {
        var excerpt = beginning.stream()
                .filter(message ->
                        message.role() != Role.TOOL && !message.text().isBlank())
                .limit(MESSAGES_MAX)
                .map(message -> message.role() + ": " + Excerpt.cut(message.text(), EXCERPT_MAX))
                .collect(Collectors.joining("\n"));
        var asked = Message.of(new MessageId("naming"), Role.USER, Instant.EPOCH, new Part.Text(excerpt));
        var reply = model.reply(
                new ModelRequest(instructions, List.of(asked), List.of(), Sampling.DEFAULT), _ -> {}, cancellation);
        var said = Message.of(
                new MessageId("name"),
                Role.ASSISTANT,
                Instant.EPOCH,
                reply.parts().toArray(Part[]::new));
        return said.text().lines().findFirst().orElse("");
    }
}
