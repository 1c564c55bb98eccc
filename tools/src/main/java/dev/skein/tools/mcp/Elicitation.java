package dev.skein.tools.mcp;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Asks a person for what a server wants to know in the middle of a call.
@FunctionalInterface
public interface Elicitation {

    /// The result of `elicitation/create`: an `action` (accept, decline or cancel) and, if accepted, the `content`.
    ///
    /// @param params holds a `message` and a `requestedSchema`
    ObjectNode ask(String server, JsonNode params);
}
