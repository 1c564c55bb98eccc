package dev.skein.cli.repl;

import dev.skein.cancellation.Cancellation;
import dev.skein.cli.chat.AgentStart;
import dev.skein.cli.chat.OwnWork;
import dev.skein.cli.program.Program;
import dev.skein.cli.settings.SavePolicy;
import dev.skein.engine.KeptTools;
import dev.skein.engine.Overrides;
import dev.skein.engine.RequestContext;
import dev.skein.engine.RunOptions;
import dev.skein.engine.RunOptions.Asking;
import dev.skein.engine.RunSettings;
import dev.skein.engine.Steering;
import dev.skein.engine.agent.AgentSpec;
import dev.skein.engine.permission.Permissions;
import dev.skein.failure.Cancelled;
import dev.skein.live.RunOutcome.ToolUse;
import dev.skein.model.ModelName;
import dev.skein.retrieval.RagKey;
import dev.skein.session.LoopStatus;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionSettings;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionStore;
import dev.skein.tool.Tool;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// What lies before the person: the open session, if there is one, and what was set for this sitting.
///
/// A session that nobody named is made with the first thing that is said. Not safe for use by several threads.
final class Desk implements AutoCloseable {

    private final Program program;
    private final SessionStore store;
    private final boolean kept;
    private final Set<String> allowed = new HashSet<>();
    private @Nullable SessionHandle session;
    /// For the session that is made next.
    private SessionSettings wanted = SessionSettings.NONE;
    private Overrides overrides;
    private boolean streams;
    private @Nullable Integer window;
    private SavePolicy saving;
    /// Whether nobody has asked for the open session to be kept.
    private boolean temporary;
    /// What was done here in the open session.
    private OwnWork work;
    private int changes;
    private KeptTools keptTools = KeptTools.of(List.of());

    String lastAnswer = "";
    List<ToolUse> lastTools = List.of();

    /// How the last run ended.
    @Nullable
    LoopStatus lastStatus;

    Desk(Program program, SessionStore store, Overrides overrides, boolean streams, SavePolicy saving) {
        this.program = program;
        this.store = store;
        this.kept = store.equals(program.store());
        this.overrides = overrides;
        this.streams = streams;
        this.saving = saving;
        this.work = new OwnWork(program.ai().engine());
    }

    SessionStore store() {
        return store;
    }

    /// Whether what is said here is there afterwards.
    boolean isKept() {
        return kept;
    }

    /// How often another session was opened, or one was closed.
    int changes() {
        return changes;
    }

    Optional<SessionHandle> open() {
        return Optional.ofNullable(session);
    }

    /// The open session; a new one if there is none.
    SessionHandle session() {
        if (session == null) {
            session = store.create(fresh());
            temporary = kept;
        }
        return session;
    }

    /// A session as it would be made now.
    NewSession fresh() {
        var made = NewSession.in(program.scope());
        return wanted.equals(SessionSettings.NONE)
                ? made
                : made.withEvents(List.of(new SessionEvent.SessionConfigured(program.now(), wanted)));
    }

    /// Opens the session of this name, or makes it.
    SessionHandle openOrCreate(SessionAlias name) {
        var found = store.openOrCreate(fresh().named(name));
        use(found);
        return found;
    }

    void use(SessionHandle other) {
        if (session != null && session.id().equals(other.id())) {
            keep();
        }
        leave();
        session = other;
    }

    /// Closes the session. Everything in it is kept, unless it is one that nobody wants to keep.
    void leave() {
        if (session != null) {
            try (var left = session) {
                if (temporary && !keeps(left)) {
                    forget(left);
                }
            }
        }
        temporary = false;
        work = new OwnWork(program.ai().engine());
        changes++;
        session = null;
        lastAnswer = "";
        lastTools = List.of();
    }

    /// A person who was asked knew the name.
    private void forget(SessionHandle left) {
        var called = name().orElse("");
        var names = saving == SavePolicy.ASK ? OwnWork.Names.DO_NOT_MATTER : OwnWork.Names.KEEP;
        work.forget(store, left, names)
                .ifPresent(why -> program.terminal().note(program.terminal().stored("kept '" + called + "': " + why)));
    }

    /// Whether the session stays, with the name that the person may give it now.
    private boolean keeps(SessionHandle left) {
        return switch (saving) {
            case KEEP -> true;
            case FORGET -> false;
            case ASK -> {
                var answer = askedFor(left);
                if (answer.length() > 1 && !answer.equalsIgnoreCase("no") && !answer.equalsIgnoreCase("yes")) {
                    store.rename(left.scope(), left.id(), new SessionAlias(answer));
                }
                yield !answer.equalsIgnoreCase("n") && !answer.equalsIgnoreCase("no");
            }
        };
    }

    /// No answer is no "no": what cannot be decided is kept.
    private String askedFor(SessionHandle left) {
        try {
            var called = program.terminal().stored(name().orElse(left.id().toString()));
            return program.terminal().asks("keep '" + called + "'? Enter keeps it, a name renames it, n forgets it");
        } catch (Cancelled _) {
            return "";
        }
    }

    /// From now on it is not only for the moment.
    void keep() {
        temporary = false;
    }

    OwnWork work() {
        return work;
    }

    SavePolicy saving() {
        return saving;
    }

    void save(SavePolicy policy) {
        saving = policy;
    }

    SessionSettings settings() {
        return session == null ? wanted : session.state().settings();
    }

    /// Changes the session's settings, or those of the session that will be made.
    void configure(UnaryOperator<SessionSettings> change) {
        if (session == null) {
            wanted = change.apply(wanted);
        } else {
            program.ai().engine().configure(session, change);
        }
    }

    /// An agent with a model of its own would go on with that: then it is chosen for this sitting.
    void choose(ModelName model) {
        var isPinned = agent().map(AgentSpec::model).isPresent();
        overrides = overrides.withModel(isPinned ? model : null);
        configure(settings -> settings.withModel(model.provider(), model.model()));
    }

    /// Takes on a role, or none.
    void play(@Nullable String role) {
        overrides = overrides.withRole(null);
        configure(settings -> settings.withRole(role));
    }

    Optional<String> role() {
        return Optional.ofNullable(overrides.role() == null ? settings().role() : overrides.role());
    }

    /// From now on answers come from these documents; from none, for null.
    void ground(@Nullable String rag) {
        overrides = overrides.withRag(null);
        configure(settings -> settings.withRag(rag));
    }

    /// Leaves the session, and has an agent answer in the next one. The person is asked what it has to know.
    void meet(String agent, Map<String, String> variables) {
        var settings = new AgentStart(program, variables).settings(agent, SessionSettings.NONE);
        leave();
        program.liveWith(agent);
        wanted = settings;
        overrides = overrides.withAgent(null).withAgentVariables(Map.of());
    }

    /// Lets no agent answer any more.
    void part() {
        if (program.scope().agent() == null) {
            configure(settings -> settings.withAgent(null).withAgentKnowing(Map.of(), null));
            return;
        }
        leave();
        program.liveWith(null);
        wanted = SessionSettings.NONE;
    }

    Optional<AgentSpec> agent() {
        return program.ai().app().activeAgent(home(), settings(), overrides);
    }

    /// Which documents answers come from; null for none.
    @Nullable
    String rag() {
        var name = overrides.rag() == null ? settings().rag() : overrides.rag();
        return RagKey.NONE.equals(name) ? null : name;
    }

    ModelName model() {
        return program.ai().app().modelName(home(), settings(), overrides);
    }

    Overrides overrides() {
        return overrides;
    }

    void say(@Nullable String system) {
        overrides = overrides.withSystem(system);
    }

    boolean streams() {
        return streams;
    }

    void stream(boolean whileSpoken) {
        streams = whileSpoken;
    }

    int window() {
        return window == null ? program.ai().app().settings().window() : window;
    }

    void window(int messages) {
        window = messages;
    }

    /// From now on this tool needs no yes, as long as this sitting lasts.
    void allowAlways(String tool) {
        allowed.add(tool);
    }

    /// How the session is called, if it is there.
    Optional<String> name() {
        return open().map(SessionHandle::state)
                .map(state -> state.alias() == null
                        ? state.id().toString().substring(0, 8)
                        : state.alias().text());
    }

    /// A request that cannot be answered leaves no session behind.
    void requireUsable() {
        var _ = resolved();
    }

    /// With what a request would be run.
    RunSettings resolved() {
        return program.ai().app().resolve(home(), settings(), overrides);
    }

    /// The agent with which the session lives, or the next one will.
    @Nullable
    String home() {
        return session == null ? program.scope().agent() : session.scope().agent();
    }

    /// A request on the open session, with everything that was set.
    RequestContext context(Cancellation cancellation) {
        var options = RunOptions.repl().withDeltas(streams).withAutoname(kept).withAsking(Asking.WAIT);
        var context = program.ai()
                .app()
                .context(program.ai().ids().request(), session(), overrides, options, new Steering(), cancellation);
        var settings = context.settings();
        keep(settings.tools());
        return context.with(settings.withWindow(window()).withPermissions(withAllowed(settings.permissions())));
    }

    /// What the tools need runs from turn to turn. What changed in between is started or ended, and nothing else.
    private void keep(List<Tool> tools) {
        var before = keptTools;
        keptTools = KeptTools.of(tools);
        before.close();
    }

    /// Lets go of what ran for the last turn.
    void letGo() {
        keep(List.of());
    }

    private Permissions withAllowed(Permissions rules) {
        return (tool, call) -> {
            var decision = rules.decide(tool, call);
            return decision instanceof Permissions.Decision.Ask && allowed.contains(call.name())
                    ? new Permissions.Decision.Allow()
                    : decision;
        };
    }

    @Override
    public void close() {
        letGo();
        leave();
    }
}
