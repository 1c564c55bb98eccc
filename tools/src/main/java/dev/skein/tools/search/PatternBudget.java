package dev.skein.tools.search;

import dev.skein.pattern.WatchedText;
import dev.skein.tools.call.Refused;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/// Matches patterns that somebody else wrote, for so long and no longer.
///
/// Some patterns take longer than the universe exists. A regular expression asks its text for each character, so the
/// text looks at the time now and then and ends the search, also when the thread is interrupted. For one thread.
final class PatternBudget {

    private static final int LOOKS_EVERY = 4096;

    private final LongSupplier nanos;
    private final long deadline;
    private int asked;

    PatternBudget(Duration time, LongSupplier nanos) {
        this.nanos = nanos;
        this.deadline = nanos.getAsLong() + time.toNanos();
    }

    /// Whether the pattern occurs in the text.
    ///
    /// @throws Refused if that takes too long
    boolean finds(Pattern pattern, String text) {
        check();
        try {
            return pattern.matcher(new WatchedText(text, this::look)).find();
        } catch (StackOverflowError _) {
            throw new Refused("the pattern is too deep for a line of " + text.length()
                    + " characters; use a simpler one, without a group that repeats");
        }
    }

    /// @throws Refused if the time is over
    void check() {
        if (Thread.currentThread().isInterrupted()) {
            throw new Refused("the search was interrupted");
        }
        if (nanos.getAsLong() - deadline > 0) {
            throw new Refused("the search took too long; use a simpler pattern or a smaller directory");
        }
    }

    private void look() {
        if (++asked % LOOKS_EVERY == 0) {
            check();
        }
    }
}
