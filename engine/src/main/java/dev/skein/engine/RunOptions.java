package dev.skein.engine;

/// What a front end wants of its runs, beyond the answer.
///
/// @param deltas whether to tell every fragment while it is spoken
/// @param asking what to do when a person has to be asked
/// @param autoname whether a session without a name gets one by itself
/// @param compaction when a conversation that has grown too long is summarised
public record RunOptions(boolean deltas, Asking asking, boolean autoname, Compacting compaction) {

    /// What happens to a call that needs a person's yes.
    public enum Asking {
        /// The loop waits, as long as it takes.
        WAIT,
        /// There is nobody: it is denied.
        DENY
    }

    /// When to summarise.
    public enum Compacting {
        /// Before the next turn, which waits for it.
        BEFORE,
        /// When a run has come to rest, in the background. The next turn in this process waits for it.
        BACKGROUND
    }

    /// One prompt and out.
    public static RunOptions cli() {
        return new RunOptions(true, Asking.WAIT, true, Compacting.BEFORE);
    }

    public static RunOptions repl() {
        return new RunOptions(true, Asking.WAIT, true, Compacting.BACKGROUND);
    }

    public static RunOptions api() {
        return new RunOptions(true, Asking.WAIT, false, Compacting.BACKGROUND);
    }

    public static RunOptions library() {
        return new RunOptions(true, Asking.WAIT, false, Compacting.BEFORE);
    }

    public RunOptions withDeltas(boolean newDeltas) {
        return new RunOptions(newDeltas, asking, autoname, compaction);
    }

    public RunOptions withAsking(Asking newAsking) {
        return new RunOptions(deltas, newAsking, autoname, compaction);
    }

    public RunOptions withAutoname(boolean newAutoname) {
        return new RunOptions(deltas, asking, newAutoname, compaction);
    }

    public RunOptions withCompaction(Compacting newCompaction) {
        return new RunOptions(deltas, asking, autoname, newCompaction);
    }
}
