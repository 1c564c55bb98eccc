package dev.skein.engine;

import dev.skein.message.Part;
import dev.skein.session.LoopId;
import dev.skein.session.LoopPointer;
import java.util.List;

/// What a run is asked to do.
public sealed interface RunRequest {

    /// A person says something.
    record Prompt(List<Part> parts) implements RunRequest {
        public Prompt {
            parts = List.copyOf(parts);
        }

        public static Prompt text(String text) {
            return new Prompt(List.of(new Part.Text(text)));
        }
    }

    /// Goes on where the last loop stopped: after a crash, a cancellation, a limit, or a person's decision.
    record Continue() implements RunRequest {}

    /// Tries the last prompt again, beside the answer it got.
    record Regenerate() implements RunRequest {}

    /// A person says something else after an earlier loop than the head: another branch begins there.
    record Branch(LoopPointer from, List<Part> parts) implements RunRequest {
        public Branch {
            parts = List.copyOf(parts);
        }
    }

    /// What an agent tells the sub-agent it started. The loop was announced to the agent's own session before.
    record Task(LoopId loop, List<Part> parts) implements RunRequest {
        public Task {
            parts = List.copyOf(parts);
        }
    }
}
