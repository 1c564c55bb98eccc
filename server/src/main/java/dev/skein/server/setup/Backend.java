package dev.skein.server.setup;

import dev.skein.engine.AppState;
import dev.skein.engine.Engine;
import dev.skein.engine.Timers;
import dev.skein.engine.schedule.Schedules;
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
        Documents documents,
        Schedules schedules,
        Ids ids,
        Clock clock,
        Timers timers,
        String version) {

    /// A backend without documents, MCP servers and schedules.
    public Backend(
            AppState app,
            Engine engine,
            SessionStore forgetful,
            Exports exports,
            Ids ids,
            Clock clock,
            Timers timers,
            String version) {
        this(
                app,
                engine,
                forgetful,
                exports,
                McpPool.NONE,
                Documents.NONE,
                Schedules.NONE,
                ids,
                clock,
                timers,
                version);
    }

    public Backend with(Schedules newSchedules) {
        return new Backend(app, engine, forgetful, exports, mcp, documents, newSchedules, ids, clock, timers, version);
    }

    public SessionStore store() {
        return app.store();
    }
}
