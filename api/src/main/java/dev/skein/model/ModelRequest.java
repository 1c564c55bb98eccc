package dev.skein.model;

import dev.skein.message.Message;
import dev.skein.session.OutputShape;
import dev.skein.tool.ToolSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a model is asked: instructions, the conversation so far, the tools it may ask for.
///
/// @param shape what the provider itself is to hold the answer to, see [Model#holds]
public record ModelRequest(
        @Nullable String system,
        List<Message> messages,
        List<ToolSpec> tools,
        Sampling sampling,
        @Nullable OutputShape shape) {

    public ModelRequest {
        messages = List.copyOf(messages);
        tools = List.copyOf(tools);
    }

    /// A request for any answer.
    public ModelRequest(@Nullable String system, List<Message> messages, List<ToolSpec> tools, Sampling sampling) {
        this(system, messages, tools, sampling, null);
    }
}
