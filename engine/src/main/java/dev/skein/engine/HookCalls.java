package dev.skein.engine;

import dev.skein.live.LiveEvent;
import dev.skein.live.RunOutcome;
import dev.skein.message.Part;
import dev.skein.model.ModelReply;
import dev.skein.model.ModelRequest;
import dev.skein.session.LoopId;
import dev.skein.tool.ToolOutcome;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Calls hooks so that one that throws does no harm.
record HookCalls(Hooks hooks, RunLog log) {

    private static final Logger LOG = LoggerFactory.getLogger(HookCalls.class);

    Optional<String> beforeLoop(LoopId loop) {
        return safely(() -> hooks.beforeLoop(loop), Optional.empty());
    }

    void afterLoop(RunOutcome outcome) {
        safely(() -> hooks.afterLoop(outcome));
    }

    Optional<String> beforeTurn(LoopId loop, int turn, ModelRequest request) {
        return safely(() -> hooks.beforeTurn(loop, turn, request), Optional.empty());
    }

    void afterTurn(LoopId loop, int turn, ModelReply reply) {
        safely(() -> hooks.afterTurn(loop, turn, reply));
    }

    Optional<ToolOutcome> beforeTool(Part.ToolCall call) {
        return safely(() -> hooks.beforeTool(call), Optional.empty());
    }

    ToolOutcome afterTool(Part.ToolCall call, ToolOutcome outcome) {
        return safely(() -> hooks.afterTool(call, outcome), outcome);
    }

    private void safely(Runnable call) {
        safely(
                () -> {
                    call.run();
                    return true;
                },
                true);
    }

    private <T> T safely(Supplier<T> call, T otherwise) {
        try {
            return call.get();
        } catch (RuntimeException e) {
            LOG.warn("a hook failed and is passed over", e);
            log.live(new LiveEvent.Warning("a hook failed and was passed over: " + e.getMessage()));
            return otherwise;
        }
    }
}
