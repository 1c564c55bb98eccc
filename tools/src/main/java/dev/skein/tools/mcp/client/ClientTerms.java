package dev.skein.tools.mcp.client;

import dev.skein.redaction.Redaction;
import dev.skein.tools.mcp.wire.WireLimits;
import dev.skein.tools.process.ChildEnvironment;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// What a server gets to see of us.
///
/// @param workspace the only root it is told of, and where it runs unless it is configured otherwise
/// @param environment what children see besides what they are configured with
/// @param elicits whether callers may be asked; servers are told
/// @param sampler answers what a server wants of a model; null if no server may
/// @param redaction what servers may know and not say: it is taken out of how they describe their tools
public record ClientTerms(
        Path workspace,
        ChildEnvironment environment,
        WireLimits limits,
        boolean elicits,
        @Nullable Sampler sampler,
        Redaction redaction) {

    /// Asks a model on behalf of a server.
    public interface Sampler {

        /// The result of `sampling/createMessage`; empty if that is not allowed.
        Optional<ObjectNode> sample(String server, JsonNode params);
    }

    /// Nobody is asked, neither a person nor a model.
    public static ClientTerms of(Path workspace, ChildEnvironment environment) {
        return new ClientTerms(workspace, environment, WireLimits.standard(), false, null, Redaction.SHAPES);
    }

    public ClientTerms withLimits(WireLimits newLimits) {
        return new ClientTerms(workspace, environment, newLimits, elicits, sampler, redaction);
    }

    public ClientTerms withElicitation() {
        return new ClientTerms(workspace, environment, limits, true, sampler, redaction);
    }

    public ClientTerms withRedaction(Redaction newRedaction) {
        return new ClientTerms(workspace, environment, limits, elicits, sampler, newRedaction);
    }
}
