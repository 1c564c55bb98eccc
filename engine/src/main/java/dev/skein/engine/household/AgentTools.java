package dev.skein.engine.household;

import dev.skein.cancellation.Cancellation;
import dev.skein.engine.AppState;
import dev.skein.engine.agent.ActiveAgent;
import dev.skein.engine.agent.AgentSpec;
import dev.skein.engine.household.Worker.Standing;
import dev.skein.failure.InvalidRequest;
import dev.skein.failure.SkeinException;
import dev.skein.message.Part;
import dev.skein.session.ChildLoopRef;
import dev.skein.session.SessionId;
import dev.skein.session.SpawnRef;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolRequest;
import dev.skein.tool.ToolSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/// The tools with which an agent has others work for it. All of them can be tried again after a crash: who was started
/// is found again, and what was said twice is heard twice at worst.
final class AgentTools {

    static final String SPAWN = "agent_spawn";
    static final String CHECK = "agent_check";
    static final String COLLECT = "agent_collect";
    static final String CANCEL = "agent_cancel";
    static final String LIST = "agent_list";
    static final String MESSAGE = "agent_message";

    static final String AGENT = "agent";
    static final String TASK = "task";
    static final String TEXT = "text";
    static final String VARIABLES = "variables";
    private static final String ID = "id";
    private static final String IDS = "ids";

    private static final String CANCELLED = "cancelled by the agent that started it";
    private static final Duration COLLECTING = Duration.ofMinutes(10);
    private static final Duration CANCELLING = Duration.ofSeconds(10);

    private final Family family;

    private AgentTools(Family family) {
        this.family = family;
    }

    static List<Tool> of(Family family, AgentSpec parent, AppState app) {
        var tools = new AgentTools(family);
        return List.of(
                tool(
                        SPAWN,
                        "Has another agent work on a task, in the background, and answers with its id. The agents: "
                                + described(parent, app),
                        schema(AGENT, "Which agent.", TASK, "What to do, with everything needed to do it."),
                        tools::spawn),
                tool(
                        CHECK,
                        "Says how far a sub-agent is and what it said last. Does not wait.",
                        schema(ID, "The id of the sub-agent."),
                        tools::check),
                tool(
                        COLLECT,
                        "Waits until sub-agents have finished, and answers with their results. Without ids: all.",
                        ids(),
                        tools::collect),
                tool(CANCEL, "Stops a sub-agent.", schema(ID, "The id of the sub-agent."), tools::cancel),
                tool(LIST, "Lists the sub-agents, and how far each is.", schema(), (_, _, _) -> tools.list()),
                tool(
                        MESSAGE,
                        "Tells a sub-agent something. One that has finished begins again with it.",
                        schema(ID, "The id of the sub-agent.", TEXT, "What to tell it."),
                        tools::message));
    }

    /// What a tool does with its arguments.
    private interface Work {
        ToolOutcome run(ToolRequest request, JsonNode arguments, Cancellation cancellation) throws InterruptedException;
    }

    private record AgentTool(ToolSpec spec, Work work) implements Tool {
        @Override
        public ToolOutcome run(ToolRequest request, Cancellation cancellation) throws InterruptedException {
            try {
                return work.run(request, request.call().arguments(), cancellation);
            } catch (InvalidRequest e) {
                return ToolOutcome.Failed.because(e);
            }
        }
    }

    private static Tool tool(String name, String description, ObjectNode schema, Work work) {
        return new AgentTool(
                new ToolSpec(name, description, schema, ToolSpec.Repeat.SAFE, ToolSpec.Effect.READS), work);
    }

    private static String described(AgentSpec parent, AppState app) {
        var lines = new ArrayList<String>();
        for (var name : parent.agents()) {
            lines.add(name + about(app, name));
        }
        return String.join("; ", lines) + ".";
    }

    private static String about(AppState app, String name) {
        try {
            return app.agents()
                    .find(name)
                    .map(spec -> (spec.description() == null ? "" : " (" + spec.description() + ")")
                            + (spec.variables().isEmpty()
                                    ? ""
                                    : " with variables "
                                            + spec.variables().stream()
                                                    .map(AgentSpec.Variable::name)
                                                    .toList()))
                    .orElse(" (not there)");
        } catch (SkeinException _) {
            return " (cannot be read)";
        }
    }

    private static ObjectNode schema(String... namesAndWords) {
        var schema = JsonNodeFactory.instance.objectNode().put("type", "object");
        var properties = schema.putObject("properties");
        var required = schema.putArray("required");
        for (int i = 0; i < namesAndWords.length; i += 2) {
            properties.putObject(namesAndWords[i]).put("type", "string").put("description", namesAndWords[i + 1]);
            required.add(namesAndWords[i]);
        }
        if (properties.has(AGENT)) {
            properties
                    .putObject(VARIABLES)
                    .put("type", "object")
                    .put("description", "What the agent has to know, by name.");
        }
        return schema;
    }

    private static ObjectNode ids() {
        var schema = schema();
        var ids = schema.withObjectProperty("properties").putObject(IDS);
        ids.put("type", "array")
                .put("description", "The ids of the sub-agents.")
                .putObject("items")
                .put("type", "string");
        return schema;
    }

    private ToolOutcome spawn(ToolRequest request, JsonNode arguments, Cancellation cancellation) {
        var agent = family.agent(arguments);
        var _ = required(arguments, TASK);
        // Whatever is wrong with the agent is told before anything is announced.
        var _ = ActiveAgent.of(family.app().agent(agent), Family.variables(arguments));
        var worker = enlist(request, family.runtime().ids().session(), arguments);
        return new ToolOutcome.Answered(
                List.of(new Part.Text("Started " + agent + " as " + worker.id() + ". It works in the background; its"
                        + " result comes by itself, or with " + COLLECT + ".")),
                JsonNodeFactory.instance.objectNode().put(ID, worker.id().toString()),
                worker.link());
    }

    /// There is a place before anything is announced: who stands in the journal is started, if not now then later.
    private Worker enlist(ToolRequest request, SessionId session, JsonNode arguments) {
        var earlier = request.child().started();
        if (earlier.isPresent()) {
            return enlist(request, earlier.get(), arguments);
        }
        var call = request.call();
        var fresh = new ChildLoopRef(
                call.id().text(), call.name(), family.runtime().ids().loop(), session);
        family.household().reserve(fresh.loop());
        try {
            request.child().start(fresh);
            return enlist(request, fresh, arguments);
        } finally {
            family.household().release(fresh.loop());
        }
    }

    private Worker enlist(ToolRequest request, ChildLoopRef link, JsonNode arguments) {
        return family.household()
                .enlist(link, arguments, new SpawnRef(request.session(), request.loop(), link.toolCall(), link.tool()));
    }

    private ToolOutcome check(ToolRequest request, JsonNode arguments, Cancellation cancellation) {
        var worker = worker(arguments);
        var words = worker.lastWords();
        var household = family.household();
        return ToolOutcome.Answered.text(
                household.standing(worker).isOver() || words.isBlank()
                        ? household.told(worker, Integer.MAX_VALUE)
                        : household.told(worker, Integer.MAX_VALUE) + " It said last:\n" + words);
    }

    private ToolOutcome list() {
        var household = family.household();
        var lines = household.all().keySet().stream()
                .map(worker -> household.told(worker, 200))
                .toList();
        return ToolOutcome.Answered.text(lines.isEmpty() ? "There are no sub-agents." : String.join("\n", lines));
    }

    private ToolOutcome collect(ToolRequest request, JsonNode arguments, Cancellation cancellation)
            throws InterruptedException {
        var household = family.household();
        var wanted = arguments.path(IDS).isEmpty()
                ? List.copyOf(household.all().keySet())
                : arguments
                        .path(IDS)
                        .valueStream()
                        .map(id -> worker(id.asString("")))
                        .toList();
        if (wanted.isEmpty()) {
            return ToolOutcome.Answered.text("There are no sub-agents.");
        }
        household.await(wanted, COLLECTING, cancellation);
        var standings = wanted.stream().map(household::standing).toList();
        if (standings.stream().anyMatch(Standing.Waiting.class::isInstance)
                && standings.stream().noneMatch(Standing::isBusy)) {
            return new ToolOutcome.Waits(household.asks());
        }
        var over = wanted.stream()
                .filter(worker -> household.standing(worker).isOver())
                .toList();
        household.settle(over);
        return told(
                wanted.stream()
                        .map(worker -> household.told(worker, Integer.MAX_VALUE))
                        .toList(),
                over);
    }

    private ToolOutcome cancel(ToolRequest request, JsonNode arguments, Cancellation cancellation)
            throws InterruptedException {
        var household = family.household();
        var worker = worker(arguments);
        household.stop(worker, CANCELLED);
        household.await(List.of(worker), CANCELLING, cancellation);
        household.settle(List.of(worker));
        return told(List.of(household.told(worker, Integer.MAX_VALUE)), List.of(worker));
    }

    /// The texts, and whose end they tell, for whoever reads the journal.
    private static ToolOutcome told(List<String> texts, List<Worker> settled) {
        var data = JsonNodeFactory.instance.objectNode();
        data.set(Kin.SETTLED, Household.loops(settled));
        return new ToolOutcome.Answered(List.of(new Part.Text(String.join("\n\n", texts))), data, null);
    }

    private ToolOutcome message(ToolRequest request, JsonNode arguments, Cancellation cancellation) {
        var _ = required(arguments, TEXT);
        var id = id(arguments.path(ID).asString(""));
        var household = family.household();
        var worker = household.find(id).orElse(null);
        return switch (worker == null ? new Standing.Done("") : household.standing(worker)) {
            case Standing.Queued _, Standing.Running _ -> heard(worker, request);
            case Standing.Waiting _ ->
                new ToolOutcome.Failed("it waits for a person; nobody can tell it something now");
            case Standing.Done _, Standing.Failed _ -> {
                household.requireOwn(id);
                var again = enlist(request, id, arguments);
                yield new ToolOutcome.Answered(
                        List.of(new Part.Text("It begins again with that, in the background.")), null, again.link());
            }
        };
    }

    /// Whom it was told stands in the journal, so that it is not lost with this process.
    private static ToolOutcome heard(@Nullable Worker worker, ToolRequest request) {
        if (worker == null) {
            throw new IllegalStateException("nobody is at work");
        }
        worker.tell(request.call());
        var data = JsonNodeFactory.instance
                .objectNode()
                .put(Kin.TOLD, worker.link().loop().text());
        return new ToolOutcome.Answered(List.of(new Part.Text("It hears that before it goes on.")), data, null);
    }

    private Worker worker(JsonNode arguments) {
        return worker(required(arguments, ID));
    }

    private Worker worker(String text) {
        var id = id(text);
        return family.household()
                .find(id)
                .orElseThrow(
                        () -> new InvalidRequest("no sub-agent " + id + " works here; " + LIST + " shows who does"));
    }

    private static SessionId id(String text) {
        return SessionId.parse(text)
                .orElseThrow(() -> new InvalidRequest("'" + text + "' is no id; " + LIST + " shows them"));
    }

    private static String required(JsonNode arguments, String name) {
        var value = arguments.path(name).asString("");
        if (value.isBlank()) {
            throw new InvalidRequest("'" + name + "' is missing");
        }
        return value;
    }
}
