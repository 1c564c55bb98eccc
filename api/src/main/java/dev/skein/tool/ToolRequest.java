package dev.skein.tool;

import dev.skein.message.Part;
import dev.skein.session.LoopId;
import dev.skein.session.SessionId;
import java.util.function.Consumer;

/// One call of a tool: the model's own words, where it was made, and whom to tell how far it has come.
public record ToolRequest(Part.ToolCall call, SessionId session, LoopId loop, Consumer<String> progress) {}
