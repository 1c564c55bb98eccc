package dev.skein.tools.mcp.client;

import dev.skein.redaction.Redaction;
import dev.skein.tools.mcp.config.McpServer;
import dev.skein.tools.mcp.wire.Credentials;
import dev.skein.tools.mcp.wire.WireLimits;
import dev.skein.tools.process.ChildEnvironment;
import java.nio.file.Path;
import java.util.function.Function;

/// What a server gets to see of us.
///
/// @param workspace the only root it is told of, and where it runs unless it is configured otherwise
/// @param environment what children see besides what they are configured with
/// @param elicits whether callers may be asked; servers are told
/// @param credentials what proves to a server over HTTP that we may use it
/// @param samples whether callers may be asked for a model's opinion; servers are told
/// @param redaction what servers may know and not say: it is taken out of how they describe their tools
public record ClientTerms(
        Path workspace,
        ChildEnvironment environment,
        WireLimits limits,
        boolean elicits,
        boolean samples,
        Function<McpServer, Credentials> credentials,
        Redaction redaction) {

    /// Nobody is asked, neither a person nor a model.
    public static ClientTerms of(Path workspace, ChildEnvironment environment) {
        return new ClientTerms(
                workspace, environment, WireLimits.standard(), false, false, _ -> Credentials.NONE, Redaction.SHAPES);
    }

    public ClientTerms withLimits(WireLimits newLimits) {
        return new ClientTerms(workspace, environment, newLimits, elicits, samples, credentials, redaction);
    }

    public ClientTerms withElicitation() {
        return new ClientTerms(workspace, environment, limits, true, samples, credentials, redaction);
    }

    /// The same, with what proves to a server over HTTP that we may use it.
    public ClientTerms withCredentials(Function<McpServer, Credentials> newCredentials) {
        return new ClientTerms(workspace, environment, limits, elicits, samples, newCredentials, redaction);
    }

    public ClientTerms withSampling() {
        return new ClientTerms(workspace, environment, limits, elicits, true, credentials, redaction);
    }

    public ClientTerms withRedaction(Redaction newRedaction) {
        return new ClientTerms(workspace, environment, limits, elicits, samples, credentials, newRedaction);
    }
}
