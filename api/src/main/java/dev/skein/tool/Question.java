package dev.skein.tool;

import dev.skein.cancellation.Cancellation;
import dev.skein.message.Part;

/// A tool that a person answers, not a program.
///
/// The run waits for the answer as it waits for an approval: durably, so that it can be given from any front end, also
/// after a restart.
public interface Question extends Tool {

    /// What the model gets to read when a person gave this answer. An answer that does not fit is a failure that says
    /// what would.
    ToolOutcome answered(Part.ToolCall call, String answer);

    /// A question is never run.
    @Override
    default ToolOutcome run(ToolRequest request, Cancellation cancellation) {
        return new ToolOutcome.Failed("nobody can be asked here");
    }
}
