package dev.skein.tools.mcp.oauth;

import java.net.URI;
import java.util.Map;

/// A person who says yes in a browser.
public interface Consent {

    /// Where the browser is sent afterwards.
    URI redirect();

    /// Sends the person there, and returns what the browser brought back.
    ///
    /// @throws dev.skein.tools.mcp.wire.McpFailure if nobody came back in time
    Map<String, String> ask(URI authorization) throws InterruptedException;
}
