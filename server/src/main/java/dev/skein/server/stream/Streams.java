package dev.skein.server.stream;

import dev.skein.live.LiveEvent;
import dev.skein.server.http.Exchange;
import dev.skein.server.http.HttpFailure;
import dev.skein.server.setup.ServerOptions;
import dev.skein.server.stream.Mailbox.Mail;
import dev.skein.store.SessionHandle;
import java.time.Duration;

/// Answers with streams of events: those of one run, or those of a session from anywhere on.
public final class Streams {

    private final Hub hub;
    private final Stalls stalls;
    private final ServerOptions options;

    public Streams(Hub hub, Stalls stalls, ServerOptions options) {
        this.hub = hub;
        this.stalls = stalls;
        this.options = options;
    }

    public Mailbox mailbox() {
        return new Mailbox(options.bufferEvents(), options.bufferChars());
    }

    /// How a stream came to its end.
    public enum Ending {
        /// Everything was told.
        COMPLETE,
        /// The client did not keep up and was told so.
        TOO_SLOW,
        /// The client went away, or takes nothing any more.
        GONE
    }

    /// Streams what comes into the mailbox until its end. A failure before the first event is thrown, so that it can
    /// still be told as a status.
    public Ending run(Exchange exchange, Mailbox mailbox, Telling telling) {
        try {
            var first = mailbox.take(options.heartbeat());
            if (first instanceof Mail.Ended(var failure) && failure instanceof RuntimeException early) {
                throw early;
            }
            try (var out = new EventOut(exchange, telling, stalls, Place.START)) {
                return pass(first, mailbox, out, options.heartbeat());
            }
        } catch (EventOut.ClientGone _) {
            return Ending.GONE;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Ending.GONE;
        }
    }

    /// Passes on what comes into the mailbox until its end.
    static Ending pass(Mail first, Mailbox mailbox, EventOut out, Duration heartbeat) throws InterruptedException {
        var failed = false;
        for (var mail = first; ; mail = mailbox.take(heartbeat)) {
            switch (mail) {
                case Mail.Event(var letter) -> {
                    out.send(letter);
                    failed = letter.event().body() instanceof LiveEvent.Failed;
                }
                case Mail.Nothing _ -> {
                    out.heartbeat();
                    out.requireAllowed();
                }
                case Mail.Overflown _ -> {
                    out.fail(HttpFailure.tooSlow(out.place().toString()));
                    return Ending.TOO_SLOW;
                }
                case Mail.Ended(var failure) -> {
                    if (failure != null && !failed) {
                        out.fail(failure);
                    }
                    out.end();
                    return Ending.COMPLETE;
                }
            }
        }
    }

    /// Streams what happened in the session after the event the client knows, then what happens, without an end. When a
    /// client that knows everything gets its answer's head, it hears whatever happens from then on.
    ///
    /// @throws dev.skein.server.connection.Detached when the history is told: the rest needs the request no more
    public void tail(Exchange exchange, SessionHandle session) {
        var known = exchange.header("Last-Event-ID")
                .or(() -> exchange.query("last_event_id"))
                .map(Place::parse)
                .orElseGet(() -> newest(exchange, session.state().version()));
        if (known.seq() > session.state().version()) {
            throw HttpFailure.invalid("Last-Event-ID " + known + " is beyond the session's newest event, "
                    + session.state().version());
        }
        exchange.isLast();
        var out = new EventOut(exchange, Telling.OWN, stalls, known);
        var tail = new Tail(hub, options.heartbeat(), out, hub.line(session.id()), mailbox());
        if (tail.begin(session)) {
            throw exchange.goOn(tail);
        }
    }

    /// Who wants only the newest of the history says how many events that may be.
    private static Place newest(Exchange exchange, long version) {
        var newest =
                exchange.query("newest").isEmpty() ? version : exchange.queryNumber("newest", 0, Integer.MAX_VALUE);
        return new Place(Math.max(0, version - newest), 0);
    }
}
