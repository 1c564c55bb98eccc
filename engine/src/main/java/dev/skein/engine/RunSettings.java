package dev.skein.engine;

import dev.skein.engine.compaction.Compaction;
import dev.skein.model.Model;
import dev.skein.model.Sampling;
import dev.skein.tool.Tool;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// With what a run runs. Start from [#of] and change what differs.
///
/// `window` is how many messages the model gets to see.
public record RunSettings(
        Model model,
        @Nullable String system,
        Sampling sampling,
        List<Tool> tools,
        ToolOrder toolOrder,
        Permissions permissions,
        List<InputFilter> filters,
        Limits limits,
        int window,
        @Nullable Compaction compaction) {

    public RunSettings {
        tools = List.copyOf(tools);
        filters = List.copyOf(filters);
    }

    public static RunSettings of(Model model) {
        return new RunSettings(
                model,
                null,
                Sampling.DEFAULT,
                List.of(),
                new ToolOrder.Parallel(),
                Permissions.ALLOW_ALL,
                List.of(),
                Limits.standard(),
                200,
                null);
    }

    public RunSettings withSystem(@Nullable String newSystem) {
        return new RunSettings(
                model, newSystem, sampling, tools, toolOrder, permissions, filters, limits, window, compaction);
    }

    public RunSettings withTools(Tool... newTools) {
        return new RunSettings(
                model,
                system,
                sampling,
                List.of(newTools),
                toolOrder,
                permissions,
                filters,
                limits,
                window,
                compaction);
    }

    public RunSettings withToolOrder(ToolOrder newOrder) {
        return new RunSettings(
                model, system, sampling, tools, newOrder, permissions, filters, limits, window, compaction);
    }

    public RunSettings withPermissions(Permissions newPermissions) {
        return new RunSettings(
                model, system, sampling, tools, toolOrder, newPermissions, filters, limits, window, compaction);
    }

    public RunSettings withFilters(InputFilter... newFilters) {
        return new RunSettings(
                model,
                system,
                sampling,
                tools,
                toolOrder,
                permissions,
                List.of(newFilters),
                limits,
                window,
                compaction);
    }

    public RunSettings withLimits(Limits newLimits) {
        return new RunSettings(
                model, system, sampling, tools, toolOrder, permissions, filters, newLimits, window, compaction);
    }

    public RunSettings withCompaction(Compaction newCompaction) {
        return new RunSettings(
                model, system, sampling, tools, toolOrder, permissions, filters, limits, window, newCompaction);
    }
}
