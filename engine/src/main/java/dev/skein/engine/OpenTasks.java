package dev.skein.engine;

import dev.skein.engine.Companions.Heard;
import dev.skein.live.RunOutcome;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.session.OwnNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// Keeps a run going while its list of things to do is not done, so often and no more. The list is the newest that the
/// tool `todo` has answered with. Used by one thread.
final class OpenTasks {

    /// The tool that keeps the list.
    static final String TOOL = OwnNames.PLAN;

    /// How much of what was said before is looked at.
    static final int CONVERSATION = 1_000;

    private final RunSettings settings;
    private final Supplier<List<Message>> conversation;
    private int times;

    OpenTasks(RunSettings settings, Supplier<List<Message>> conversation) {
        this.settings = settings;
        this.conversation = conversation;
    }

    /// How often the run went on because of this.
    int times() {
        return times;
    }

    /// What the model is told so that it goes on; empty if nothing is left to do, or it went on often enough.
    Optional<Heard> next() {
        var rule = settings.autoContinue();
        if (!rule.isOn() || times >= rule.timesMax()) {
            return Optional.empty();
        }
        var open = open();
        if (open.isEmpty()) {
            return Optional.empty();
        }
        times++;
        var text = "There is something left to do:\n" + String.join("\n", open)
                + "\nGo on with it. Say with the tool " + TOOL
                + " what is done; what cannot be done, say so and take it off the list.";
        return Optional.of(new Heard(
                List.of(new Part.Text(text)),
                Map.of(RunOutcome.AUTO_CONTINUE, JsonNodeFactory.instance.numberNode(times))));
    }

    private List<String> open() {
        var newest = newest();
        var open = new ArrayList<String>();
        if (newest != null) {
            for (var item : newest.path("items")) {
                if (!item.path("done").asBoolean(false)) {
                    open.add("- " + item.path("text").asString(""));
                }
            }
        }
        return open;
    }

    private @Nullable JsonNode newest() {
        JsonNode newest = null;
        for (var message : conversation.get()) {
            var summarised = message.metadata().get(TOOL);
            newest = newer(newest, summarised == null ? null : summarised.path("data"));
            for (var result : message.toolResults()) {
                if (result.name().equals(TOOL) && !result.isError()) {
                    newest = newer(newest, result.data());
                }
            }
        }
        return newest;
    }

    private static @Nullable JsonNode newer(@Nullable JsonNode one, @Nullable JsonNode other) {
        if (other == null || !other.path("items").isArray()) {
            return one;
        }
        return one == null
                        || other.path("revision").asLong(0)
                                >= one.path("revision").asLong(0)
                ? other
                : one;
    }
}
