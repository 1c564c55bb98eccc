package dev.skein.server.metrics;

import dev.skein.engine.Hooks;
import dev.skein.live.RunOutcome;
import dev.skein.message.Part;
import dev.skein.model.ModelName;
import dev.skein.model.ModelReply;
import dev.skein.session.LoopId;
import dev.skein.tool.ToolOutcome;

/// Counts what a run does. Tokens count with each answer of the model: a run that rests and goes on tells all of its
/// own again when it ends.
public record MeterHooks(Meters meters, ModelName model) implements Hooks {

    @Override
    public void afterLoop(RunOutcome outcome) {
        meters.runEnded(outcome.status());
    }

    @Override
    public void afterTurn(LoopId loop, int turn, ModelReply reply) {
        meters.modelAnswered(model.toString(), reply.usage(), reply.cost());
    }

    @Override
    public ToolOutcome afterTool(Part.ToolCall call, ToolOutcome outcome) {
        meters.toolEnded(outcome);
        return outcome;
    }
}
