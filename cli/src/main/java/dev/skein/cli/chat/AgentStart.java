package dev.skein.cli.chat;

import dev.skein.cli.program.Program;
import dev.skein.engine.agent.ActiveAgent;
import dev.skein.engine.agent.AgentSpec;
import dev.skein.session.SessionSettings;
import java.util.LinkedHashMap;
import java.util.Map;

/// Begins sessions with an agent: finds out what the agent has to know, from the person if need be.
///
/// @param given the variables on the command line
public record AgentStart(Program program, Map<String, String> given) {

    /// The settings of a session in which the agent of this name answers.
    ///
    /// @throws dev.skein.failure.InvalidRequest if there is no such agent, or nobody can say what it has to know
    public SessionSettings settings(String name, SessionSettings session) {
        var app = program.ai().app();
        var agent = app.agent(name);
        ActiveAgent.requireKnown(agent, given);
        return app.answeredBy(agent, known(agent), session);
    }

    private Map<String, String> known(AgentSpec agent) {
        var known = new LinkedHashMap<>(given);
        var terminal = program.terminal();
        if (terminal.isInteractive()) {
            for (var variable : ActiveAgent.missing(agent, given)) {
                known.put(variable.name(), terminal.asks(terminal.stored(variable.description())));
            }
        }
        return known;
    }
}
