package dev.skein.engine;

import dev.skein.cancellation.Cancellation;
import dev.skein.store.SessionHandle;

/// What belongs to one request: its session, with what it runs, what its front end wants, and how it is steered and
/// stopped.
public record RequestContext(
        String requestId,
        SessionHandle session,
        RunSettings settings,
        RunOptions options,
        Steering steering,
        Cancellation cancellation) {

    /// A request of a Java program, which nobody steers or stops.
    public static RequestContext of(String requestId, SessionHandle session, RunSettings settings) {
        return new RequestContext(
                requestId, session, settings, RunOptions.library(), new Steering(), new Cancellation());
    }

    public RequestContext with(RunSettings newSettings) {
        return new RequestContext(requestId, session, newSettings, options, steering, cancellation);
    }

    public RequestContext with(RunOptions newOptions) {
        return new RequestContext(requestId, session, settings, newOptions, steering, cancellation);
    }

    public RequestContext with(Cancellation newCancellation) {
        return new RequestContext(requestId, session, settings, options, steering, newCancellation);
    }
}
