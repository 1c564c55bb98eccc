package dev.skein.server.setup;

import dev.skein.engine.AppState;
import dev.skein.engine.Engine;
import dev.skein.engine.Timers;
import dev.skein.session.Ids;
import dev.skein.store.SessionStore;
import java.time.Clock;

/// What the server serves: the engine with all that it needs.
///
/// @param forgetful keeps sessions that nobody wants kept
/// @param version of the program, for those who ask
public record Backend(
        AppState app,
        Engine engine,
        SessionStore forgetful,
        Exports exports,
        McpPool mcp,
        Ids ids,
        Clock clock,
        Timers timers,
        String version) {

    public SessionStore store() {
        return app.store();
    }
}
