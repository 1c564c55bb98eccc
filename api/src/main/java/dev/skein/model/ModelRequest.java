package dev.skein.model;

import dev.skein.message.Message;
import dev.skein.tool.ToolSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a model is asked: instructions, the conversation so far, the tools it may ask for.
public record ModelRequest(@Nullable String system, List<Message> messages, List<ToolSpec> tools, Sampling sampling) {

    public ModelRequest {
        messages = List.copyOf(messages);
        tools = List.copyOf(tools);
    }
}
