package dev.skein.session;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// How a loop relates to its parent. Reruns and branches carry a tag that tells them apart.
public record Continuation(Kind kind, @Nullable String tag) {

    public Continuation {
        requireNonNull(kind, "kind");
    }

    public static final Continuation INITIAL = new Continuation(Kind.INITIAL, null);
    public static final Continuation DEFAULT = new Continuation(Kind.DEFAULT, null);
    public static final Continuation COMPACTION = new Continuation(Kind.COMPACTION, null);

    /// The sorts of continuation.
    public enum Kind {
        INITIAL,
        DEFAULT,
        RERUN,
        BRANCH,
        COMPACTION;

        /// The name on the wire, in lower case.
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// The parent's prompt, tried again.
    public static Continuation rerun(Instant tag) {
        return new Continuation(Kind.RERUN, tag.toString());
    }

    /// Another way on from the parent.
    public static Continuation branch(Instant tag) {
        return new Continuation(Kind.BRANCH, tag.toString());
    }
}
