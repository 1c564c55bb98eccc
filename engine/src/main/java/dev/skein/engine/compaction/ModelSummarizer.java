package dev.skein.engine.compaction;

import dev.skein.cancellation.Cancellation;
import dev.skein.message.Excerpt;
import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.model.Model;
import dev.skein.model.ModelRequest;
import dev.skein.model.Sampling;
import java.util.List;
import java.util.stream.Collectors;

/// Summarises by asking a model. The conversation is given as text, so that the model is not tempted to go on with it.
public record ModelSummarizer(Model model, String instructions) implements Summarizer {

    private static final String STANDARD =
            "Summarise the conversation below for whoever continues it: goals, decisions, facts, names, open questions "
                    + "and unfinished work. Be brief and leave nothing out that is still needed.";

    /// Tools say much that need not be remembered.
    private static final int RESULT_MAX = 2_000;
    private static final int MESSAGE_MAX = 20_000;

    public static ModelSummarizer with(Model model) {
        return new ModelSummarizer(model, STANDARD);
    }

    @Override
    public String summarize(List<Message> messages, Cancellation cancellation) {
        var conversation = messages.stream()
                .map(message -> message.role() + ": "
                        + Excerpt.of(message.text(), message.role() == Role.TOOL ? RESULT_MAX : MESSAGE_MAX))
                .collect(Collectors.joining("\n\n"));
        var question = Message.of(
                new MessageId("summary-request"), Role.USER, messages.getLast().at(), conversation);
        var reply = model.reply(
                new ModelRequest(instructions, List.of(question), List.of(), Sampling.DEFAULT), _ -> {}, cancellation);
        return Message.of(
                        new MessageId("summary"),
                        Role.ASSISTANT,
                        question.at(),
                        reply.parts().toArray(Part[]::new))
                .text();
    }
}
