package dev.skein.server.session;

import dev.skein.engine.AppState;
import dev.skein.engine.agent.AgentSpec;
import dev.skein.failure.SkeinException;
import dev.skein.server.http.Exchange;
import dev.skein.server.http.Fields;
import dev.skein.server.http.HttpFailure;
import dev.skein.server.setup.Backend;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/// The agents there are, and the one that answers in a session.
public record AgentRoutes(Backend backend, Sessions sessions) {

    public void list(Exchange exchange) {
        var answer = Exchange.object();
        var list = answer.putArray("agents");
        for (var name : backend.app().agents().names()) {
            var each = list.addObject().put("name", name);
            try {
                describe(each, backend.app().agent(name));
            } catch (SkeinException _) {
                each.put("description", "cannot be read").putNull("model");
            }
        }
        exchange.answer(answer);
    }

    private static void describe(ObjectNode each, AgentSpec agent) {
        each.put("description", agent.description());
        each.put("model", agent.model() == null ? null : agent.model().toString());
        var variables = each.putArray("variables");
        agent.variables()
                .forEach(variable -> variables
                        .addObject()
                        .put("name", variable.name())
                        .put("description", variable.description())
                        .put("default", variable.standard()));
        var starters = each.putArray("starters");
        agent.starters().forEach(starters::add);
        var agents = each.putArray("agents");
        agent.agents().forEach(agents::add);
    }

    public void set(Exchange exchange) {
        var body = exchange.body();
        try (var session = sessions.openOwn(exchange)) {
            var app = backend.app();
            var agent = app.agent(body.text("agent"));
            var settings = app.answeredBy(
                    agent, variables(body), session.state().settings().withAgent(agent.name()));
            backend.engine()
                    .configure(
                            session,
                            now -> now.withAgent(settings.agent())
                                    .withAgentKnowing(settings.agentVariables(), settings.agentInstructions()));
            exchange.answer(Exchange.object().put("agent", agent.name()));
        }
    }

    /// A session that lives with an agent stays where it is, and nobody in particular answers in it.
    public void clear(Exchange exchange) {
        try (var session = sessions.openOwn(exchange)) {
            var nobody = session.scope().agent() == null ? null : AppState.NOBODY;
            backend.engine()
                    .configure(session, settings -> settings.withAgent(nobody).withAgentKnowing(Map.of(), null));
        }
        exchange.done();
    }

    /// What a request tells an agent.
    public static Map<String, String> variables(Fields body) {
        var variables = new LinkedHashMap<String, String>();
        body.optionalObject("agent_variables")
                .ifPresent(given -> given.forEachEntry((name, value) -> {
                    if (!value.isString()) {
                        throw HttpFailure.invalid("field 'agent_variables." + name + "' must be a text");
                    }
                    variables.put(name, value.asString());
                }));
        return variables;
    }
}
