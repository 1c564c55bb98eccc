package dev.skein.tools.mcp;

import dev.skein.cancellation.Cancellation;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Asks a model on behalf of a server, after a person said yes.
@FunctionalInterface
public interface Sampler {

    /// The result of `sampling/createMessage`.
    ///
    /// @param params holds `messages`, perhaps a `systemPrompt` and `maxTokens`
    ObjectNode sample(String server, JsonNode params, Cancellation cancellation);
}
