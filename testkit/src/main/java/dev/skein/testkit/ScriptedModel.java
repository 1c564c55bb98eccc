package dev.skein.testkit;

import dev.skein.cancellation.Cancellation;
import dev.skein.message.Cost;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.ToolCallId;
import dev.skein.message.Usage;
import dev.skein.model.Model;
import dev.skein.model.ModelName;
import dev.skein.model.ModelReply;
import dev.skein.model.ModelReply.StopReason;
import dev.skein.model.ModelRequest;
import dev.skein.model.ReplyFragment;
import dev.skein.model.Sampling;
import dev.skein.session.LoopConfigSnapshot;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.databind.node.JsonNodeFactory;

/// A model that speaks its lines in order.
///
/// Which line is due follows from the conversation, not from a counter: it is the one after as many assistant
/// messages as are there. So the script is still right after a crash and a resume.
public record ScriptedModel(List<List<Part>> lines) implements Model {

    private static final ModelName NAME = new ModelName("scripted", "script");

    public static ScriptedModel of(Part... lines) {
        return new ScriptedModel(Arrays.stream(lines).map(List::of).toList());
    }

    /// Lines of several parts each.
    public static ScriptedModel ofLines(List<List<Part>> lines) {
        return new ScriptedModel(lines);
    }

    public static Part says(String text) {
        return new Part.Text(text);
    }

    /// A call whose id is the tool's name, with one argument.
    public static Part asks(String tool, String argument) {
        return new Part.ToolCall(
                new ToolCallId("call-" + tool + "-" + argument),
                tool,
                JsonNodeFactory.instance.objectNode().put("value", argument),
                null);
    }

    @Override
    public ModelName name() {
        return NAME;
    }

    @Override
    public LoopConfigSnapshot snapshot(Sampling sampling) {
        return LoopConfigSnapshot.of(NAME.provider(), NAME.model());
    }

    @Override
    public ModelReply reply(ModelRequest request, Consumer<ReplyFragment> fragments, Cancellation cancellation) {
        var spoken = (int) request.messages().stream()
                .filter(message -> message.role() == Role.ASSISTANT)
                .filter(ScriptedModel::isWhole)
                .count();
        if (spoken >= lines.size()) {
            throw new AssertionError(
                    "the script is over, yet asked: " + request.messages().getLast());
        }
        var line = lines.get(spoken);
        for (var part : line) {
            cancellation.check();
            if (part instanceof Part.Text(var text)) {
                fragments.accept(new ReplyFragment.Text(text));
            }
        }
        var asks = line.stream().anyMatch(Part.ToolCall.class::isInstance);
        return new ModelReply(line, asks ? StopReason.TOOL_USE : StopReason.STOP, Usage.of(10, 5), Cost.ofUsd("0.001"));
    }

    /// Half a sentence is not a line.
    private static boolean isWhole(Message message) {
        return message.reply() == null || !"aborted".equals(message.reply().stopReason());
    }
}
