package dev.skein.engine;

import dev.skein.engine.agent.AgentSpec;
import dev.skein.engine.agent.AgentSpec.AutoContinue;
import dev.skein.engine.compaction.Compaction;
import dev.skein.engine.limit.Limits;
import dev.skein.engine.naming.Namer;
import dev.skein.engine.permission.Permissions;
import dev.skein.message.Message;
import dev.skein.model.Model;
import dev.skein.model.Sampling;
import dev.skein.redaction.Redaction;
import dev.skein.retrieval.Retriever;
import dev.skein.session.OutputShape;
import dev.skein.tool.Tool;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// With what a run runs. Start from [#of] and change what differs.
///
/// `window` is how many messages the model gets to see; `redaction` what is taken out of tool results, and of what
/// people say, before anybody else gets to see it; `retriever` where passages are looked for, if anywhere; `agent` who
/// answers, if anybody in particular; `shape` what the answer has to look like, if not as it will.
public record RunSettings(
        @Nullable AgentSpec agent,
        Model model,
        @Nullable String system,
        List<Message> examples,
        Sampling sampling,
        List<Tool> tools,
        ToolOrder toolOrder,
        Permissions permissions,
        List<InputFilter> filters,
        Hooks hooks,
        Limits limits,
        int window,
        @Nullable Compaction compaction,
        Namer namer,
        Redaction redaction,
        @Nullable Retriever retriever,
        Companions companions,
        AutoContinue autoContinue,
        @Nullable OutputShape shape) {

    public static final int WINDOW = 200;

    public RunSettings {
        examples = List.copyOf(examples);
        tools = List.copyOf(tools);
        filters = List.copyOf(filters);
    }

    public static RunSettings of(Model model) {
        return new Draft(model).settings();
    }

    public RunSettings withAgent(@Nullable AgentSpec newAgent) {
        return changed(draft -> draft.agent = newAgent);
    }

    public RunSettings withModel(Model newModel) {
        return changed(draft -> draft.model = newModel);
    }

    public RunSettings withSystem(@Nullable String newSystem) {
        return changed(draft -> draft.system = newSystem);
    }

    /// What the model sees as if it had been said before everything else.
    public RunSettings withExamples(List<Message> newExamples) {
        return changed(draft -> draft.examples = newExamples);
    }

    public RunSettings withSampling(Sampling newSampling) {
        return changed(draft -> draft.sampling = newSampling);
    }

    public RunSettings withTools(Tool... newTools) {
        return withTools(List.of(newTools));
    }

    public RunSettings withTools(List<Tool> newTools) {
        return changed(draft -> draft.tools = newTools);
    }

    public RunSettings withToolOrder(ToolOrder newOrder) {
        return changed(draft -> draft.toolOrder = newOrder);
    }

    public RunSettings withPermissions(Permissions newPermissions) {
        return changed(draft -> draft.permissions = newPermissions);
    }

    public RunSettings withFilters(InputFilter... newFilters) {
        return changed(draft -> draft.filters = List.of(newFilters));
    }

    public RunSettings withHooks(Hooks... newHooks) {
        return changed(draft -> draft.hooks = Hooks.all(List.of(newHooks)));
    }

    public RunSettings withLimits(Limits newLimits) {
        return changed(draft -> draft.limits = newLimits);
    }

    public RunSettings withWindow(int messages) {
        return changed(draft -> draft.window = messages);
    }

    public RunSettings withCompaction(@Nullable Compaction newCompaction) {
        return changed(draft -> draft.compaction = newCompaction);
    }

    public RunSettings withNamer(Namer newNamer) {
        return changed(draft -> draft.namer = newNamer);
    }

    public RunSettings withRedaction(Redaction newRedaction) {
        return changed(draft -> draft.redaction = newRedaction);
    }

    public RunSettings withRetriever(@Nullable Retriever newRetriever) {
        return changed(draft -> draft.retriever = newRetriever);
    }

    public RunSettings withCompanions(Companions newCompanions) {
        return changed(draft -> draft.companions = newCompanions);
    }

    public RunSettings withAutoContinue(AutoContinue newAutoContinue) {
        return changed(draft -> draft.autoContinue = newAutoContinue);
    }

    public RunSettings withShape(@Nullable OutputShape newShape) {
        return changed(draft -> draft.shape = newShape);
    }

    private RunSettings changed(Consumer<Draft> change) {
        var draft = new Draft(this);
        change.accept(draft);
        return draft.settings();
    }

    /// Settings while they are being changed.
    private static final class Draft {
        private @Nullable AgentSpec agent;
        private Model model;
        private @Nullable String system;
        private List<Message> examples = List.of();
        private Sampling sampling = Sampling.DEFAULT;
        private List<Tool> tools = List.of();
        private ToolOrder toolOrder = new ToolOrder.Parallel();
        private Permissions permissions = Permissions.ALLOW_ALL;
        private List<InputFilter> filters = List.of();
        private Hooks hooks = Hooks.NONE;
        private Limits limits = Limits.standard();
        private int window = WINDOW;
        private @Nullable Compaction compaction;
        private Namer namer = Namer.FIRST_WORDS;
        private Redaction redaction = Redaction.SHAPES;
        private @Nullable Retriever retriever;
        private Companions companions = Companions.NONE;
        private AutoContinue autoContinue = AutoContinue.OFF;
        private @Nullable OutputShape shape;

        Draft(Model model) {
            this.model = model;
        }

        Draft(RunSettings settings) {
            agent = settings.agent;
            model = settings.model;
            system = settings.system;
            examples = settings.examples;
            sampling = settings.sampling;
            tools = settings.tools;
            toolOrder = settings.toolOrder;
            permissions = settings.permissions;
            filters = settings.filters;
            hooks = settings.hooks;
            limits = settings.limits;
            window = settings.window;
            compaction = settings.compaction;
            namer = settings.namer;
            redaction = settings.redaction;
            retriever = settings.retriever;
            companions = settings.companions;
            autoContinue = settings.autoContinue;
            shape = settings.shape;
        }

        RunSettings settings() {
            return new RunSettings(
                    agent,
                    model,
                    system,
                    examples,
                    sampling,
                    tools,
                    toolOrder,
                    permissions,
                    filters,
                    hooks,
                    limits,
                    window,
                    compaction,
                    namer,
                    redaction,
                    retriever,
                    companions,
                    autoContinue,
                    shape);
        }
    }
}
