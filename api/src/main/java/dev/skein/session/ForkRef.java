package dev.skein.session;

import static java.util.Objects.requireNonNull;

/// The history a fork shares with its parent: the parent's events up to and including `seq`.
public record ForkRef(SessionId session, long seq) {

    public ForkRef {
        requireNonNull(session, "session");
        if (seq < 1) {
            throw new IllegalArgumentException("a fork needs at least one event of its parent: " + seq);
        }
    }
}
