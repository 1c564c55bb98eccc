package dev.skein.session;

import java.util.function.Consumer;
import java.util.function.Predicate;

/// How a [SessionRecorder] records. Start from [#standard] and change what differs.
///
/// `scope` is for sessions whose first event does not tell theirs. `before` is asked once for each new session;
/// if it says no, nothing of that session is recorded. `after` is told once of each session that was finished.
/// `closedMax` is how many finished, rejected or expected sessions are remembered, so that late events find
/// them closed.
public record RecorderOptions(
        Scope scope,
        boolean includeStreamingEvents,
        Predicate<SessionState> before,
        Consumer<Session> after,
        int closedMax) {

    public RecorderOptions {
        if (closedMax < 1) {
            throw new IllegalArgumentException("closedMax must be positive: " + closedMax);
        }
    }

    /// Local sessions, without fragments of messages, and nobody who wants to know.
    public static RecorderOptions standard() {
        return new RecorderOptions(Scope.LOCAL, false, _ -> true, _ -> {}, 100_000);
    }

    public RecorderOptions withScope(Scope newScope) {
        return new RecorderOptions(newScope, includeStreamingEvents, before, after, closedMax);
    }

    public RecorderOptions withStreamingEvents() {
        return new RecorderOptions(scope, true, before, after, closedMax);
    }

    public RecorderOptions before(Predicate<SessionState> newBefore) {
        return new RecorderOptions(scope, includeStreamingEvents, newBefore, after, closedMax);
    }

    public RecorderOptions after(Consumer<Session> newAfter) {
        return new RecorderOptions(scope, includeStreamingEvents, before, newAfter, closedMax);
    }
}
