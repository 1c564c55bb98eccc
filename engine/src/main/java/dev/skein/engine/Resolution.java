package dev.skein.engine;

import dev.skein.cancellation.Cancellation;
import dev.skein.engine.agent.ActiveAgent;
import dev.skein.engine.agent.AgentSpec;
import dev.skein.engine.agent.AgentSpec.AutoContinue;
import dev.skein.engine.limit.Limits;
import dev.skein.engine.permission.Permissions;
import dev.skein.engine.role.Example;
import dev.skein.engine.role.RoleSpec;
import dev.skein.engine.scope.ToolScope;
import dev.skein.failure.InvalidRequest;
import dev.skein.message.Message;
import dev.skein.model.ModelName;
import dev.skein.model.Sampling;
import dev.skein.retrieval.RagKey;
import dev.skein.retrieval.Retriever;
import dev.skein.session.OutputShape;
import dev.skein.session.SessionSettings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What holds for one request: what the request says counts before its agent, that before its session, that before its
/// role, and that before the settings of all.
record Resolution(
        AppState app,
        @Nullable AgentSpec agent,
        @Nullable RoleSpec role,
        SessionSettings session,
        Overrides overrides) {

    /// @param home the agent with which the session lives
    static Resolution of(AppState app, @Nullable String home, SessionSettings session, Overrides overrides) {
        return new Resolution(
                app,
                agent(app, home, session, overrides).orElse(null),
                role(app, session, overrides).orElse(null),
                session,
                overrides);
    }

    /// A session outlives its agent: one that is gone says nothing. Who asks for one that is not there is told.
    private static Optional<AgentSpec> agent(
            AppState app, @Nullable String home, SessionSettings session, Overrides overrides) {
        if (overrides.agent() != null) {
            return overrides.agent().equals(AppState.NOBODY)
                    ? Optional.empty()
                    : Optional.of(app.agent(overrides.agent()));
        }
        return Optional.ofNullable(first(session.agent(), home)).flatMap(app.agents()::find);
    }

    /// A session outlives its role too.
    private static Optional<RoleSpec> role(AppState app, SessionSettings session, Overrides overrides) {
        if (overrides.role() != null) {
            return Optional.of(app.role(overrides.role()));
        }
        return Optional.ofNullable(session.role()).flatMap(app.roles()::find);
    }

    ModelName model() {
        var all = app.settings();
        var ofSession = session.model() == null || session.provider() == null
                ? null
                : new ModelName(session.provider(), session.model());
        var named = first(
                overrides.model(),
                agent == null ? null : agent.model(),
                ofSession,
                role == null ? null : role.model(),
                all.model());
        return named == null ? app.models().defaultModel() : named;
    }

    @Nullable
    String system() {
        return first(
                overrides.system(),
                agent == null ? session.agentInstructions() : told(agent),
                role == null ? null : role.system(),
                app.settings().system());
    }

    /// Those of the role, where the role says what the task is.
    List<Message> examples() {
        return role == null || agent != null || overrides.system() != null
                ? List.of()
                : Example.messages(role.examples());
    }

    /// What was found out when the session began is not found out again.
    private @Nullable String told(AgentSpec asked) {
        if (overrides.agent() == null && session.agentInstructions() != null) {
            return session.agentInstructions();
        }
        var active = active(asked);
        return active.told(app.agents().ask(asked, active.variables()));
    }

    private ActiveAgent active(AgentSpec asked) {
        var variables = new LinkedHashMap<>(session.agentVariables());
        variables.putAll(overrides.agentVariables());
        ActiveAgent.requireKnown(asked, overrides.agentVariables());
        return ActiveAgent.of(asked, variables);
    }

    Sampling sampling() {
        var all = app.settings().sampling();
        return new Sampling(
                first(
                        overrides.temperature(),
                        agent == null ? null : agent.temperature(),
                        session.temperature(),
                        role == null ? null : role.temperature(),
                        all.temperature()),
                first(
                        agent == null ? null : agent.topP(),
                        session.topP(),
                        role == null ? null : role.topP(),
                        all.topP()),
                all.tokensMax(),
                first(session.reasoningEffort(), all.thinkingLevel()));
    }

    ToolScope scope() {
        var scopes = new ArrayList<ToolScope>();
        scopes.add(new ToolScope(overrides.tools(), overrides.mcpServers()));
        if (agent != null) {
            scopes.add(agent.scope());
        }
        scopes.add(new ToolScope(session.tools(), session.mcpServers()));
        if (role != null) {
            scopes.add(new ToolScope(role.tools(), role.mcpServers()));
        }
        scopes.add(new ToolScope(app.settings().tools(), app.settings().mcpServers()));
        return ToolScope.first(scopes);
    }

    Permissions permissions() {
        var ofAll = app.settings().permissions();
        return agent == null ? ofAll : agent.permissions().before(ofAll);
    }

    Limits limits() {
        return agent == null || agent.limits() == null ? app.settings().limits() : agent.limits();
    }

    /// It is kept with the loop, so it must hold nothing that is not kept.
    @Nullable
    OutputShape shape() {
        var shape = overrides.shape();
        if (shape != null) {
            var text = shape.schema().toString();
            if (!app.settings().redaction().redactKnown(text).equals(text)) {
                throw new InvalidRequest("the schema '" + shape.name() + "' has a secret in it; take it out");
            }
        }
        return shape;
    }

    AutoContinue autoContinue() {
        var ofAgent = agent == null ? AutoContinue.OFF : agent.autoContinue();
        return overrides.autoContinue() == null
                ? ofAgent
                : new AutoContinue(overrides.autoContinue(), ofAgent.timesMax());
    }

    /// An agent's own documents count before those that a request or its session names.
    @Nullable
    Retriever retriever(@Nullable String home) {
        if (agent != null && !agent.documents().isEmpty()) {
            app.agents().prepare(agent, new Cancellation());
        }
        var name = agent == null ? homeOrNobody(home) : agent.name();
        if (name != null && RagKey.NAME.matcher(name).matches()) {
            var own = new RagKey.Agent(name);
            if (app.retrievers().has(own)) {
                return app.retrievers().open(own);
            }
        }
        var named = first(overrides.rag(), session.rag());
        return named == null || named.equals(RagKey.NONE)
                ? null
                : app.retrievers().open(new RagKey.Named(named));
    }

    /// The documents of an agent that has no other settings, unless nobody is to answer.
    private @Nullable String homeOrNobody(@Nullable String home) {
        var wanted = first(overrides.agent(), session.agent(), home);
        return AppState.NOBODY.equals(wanted) ? null : wanted;
    }

    @SafeVarargs
    private static <T> @Nullable T first(@Nullable T... candidates) {
        return Stream.of(candidates).filter(Objects::nonNull).findFirst().orElse(null);
    }
}
