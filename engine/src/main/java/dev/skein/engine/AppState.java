package dev.skein.engine;

import dev.skein.cancellation.Cancellation;
import dev.skein.engine.compaction.Compaction;
import dev.skein.engine.compaction.ExtractiveSummarizer;
import dev.skein.engine.compaction.ModelSummarizer;
import dev.skein.engine.naming.ModelNamer;
import dev.skein.engine.naming.Namer;
import dev.skein.engine.role.RoleSpec;
import dev.skein.engine.role.Roles;
import dev.skein.failure.InvalidRequest;
import dev.skein.message.Part;
import dev.skein.model.Model;
import dev.skein.model.ModelName;
import dev.skein.model.Models;
import dev.skein.model.Sampling;
import dev.skein.retrieval.RagKey;
import dev.skein.retrieval.Retriever;
import dev.skein.retrieval.Retrievers;
import dev.skein.session.SessionSettings;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionStore;
import dev.skein.tool.Tool;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What all requests share, made once and never changed: the store, the models, the tools, the documents, the settings.
///
/// `more` gives tools that take a moment to be had; it is not asked where only others are wanted.
///
/// From these, a session's own settings and what one request wants otherwise, [#context] makes the context of a run.
public record AppState(
        SessionStore store,
        Models models,
        List<Tool> tools,
        Supplier<List<Tool>> more,
        Roles roles,
        Retrievers retrievers,
        EngineSettings settings) {

    private static final int EXTRACT_MAX = 8_000;

    public AppState {
        tools = List.copyOf(tools);
    }

    public AppState(SessionStore store, Models models, List<Tool> tools, EngineSettings settings) {
        this(store, models, tools, List::of, Roles.NONE, Retrievers.NONE, settings);
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
        return new RequestContext(requestId, session, runSettings, options, steering, cancellation);
    }

    /// What one request wants counts before what the session says, that before its role, and that before the settings
    /// of all.
    public RunSettings resolve(SessionSettings session, Overrides overrides) {
        return resolve(null, session, overrides);
    }

    private RunSettings resolve(@Nullable String agent, SessionSettings session, Overrides overrides) {
        var role = role(session, overrides);
        var model = models.open(modelName(session, overrides));
        return RunSettings.of(model)
                .withSystem(first(
                        overrides.system(),
                        session.agentInstructions(),
                        role.map(RoleSpec::system).orElse(null),
                        settings.system()))
                .withSampling(sampling(session, role, overrides))
                .withTools(tools(first(
                        overrides.tools(),
                        session.tools(),
                        role.map(RoleSpec::tools).orElse(null),
                        settings.tools())))
                .withPermissions(settings.permissions())
                .withLimits(settings.limits())
                .withWindow(settings.window())
                .withCompaction(compaction(session, model))
                .withRedaction(settings.redaction())
                .withRetriever(retriever(agent, session, overrides))
                .withNamer(model.understands() ? ModelNamer.with(model) : Namer.FIRST_WORDS);
    }

    /// The model a request would be answered by.
    public ModelName modelName(SessionSettings session, Overrides overrides) {
        if (overrides.model() != null) {
            return overrides.model();
        }
        if (session.model() != null && session.provider() != null) {
            return new ModelName(session.provider(), session.model());
        }
        return role(session, overrides)
                .map(RoleSpec::model)
                .or(() -> Optional.ofNullable(settings.model()))
                .orElseGet(models::defaultModel);
    }

    /// What a person says, as the role has it that the request or the session has.
    public RunRequest.Prompt prompt(SessionSettings session, Overrides overrides, List<Part> said) {
        return new RunRequest.Prompt(
                role(session, overrides).map(role -> role.framed(said)).orElse(said));
    }

    /// The role of this name.
    ///
    /// @throws InvalidRequest if there is none
    public RoleSpec role(String name) {
        return roles.find(name)
                .orElseThrow(() -> new InvalidRequest("there is no role '" + name + "'; "
                        + (roles.names().isEmpty() ? "there are none yet" : "there are " + roles.names())));
    }

    /// A session outlives its role: one that is gone says nothing. Who asks for one that is not there is told.
    private Optional<RoleSpec> role(SessionSettings session, Overrides overrides) {
        if (overrides.role() != null) {
            return Optional.of(role(overrides.role()));
        }
        return Optional.ofNullable(session.role()).flatMap(roles::find);
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

    /// An agent's own documents count before those that a request or its session names.
    private @Nullable Retriever retriever(@Nullable String agent, SessionSettings session, Overrides overrides) {
        if (agent != null && RagKey.NAME.matcher(agent).matches()) {
            var own = new RagKey.Agent(agent);
            if (retrievers.has(own)) {
                return retrievers.open(own);
            }
        }
        var name = first(overrides.rag(), session.rag());
        return name == null || name.equals(RagKey.NONE) ? null : retrievers.open(new RagKey.Named(name));
    }

    private Sampling sampling(SessionSettings session, Optional<RoleSpec> role, Overrides overrides) {
        var all = settings.sampling();
        return new Sampling(
                first(
                        overrides.temperature(),
                        session.temperature(),
                        role.map(RoleSpec::temperature).orElse(null),
                        all.temperature()),
                first(session.topP(), role.map(RoleSpec::topP).orElse(null), all.topP()),
                all.tokensMax(),
                first(session.reasoningEffort(), all.thinkingLevel()));
    }

    private List<Tool> tools(@Nullable List<String> names) {
        var known = tools.stream().map(tool -> tool.spec().name()).collect(Collectors.toSet());
        var all = names != null && known.containsAll(names) ? tools : all();
        if (names == null) {
            return all;
        }
        return names.stream()
                .map(name -> all.stream()
                        .filter(named(name))
                        .findFirst()
                        .orElseThrow(() -> new InvalidRequest("there is no tool '" + name + "'; there are "
                                + all.stream().map(tool -> tool.spec().name()).toList())))
                .toList();
    }

    private List<Tool> all() {
        return Stream.concat(tools.stream(), more.get().stream()).toList();
    }

    private static Predicate<Tool> named(String name) {
        return tool -> tool.spec().name().equals(name);
    }

    @SafeVarargs
    private static <T> @Nullable T first(@Nullable T... candidates) {
        return Stream.of(candidates)
                .filter(candidate -> candidate != null)
                .findFirst()
                .orElse(null);
    }
}
