package dev.skein.provider.remote;

import dev.skein.cancellation.Cancellation;
import dev.skein.message.Part;
import dev.skein.message.ToolCallId;
import dev.skein.model.ModelReply.StopReason;
import dev.skein.model.ReplyFragment;
import dev.skein.wire.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// A reply while it is spoken: hands over each fragment as it comes and remembers the parts in their order.
///
/// For one thread.
public final class Speech {

    private final Consumer<ReplyFragment> fragments;
    private final Cancellation cancellation;
    private final String idPrefix;

    private final List<Part> parts = new ArrayList<>();
    private final StringBuilder words = new StringBuilder();
    private boolean thinking;
    private @Nullable String signature;
    private int calls;
    private @Nullable StopReason stopReason;

    /// Begins to speak.
    ///
    /// @param idPrefix begins the id of a tool call that the provider gave none
    Speech(Consumer<ReplyFragment> fragments, Cancellation cancellation, String idPrefix) {
        this.fragments = fragments;
        this.cancellation = cancellation;
        this.idPrefix = idPrefix;
    }

    /// Says some words of the answer.
    public void say(String text) {
        if (thinking) {
            endPart();
        }
        words.append(text);
        hand(new ReplyFragment.Text(text));
    }

    /// Thinks aloud.
    public void think(String text) {
        beginThinking();
        words.append(text);
        hand(new ReplyFragment.Thinking(text));
    }

    /// Signs the thought of the moment.
    public void sign(String text) {
        beginThinking();
        signature = signature == null ? text : signature + text;
    }

    /// Thinks what only the provider can read.
    public void thinkSecretly(String redacted) {
        endPart();
        parts.add(new Part.Thinking("", null, redacted));
    }

    /// Ends the part of the moment: what follows is another, even if of the same kind.
    public void endPart() {
        if (thinking && (!words.isEmpty() || signature != null)) {
            parts.add(new Part.Thinking(words.toString(), signature, null));
        } else if (!words.isEmpty()) {
            parts.add(new Part.Text(words.toString()));
        }
        words.setLength(0);
        signature = null;
        thinking = false;
    }

    /// Says why the model stopped.
    public void stop(StopReason reason) {
        stopReason = reason;
    }

    /// Why the model stopped; null if that was not said here.
    public @Nullable StopReason stopReason() {
        return stopReason;
    }

    /// Spells a piece of the arguments of the next call.
    public void spellArguments(@Nullable String id, String name, String json) {
        hand(new ReplyFragment.ToolArguments(idOf(id), name, json));
    }

    /// Calls a tool, whose arguments were spelled before.
    public void call(@Nullable String id, @Nullable String name, @Nullable String arguments) {
        // An empty one comes from servers that begin to count at one.
        if (name != null && !name.isBlank()) {
            add(new Part.ToolCall(idOf(id), name, parsed(arguments), null));
        }
    }

    /// Calls a tool, all at once.
    public void call(@Nullable String id, String name, JsonNode arguments, @Nullable String callSignature) {
        var given = arguments.isObject() ? arguments : parsed(arguments.asString(""));
        spellArguments(id, name, given.toString());
        add(new Part.ToolCall(idOf(id), name, given, callSignature));
    }

    private void add(Part.ToolCall call) {
        endPart();
        parts.add(call);
        calls++;
    }

    boolean hasCalls() {
        return calls > 0;
    }

    List<Part> parts() {
        endPart();
        return List.copyOf(parts);
    }

    private void beginThinking() {
        if (!thinking) {
            endPart();
            thinking = true;
        }
    }

    private void hand(ReplyFragment fragment) {
        cancellation.check();
        fragments.accept(fragment);
    }

    private ToolCallId idOf(@Nullable String id) {
        return new ToolCallId(id == null || id.isBlank() ? idPrefix + calls : id);
    }

    /// The arguments; the model's own words as a text if they are no JSON, so that its tool can tell it so.
    private static JsonNode parsed(@Nullable String arguments) {
        if (arguments == null || arguments.isBlank()) {
            return JsonNodeFactory.instance.objectNode();
        }
        try {
            return Json.MAPPER.readTree(arguments);
        } catch (JacksonException _) {
            return JsonNodeFactory.instance.stringNode(arguments);
        }
    }
}
