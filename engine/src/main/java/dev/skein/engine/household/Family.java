package dev.skein.engine.household;

import dev.skein.cancellation.Cancellation;
import dev.skein.engine.AppState;
import dev.skein.engine.Companions;
import dev.skein.engine.Engine;
import dev.skein.engine.RequestContext;
import dev.skein.engine.RunOptions.Asking;
import dev.skein.engine.agent.AgentSpec;
import dev.skein.failure.InvalidRequest;
import dev.skein.failure.SessionNotFound;
import dev.skein.session.ChildLoopRef;
import dev.skein.session.LoopPointer;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionId;
import dev.skein.session.SessionSettings;
import dev.skein.session.SpawnRef;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Those who work for the agent of one request. Its tools speak to the household of the run that goes on.
final class Family implements Companions {

    private final AgentRuntime runtime;
    private final AppState app;
    private final AgentSpec parent;
    private final Asking asking;
    private volatile @Nullable Household household;

    Family(AgentRuntime runtime, AppState app, AgentSpec parent, Asking asking) {
        this.runtime = runtime;
        this.app = app;
        this.parent = parent;
        this.asking = asking;
    }

    AgentRuntime runtime() {
        return runtime;
    }

    Engine engine() {
        return runtime.engine();
    }

    AppState app() {
        return app;
    }

    Asking asking() {
        return asking;
    }

    @Override
    public Company join(RequestContext context, LoopPointer loop, Consumer<String> notes, Cancellation cancellation) {
        var joined = new Household(this, context.session(), Kin.of(context.session(), loop), notes, cancellation);
        household = joined;
        joined.takeFurther();
        return joined;
    }

    /// The household of the run that goes on.
    Household household() {
        var current = household;
        if (current == null) {
            throw new IllegalStateException("no run goes on");
        }
        return current;
    }

    /// The session of a sub-agent; made if the process ended right after it was announced.
    SessionHandle session(SessionHandle above, ChildLoopRef link, SpawnRef spawn, JsonNode arguments) {
        var owner = above.scope().owner();
        var scope = app.store().locate(owner, link.session());
        if (scope.isPresent()) {
            return app.store().open(scope.get(), link.session());
        }
        var name = agent(arguments);
        var settings = app.answeredBy(app.agent(name), variables(arguments), SessionSettings.NONE);
        return app.store()
                .create(NewSession.in(above.scope().withAgent(name))
                        .withId(link.session())
                        .spawnedBy(spawn)
                        .withEvents(List.of(new SessionEvent.SessionConfigured(
                                runtime.clock().instant(), settings))));
    }

    /// The session of a sub-agent that this session has started at some time.
    ///
    /// @throws InvalidRequest if it has not
    SessionHandle own(SessionHandle above, SessionId id) {
        var scope = app.store()
                .locate(above.scope().owner(), id)
                .orElseThrow(() -> new InvalidRequest("there is no sub-agent " + id));
        try {
            var session = app.store().open(scope, id);
            var spawn = session.state().opened().spawn();
            if (spawn == null || !spawn.session().equals(above.id())) {
                session.close();
                throw new InvalidRequest("there is no sub-agent " + id);
            }
            return session;
        } catch (SessionNotFound _) {
            throw new InvalidRequest("there is no sub-agent " + id);
        }
    }

    /// @throws InvalidRequest if the agent may not have this one work for it
    String agent(JsonNode arguments) {
        var name = arguments.path(AgentTools.AGENT).asString("");
        if (!parent.agents().contains(name)) {
            throw new InvalidRequest("there is no agent '" + name + "' for this; there are " + parent.agents());
        }
        return name;
    }

    static Map<String, String> variables(JsonNode arguments) {
        var variables = new LinkedHashMap<String, String>();
        arguments
                .path(AgentTools.VARIABLES)
                .properties()
                .forEach(property ->
                        variables.put(property.getKey(), property.getValue().asString("")));
        return variables;
    }
}
