package dev.skein.engine;

import dev.skein.message.Message;

/// Looks at a prompt before it counts.
public interface InputFilter {

    Verdict look(Message prompt);

    /// What a filter says.
    sealed interface Verdict {
        record Pass() implements Verdict {}

        /// The prompt counts, and a person is warned.
        record Warn(String text) implements Verdict {}

        /// The prompt does not count.
        record Reject(String reason) implements Verdict {}
    }
}
