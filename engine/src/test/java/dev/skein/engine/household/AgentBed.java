package dev.skein.engine.household;

import dev.skein.cancellation.Cancellation;
import dev.skein.engine.AppState;
import dev.skein.engine.Engine;
import dev.skein.engine.EngineSettings;
import dev.skein.engine.Overrides;
import dev.skein.engine.RequestContext;
import dev.skein.engine.RunOptions;
import dev.skein.engine.RunRequest;
import dev.skein.engine.Steering;
import dev.skein.engine.Workings;
import dev.skein.engine.Workplace;
import dev.skein.engine.agent.AgentSpec;
import dev.skein.engine.agent.Agents;
import dev.skein.engine.role.Roles;
import dev.skein.engine.scope.ToolScope;
import dev.skein.engine.scope.ToolSource;
import dev.skein.failure.InvalidRequest;
import dev.skein.live.CollectingEmitter;
import dev.skein.live.RunOutcome;
import dev.skein.message.Cost;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.ToolCallId;
import dev.skein.message.Usage;
import dev.skein.model.Model;
import dev.skein.model.ModelName;
import dev.skein.model.ModelReply;
import dev.skein.model.ModelReply.StopReason;
import dev.skein.model.ModelRequest;
import dev.skein.model.Models;
import dev.skein.model.ReplyFragment;
import dev.skein.model.Sampling;
import dev.skein.retrieval.Retrievers;
import dev.skein.session.Ids;
import dev.skein.session.LoopConfigSnapshot;
import dev.skein.session.Scope;
import dev.skein.store.ListQuery;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionStore;
import dev.skein.store.memory.MemorySessionStore;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolRequest;
import dev.skein.tool.ToolSpec;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// Agents with minds of tests, which have each other work for them.
final class AgentBed implements Models {

    /// What an agent says next, seeing all that was said.
    interface Mind {
        List<Part> next(ModelRequest request);
    }

    final SessionStore store;
    final Workings workings = Workings.of(Clock.systemUTC(), new Random(7), (_, _) -> {});
    final Engine engine;
    final CollectingEmitter heard = new CollectingEmitter();
    final List<Tool> tools = new CopyOnWriteArrayList<>();
    final Map<String, AgentSpec> specs = new ConcurrentHashMap<>();
    final Map<String, Mind> minds = new ConcurrentHashMap<>();
    Cancellation cancellation = new Cancellation();
    Workplace workplace = Workplace.SILENT;
    int atOnce = AgentRuntime.AT_ONCE_MAX;
    int family = AgentRuntime.FAMILY_MAX;

    AgentBed(SessionStore store) {
        this.store = store;
        this.engine = new Engine(store, workings);
    }

    AgentBed() {
        this(new MemorySessionStore(Clock.systemUTC(), new Ids(Clock.systemUTC(), new Random(1))));
    }

    /// An agent with its own tools, and those whom it may have work for it.
    void agent(String name, List<String> toolNames, List<String> agents, Mind mind) {
        specs.put(
                name,
                AgentSpec.of(name, "You are " + name + ".")
                        .withModel(new ModelName("test", name))
                        .withScope(new ToolScope(toolNames, List.of()))
                        .withAgents(agents.toArray(String[]::new)));
        minds.put(name, mind);
    }

    AppState app() {
        return new AppState(
                store,
                this,
                tools,
                ToolSource.NONE,
                Roles.NONE,
                new Specs(),
                new AgentRuntime(engine, workings.ids(), workings.clock(), 3, atOnce, family),
                Retrievers.NONE,
                EngineSettings.STANDARD.at(workplace));
    }

    SessionHandle session(String agent) {
        return store.create(NewSession.in(Scope.LOCAL.withAgent(agent)));
    }

    RunOutcome prompt(SessionHandle session, String text) {
        return run(session, RunRequest.Prompt.text(text));
    }

    RunOutcome run(SessionHandle session, RunRequest request) {
        return engine.run(context(session), request, heard);
    }

    RequestContext context(SessionHandle session) {
        return app().context("r", session, Overrides.NONE, RunOptions.library(), new Steering(), cancellation);
    }

    /// All sessions of an agent, oldest first.
    List<SessionHandle> sessionsOf(String agent) {
        return store.list(ListQuery.of(Scope.LOCAL.withAgent(agent))).sessions().reversed().stream()
                .map(summary -> store.open(Scope.LOCAL.withAgent(agent), summary.id()))
                .toList();
    }

    static List<String> texts(SessionHandle session) {
        return session.context(1_000).messages().stream().map(Message::text).toList();
    }

    static List<Part> says(String text) {
        return List.of(new Part.Text(text));
    }

    /// A call with arguments, by name and value.
    static Part calls(String id, String tool, Object... namesAndValues) {
        var arguments = JsonNodeFactory.instance.objectNode();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            arguments.put(String.valueOf(namesAndValues[i]), String.valueOf(namesAndValues[i + 1]));
        }
        return new Part.ToolCall(new ToolCallId(id), tool, arguments, null);
    }

    static Part spawns(String id, String agent, String task) {
        return calls(id, "agent_spawn", "agent", agent, "task", task);
    }

    /// How often the model has spoken.
    static int turn(ModelRequest request) {
        return (int) request.messages().stream()
                .filter(message -> message.role() == Role.ASSISTANT)
                .count();
    }

    static String all(ModelRequest request) {
        return String.join("\n", request.messages().stream().map(Message::text).toList());
    }

    /// The id that the first spawn answered with.
    static String firstId(ModelRequest request) {
        return request.messages().stream()
                .flatMap(message -> message.toolResults().stream())
                .filter(result -> result.name().equals("agent_spawn") && result.data() != null)
                .map(result -> result.data().path("id").asString())
                .findFirst()
                .orElseThrow();
    }

    /// A tool that does what a test says.
    void tool(String name, ToolSpec.Effect effect, Work work) {
        tools.add(new Tool() {
            @Override
            public ToolSpec spec() {
                ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "object");
                return new ToolSpec(name, "For tests.", schema, ToolSpec.Repeat.UNSAFE, effect);
            }

            @Override
            public ToolOutcome run(ToolRequest request, Cancellation stop) throws InterruptedException {
                return ToolOutcome.Answered.text(work.run(request, stop));
            }
        });
    }

    interface Work {
        String run(ToolRequest request, Cancellation cancellation) throws InterruptedException;
    }

    private final class Specs implements Agents {
        @Override
        public Optional<AgentSpec> find(String name) {
            return Optional.ofNullable(specs.get(name));
        }

        @Override
        public List<String> names() {
            return specs.keySet().stream().sorted().toList();
        }

        @Override
        public String ask(AgentSpec agent, Map<String, String> variables) {
            return "";
        }
    }

    @Override
    public ModelName defaultModel() {
        return new ModelName("test", "none");
    }

    @Override
    public Model open(ModelName name) {
        var mind =
                Optional.ofNullable(minds.get(name.model())).orElseThrow(() -> new InvalidRequest("no mind " + name));
        return new Thinking(name, mind);
    }

    private record Thinking(ModelName name, Mind mind) implements Model {
        @Override
        public LoopConfigSnapshot snapshot(Sampling sampling) {
            return LoopConfigSnapshot.of(name.provider(), name.model());
        }

        @Override
        public ModelReply reply(ModelRequest request, Consumer<ReplyFragment> fragments, Cancellation stop) {
            stop.check();
            var parts = mind.next(request);
            var asks = parts.stream().anyMatch(Part.ToolCall.class::isInstance);
            return new ModelReply(parts, asks ? StopReason.TOOL_USE : StopReason.STOP, Usage.of(1, 1), Cost.NONE);
        }
    }
}
