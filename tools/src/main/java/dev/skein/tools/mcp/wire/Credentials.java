package dev.skein.tools.mcp.wire;

import java.util.List;
import java.util.Optional;

/// What proves to a server over HTTP that we may use it. Safe for use by many threads.
public interface Credentials {

    /// There are none besides the headers that are configured.
    Credentials NONE = new Credentials() {
        @Override
        public Optional<String> token() {
            return Optional.empty();
        }

        @Override
        public boolean renew(int status, List<String> challenges, Optional<String> used) {
            return false;
        }
    };

    /// The token to send; empty if there is none yet.
    Optional<String> token() throws InterruptedException;

    /// Gets another token after the server refused us; false if none is to be had.
    ///
    /// @param challenges the values of `WWW-Authenticate`
    /// @param used the token that was refused
    /// @throws McpFailure if one should be had and is not
    boolean renew(int status, List<String> challenges, Optional<String> used) throws InterruptedException;
}
