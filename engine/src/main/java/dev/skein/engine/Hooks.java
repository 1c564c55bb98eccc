package dev.skein.engine;

import dev.skein.live.RunOutcome;
import dev.skein.message.Part;
import dev.skein.model.ModelReply;
import dev.skein.model.ModelRequest;
import dev.skein.session.LoopId;
import dev.skein.tool.ToolOutcome;
import java.util.List;
import java.util.Optional;

/// Looks in on a run at its joints. Override what matters.
///
/// A hook that throws is as good as none: the run goes on and a warning is told. Hooks of one turn's tools may be
/// called by several threads at once.
public interface Hooks {

    /// No hooks.
    Hooks NONE = new Hooks() {};

    /// Before a loop asks the model for the first time.
    ///
    /// @return a reason to stop here, or empty to go on
    default Optional<String> beforeLoop(LoopId loop) {
        return Optional.empty();
    }

    /// When the loop has come to rest.
    default void afterLoop(RunOutcome outcome) {}

    /// Before the model is asked.
    ///
    /// @return a reason to stop here, or empty to go on
    default Optional<String> beforeTurn(LoopId loop, int turn, ModelRequest request) {
        return Optional.empty();
    }

    /// When the model has answered, before its tools run.
    default void afterTurn(LoopId loop, int turn, ModelReply reply) {}

    /// Before a tool runs; permissions have been asked.
    ///
    /// @return an outcome to use instead of running it, or empty to run it
    default Optional<ToolOutcome> beforeTool(Part.ToolCall call) {
        return Optional.empty();
    }

    /// When a tool has come to its end, before that is recorded.
    ///
    /// @return what to record
    default ToolOutcome afterTool(Part.ToolCall call, ToolOutcome outcome) {
        return outcome;
    }

    /// All of these, in this order. The first reason to stop and the first outcome to use instead count.
    static Hooks all(List<Hooks> hooks) {
        return switch (hooks.size()) {
            case 0 -> NONE;
            case 1 -> hooks.getFirst();
            default -> new HookChain(hooks);
        };
    }
}
