package dev.skein.engine;

import dev.skein.cancellation.Cancellation;
import dev.skein.engine.agent.ActiveAgent;
import dev.skein.engine.agent.AgentSpec;
import dev.skein.engine.agent.Agents;
import dev.skein.engine.compaction.Compaction;
import dev.skein.engine.compaction.ExtractiveSummarizer;
import dev.skein.engine.compaction.ModelSummarizer;
import dev.skein.engine.naming.ModelNamer;
import dev.skein.engine.naming.Namer;
import dev.skein.engine.role.RoleSpec;
import dev.skein.engine.role.Roles;
import dev.skein.engine.scope.ToolSource;
import dev.skein.failure.InvalidRequest;
import dev.skein.message.Part;
import dev.skein.model.Model;
import dev.skein.model.ModelName;
import dev.skein.model.Models;
import dev.skein.retrieval.Retrievers;
import dev.skein.session.SessionSettings;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionStore;
import dev.skein.tool.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What all requests share, made once and never changed: the store, the models, the tools, the roles, the agents, the
/// documents, the settings.
///
/// `more` gives tools that take a moment to be had; it is not asked where only others are wanted.
///
/// From these, a session's own settings and what one request wants otherwise, [#context] makes the context of a run.
public record AppState(
        SessionStore store,
        Models models,
        List<Tool> tools,
        ToolSource more,
        Roles roles,
        Agents agents,
        Spawning spawning,
        Retrievers retrievers,
        EngineSettings settings) {

    /// What is said instead of an agent's name, so that no agent answers.
    public static final String NOBODY = "none";

    private static final int EXTRACT_MAX = 8_000;

    public AppState {
        tools = List.copyOf(tools);
    }

    public AppState(SessionStore store, Models models, List<Tool> tools, EngineSettings settings) {
        this(store, models, tools, ToolSource.NONE, Roles.NONE, Agents.NONE, Spawning.NONE, Retrievers.NONE, settings);
    }

    /// The context of a request on this session.
    ///
    /// @throws InvalidRequest if the model or a tool that is asked for cannot be had
    public RequestContext context(
            String requestId,
            SessionHandle session,
            Overrides overrides,
            RunOptions options,
            Steering steering,
            Cancellation cancellation) {
        var runSettings = resolve(session.scope().agent(), session.state().settings(), overrides);
        var equipped = spawning.equipped(this, session, runSettings, options);
        return new RequestContext(requestId, session, inPlace(equipped), options, steering, cancellation);
    }

    private RunSettings inPlace(RunSettings run) {
        var told = settings.workplace().behind(run.system());
        return told == null || told.equals(run.system())
                ? run
                : run.withSystem(settings.redaction().redactKnown(told));
    }

    /// With what a request would be run, on a session that lives with this agent or with none.
    ///
    /// What the request wants counts before what its agent says, that before the session, that before its role, and
    /// that before the settings of all.
    public RunSettings resolve(@Nullable String agent, SessionSettings session, Overrides overrides) {
        var resolution = Resolution.of(this, agent, session, overrides);
        var model = models.open(resolution.model());
        var warnings = new ArrayList<InputFilter>();
        var offered = tools(resolution, words -> warnings.add(_ -> new InputFilter.Verdict.Warn(words)));
        return RunSettings.of(model)
                .withAgent(resolution.agent())
                .withSystem(resolution.system())
                .withExamples(resolution.examples())
                .withSampling(resolution.sampling())
                .withTools(offered)
                .withFilters(warnings.toArray(InputFilter[]::new))
                .withAutoContinue(resolution.autoContinue())
                .withPermissions(resolution.permissions())
                .withLimits(resolution.limits())
                .withWindow(settings.window())
                .withCompaction(compaction(session, model))
                .withRedaction(settings.redaction())
                .withRetriever(resolution.retriever(agent))
                .withShape(resolution.shape())
                .withNamer(model.understands() ? ModelNamer.with(model) : Namer.FIRST_WORDS);
    }

    /// Who goes on while there is something left to do needs the list of that.
    private List<Tool> tools(Resolution resolution, Consumer<String> warnings) {
        var offered = resolution.scope().of(tools, more, warnings);
        if (!resolution.autoContinue().isOn() || offered.stream().anyMatch(AppState::isTodo)) {
            return offered;
        }
        return Stream.concat(offered.stream(), tools.stream().filter(AppState::isTodo))
                .toList();
    }

    private static boolean isTodo(Tool tool) {
        return tool.spec().name().equals(OpenTasks.TOOL);
    }

    /// The same, on a session that lives with no agent.
    public RunSettings resolve(SessionSettings session, Overrides overrides) {
        return resolve(null, session, overrides);
    }

    /// The model a request would be answered by.
    public ModelName modelName(@Nullable String agent, SessionSettings session, Overrides overrides) {
        return Resolution.of(this, agent, session, overrides).model();
    }

    /// The agent that would answer a request, on a session that lives with `home` or with none.
    public Optional<AgentSpec> activeAgent(@Nullable String home, SessionSettings session, Overrides overrides) {
        return Optional.ofNullable(Resolution.of(this, home, session, overrides).agent());
    }

    /// What a person says, as the role has it that the request or the session has.
    public RunRequest.Prompt prompt(SessionSettings session, Overrides overrides, List<Part> said) {
        var role = Resolution.of(this, null, session.withAgent(null), overrides.withAgent(null))
                .role();
        return new RunRequest.Prompt(role == null ? said : role.framed(said));
    }

    /// The role of this name.
    ///
    /// @throws InvalidRequest if there is none
    public RoleSpec role(String name) {
        return roles.find(name)
                .orElseThrow(() -> new InvalidRequest("there is no role '" + name + "'; "
                        + (roles.names().isEmpty() ? "there are none yet" : "there are " + roles.names())));
    }

    /// The agent of this name.
    ///
    /// @throws InvalidRequest if there is none
    public AgentSpec agent(String name) {
        return agents.find(name)
                .orElseThrow(() -> new InvalidRequest("there is no agent '" + name + "'; "
                        + (agents.names().isEmpty() ? "there are none yet" : "there are " + agents.names())));
    }

    /// These settings, for a session in which the agent answers from now on. What its command says is asked now, and
    /// stays.
    ///
    /// @throws InvalidRequest if the agent needs to know more, or does not know what is given
    public SessionSettings answeredBy(AgentSpec agent, Map<String, String> variables, SessionSettings session) {
        ActiveAgent.requireKnown(agent, variables);
        var active = ActiveAgent.of(agent, variables);
        return session.withAgentKnowing(
                active.variables(),
                agent.instructions().command() == null ? null : active.told(agents.ask(agent, active.variables())));
    }

    /// How this conversation is compacted, by itself or when somebody asks.
    public Compaction compaction(SessionSettings session, Model model) {
        var asSet = settings.compaction();
        var threshold = session.compressionThreshold();
        return new Compaction(
                threshold == null ? asSet.tokensMax() : threshold,
                threshold == null ? asSet.windowShare() : 0,
                asSet.keepFirst(),
                asSet.keepLast(),
                model.understands() ? ModelSummarizer.with(model) : new ExtractiveSummarizer(EXTRACT_MAX));
    }
}
