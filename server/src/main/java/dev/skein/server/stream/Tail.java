package dev.skein.server.stream;

import dev.skein.failure.SkeinException;
import dev.skein.server.connection.Sequel;
import dev.skein.store.SessionHandle;
import java.io.OutputStream;
import java.time.Duration;

/// The stream of one client that follows a session: first what is in the journal, at the client's pace; then, with a
/// mailbox, what comes. Thousands of them wait for hours, so while one waits it keeps nothing of the request it
/// answers,
/// and no handle of the session.
final class Tail implements Sequel {

    private final Hub hub;
    private final Duration heartbeat;
    private final EventOut out;
    private final Hub.Line line;
    private final Mailbox mailbox;

    Tail(Hub hub, Duration heartbeat, EventOut out, Hub.Line line, Mailbox mailbox) {
        this.hub = hub;
        this.heartbeat = heartbeat;
        this.out = out;
        this.line = line;
        this.mailbox = mailbox;
    }

    /// Tells what the client does not know yet. When it is told the rest, it hears whatever happens from then on.
    ///
    /// @return whether to go on
    boolean begin(SessionHandle session) {
        var begun = false;
        try {
            begun = hasCaughtUp(session);
            return begun;
        } catch (EventOut.ClientGone _) {
            return false;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            if (!begun) {
                close();
            }
        }
    }

    private boolean hasCaughtUp(SessionHandle session) throws InterruptedException {
        try {
            join(session);
            // With it the answer's head leaves.
            out.heartbeat();
            out.requireAllowed();
            return true;
        } catch (SkeinException e) {
            out.fail(e);
            return false;
        }
    }

    private void join(SessionHandle session) throws InterruptedException {
        var retold = new Retold(session);
        var known = out.place();
        try (var watch = session.watch(known.seq() + 1)) {
            long position = known.seq();
            for (var next = watch.next(Duration.ZERO); next.isPresent(); next = watch.next(Duration.ZERO)) {
                position = next.get().seq();
                retold.of(next.get()).forEach(out::send);
            }
            var joined = line.channel().join(mailbox, session.state().version(), known);
            if (joined.idle() != null) {
                hub.work(joined.idle(), session.scope(), session.id());
            }
            while (position < joined.position()) {
                var next = watch.next(heartbeat);
                if (next.isPresent()) {
                    position = next.get().seq();
                    retold.of(next.get()).forEach(out::send);
                } else {
                    out.heartbeat();
                }
            }
            joined.since().forEach(out::send);
            retold.resting(joined.position()).ifPresent(out::send);
        }
    }

    /// Passes on what comes, without an end.
    @Override
    public void run(OutputStream rest) {
        out.goOn(rest);
        try {
            Streams.pass(mailbox.take(heartbeat), mailbox, out, heartbeat);
        } catch (EventOut.ClientGone _) {
            // That is how these streams end.
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            close();
        }
    }

    private void close() {
        line.channel().leave(mailbox);
        line.close();
        try {
            out.close();
        } catch (EventOut.ClientGone _) {
            // So nobody misses the end.
        }
    }
}
