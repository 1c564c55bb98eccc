package dev.skein.engine;

import dev.skein.cancellation.Cancellation;
import dev.skein.store.SessionHandle;

/// What belongs to one request: its session, with what it runs, what its front end wants, how it is steered and
/// stopped, and what the journal is to remember about it.
public record RequestContext(
        String requestId,
        SessionHandle session,
        RunSettings settings,
        RunOptions options,
        Steering steering,
        Cancellation cancellation,
        Ticket ticket) {

    public RequestContext(
            String requestId,
            SessionHandle session,
            RunSettings settings,
            RunOptions options,
            Steering steering,
            Cancellation cancellation) {
        this(requestId, session, settings, options, steering, cancellation, Ticket.NONE);
    }

    /// A request of a Java program, which nobody steers or stops.
    public static RequestContext of(String requestId, SessionHandle session, RunSettings settings) {
        return new RequestContext(
                requestId, session, settings, RunOptions.library(), new Steering(), new Cancellation());
    }

    public RequestContext with(RunSettings newSettings) {
        return new RequestContext(requestId, session, newSettings, options, steering, cancellation, ticket);
    }

    public RequestContext with(RunOptions newOptions) {
        return new RequestContext(requestId, session, settings, newOptions, steering, cancellation, ticket);
    }

    public RequestContext with(Cancellation newCancellation) {
        return new RequestContext(requestId, session, settings, options, steering, newCancellation, ticket);
    }

    public RequestContext with(Ticket newTicket) {
        return new RequestContext(requestId, session, settings, options, steering, cancellation, newTicket);
    }
}
