package dev.skein.engine;

import dev.skein.live.RunOutcome;
import dev.skein.message.Part;
import dev.skein.model.ModelReply;
import dev.skein.model.ModelRequest;
import dev.skein.session.LoopId;
import dev.skein.tool.ToolOutcome;
import java.util.List;
import java.util.Optional;

/// Several hooks, one after the other.
record HookChain(List<Hooks> hooks) implements Hooks {

    HookChain {
        hooks = List.copyOf(hooks);
    }

    @Override
    public Optional<String> beforeLoop(LoopId loop) {
        return hooks.stream().flatMap(hook -> hook.beforeLoop(loop).stream()).findFirst();
    }

    @Override
    public void afterLoop(RunOutcome outcome) {
        hooks.forEach(hook -> hook.afterLoop(outcome));
    }

    @Override
    public Optional<String> beforeTurn(LoopId loop, int turn, ModelRequest request) {
        return hooks.stream()
                .flatMap(hook -> hook.beforeTurn(loop, turn, request).stream())
                .findFirst();
    }

    @Override
    public void afterTurn(LoopId loop, int turn, ModelReply reply) {
        hooks.forEach(hook -> hook.afterTurn(loop, turn, reply));
    }

    @Override
    public Optional<ToolOutcome> beforeTool(Part.ToolCall call) {
        return hooks.stream().flatMap(hook -> hook.beforeTool(call).stream()).findFirst();
    }

    @Override
    public ToolOutcome afterTool(Part.ToolCall call, ToolOutcome outcome) {
        var changed = outcome;
        for (var hook : hooks) {
            changed = hook.afterTool(call, changed);
        }
        return changed;
    }
}
