package dev.skein.model;

import dev.skein.message.ToolCallId;

/// A piece of a reply while it is spoken.
public sealed interface ReplyFragment {

    record Text(String text) implements ReplyFragment {}

    record Thinking(String text) implements ReplyFragment {}

    /// A piece of the JSON of a tool call's arguments.
    record ToolArguments(ToolCallId call, String name, String text) implements ReplyFragment {}
}
