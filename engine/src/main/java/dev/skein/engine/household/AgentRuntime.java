package dev.skein.engine.household;

import dev.skein.engine.AppState;
import dev.skein.engine.Engine;
import dev.skein.engine.RunOptions;
import dev.skein.engine.RunSettings;
import dev.skein.engine.Spawning;
import dev.skein.session.Ids;
import dev.skein.session.SessionId;
import dev.skein.session.SpawnRef;
import dev.skein.store.SessionHandle;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Has agents work for agents: each in a session of its own, in the background, so many at once and so deep.
///
/// It remembers nothing: who works for whom stands in the sessions. When a run begins or goes on, those who had not
/// come to their end are taken further; when it ends, nobody who works for it is left behind. So a whole tree stops
/// with its root, and goes on with it, also in another process.
///
/// @param depthMax how many levels of agents may work below the first
/// @param atOnceMax how many work for the same agent at the same time; others wait for their turn
/// @param familyMax how many an agent may have, working or waiting
public record AgentRuntime(Engine engine, Ids ids, InstantSource clock, int depthMax, int atOnceMax, int familyMax)
        implements Spawning {

    public static final int DEPTH_MAX = 3;
    public static final int AT_ONCE_MAX = 4;
    public static final int FAMILY_MAX = 100;

    public static AgentRuntime standard(Engine engine, Ids ids, InstantSource clock) {
        return new AgentRuntime(engine, ids, clock, DEPTH_MAX, AT_ONCE_MAX, FAMILY_MAX);
    }

    @Override
    public RunSettings equipped(AppState app, SessionHandle session, RunSettings settings, RunOptions options) {
        var agent = settings.agent();
        if (agent == null || agent.agents().isEmpty() || depth(app, session) >= depthMax) {
            return settings;
        }
        var family = new Family(this, app, agent, options.asking());
        var tools = Stream.concat(settings.tools().stream(), AgentTools.of(family, agent, app).stream())
                .toList();
        return settings.withTools(tools).withCompanions(family);
    }

    /// How many agents stand above this session.
    private int depth(AppState app, SessionHandle session) {
        var depth = 0;
        var spawn = session.state().opened().spawn();
        while (spawn != null && depth < depthMax) {
            depth++;
            spawn = spawnOf(app, session.scope().owner(), spawn.session());
        }
        return depth;
    }

    private static @Nullable SpawnRef spawnOf(AppState app, String owner, SessionId id) {
        var scope = app.store().locate(owner, id);
        if (scope.isEmpty()) {
            return null;
        }
        try (var above = app.store().open(scope.get(), id)) {
            return above.state().opened().spawn();
        }
    }
}
