package dev.skein.engine.agent;

import dev.skein.engine.limit.Limits;
import dev.skein.engine.permission.PermissionRules;
import dev.skein.engine.scope.ToolScope;
import dev.skein.model.ModelName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An agent: a task, and everything that is needed for it. Null means that the agent leaves this to others.
///
/// @param starters what a person might say first
/// @param documents files and directories whose passages it answers from
/// @param agents whom it may have work done
public record AgentSpec(
        String name,
        @Nullable String description,
        Instructions instructions,
        List<Variable> variables,
        List<String> starters,
        List<String> documents,
        @Nullable ModelName model,
        @Nullable Double temperature,
        @Nullable Double topP,
        ToolScope scope,
        List<String> agents,
        PermissionRules permissions,
        @Nullable Limits limits,
        AutoContinue autoContinue) {

    public AgentSpec {
        variables = List.copyOf(variables);
        starters = List.copyOf(starters);
        documents = List.copyOf(documents);
        agents = List.copyOf(agents);
    }

    /// An agent that is nothing but its task.
    public static AgentSpec of(String name, String task) {
        return new AgentSpec(
                name,
                null,
                new Instructions(task, null),
                List.of(),
                List.of(),
                List.of(),
                null,
                null,
                null,
                ToolScope.ALL,
                List.of(),
                PermissionRules.STANDARD,
                null,
                AutoContinue.OFF);
    }

    /// What the model is told about its task: a text, and below it what a command says when a session begins.
    public record Instructions(String text, @Nullable String command) {}

    /// Something that differs from one use to the next, written `{{name}}` in the instructions.
    ///
    /// @param standard its value if nobody gives another; null if somebody must
    public record Variable(
            String name, String description, @Nullable String standard) {}

    /// Whether a run goes on by itself while there are things left to do, and how often.
    public record AutoContinue(boolean isOn, int timesMax) {

        public static final int TIMES_MAX = 10;
        public static final AutoContinue OFF = new AutoContinue(false, TIMES_MAX);
    }

    public AgentSpec withModel(ModelName newModel) {
        return changed(newModel, variables, scope, agents, autoContinue);
    }

    public AgentSpec withVariables(Variable... newVariables) {
        return changed(model, List.of(newVariables), scope, agents, autoContinue);
    }

    public AgentSpec withScope(ToolScope newScope) {
        return changed(model, variables, newScope, agents, autoContinue);
    }

    public AgentSpec withAgents(String... names) {
        return changed(model, variables, scope, List.of(names), autoContinue);
    }

    public AgentSpec withAutoContinue(AutoContinue newAutoContinue) {
        return changed(model, variables, scope, agents, newAutoContinue);
    }

    private AgentSpec changed(
            @Nullable ModelName newModel,
            List<Variable> newVariables,
            ToolScope newScope,
            List<String> newAgents,
            AutoContinue newAutoContinue) {
        return new AgentSpec(
                name,
                description,
                instructions,
                newVariables,
                starters,
                documents,
                newModel,
                temperature,
                topP,
                newScope,
                newAgents,
                permissions,
                limits,
                newAutoContinue);
    }
}
