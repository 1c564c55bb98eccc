package dev.skein.server.stream;

import dev.skein.failure.Unauthorized;
import dev.skein.live.LiveEvent;
import dev.skein.server.http.Exchange;
import dev.skein.server.http.Problem;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A stream of events to one client. Every event leaves at once.
///
/// A client that takes nothing at all would hold its thread for ever, so [Stalls] interrupts a write that takes too
/// long, which closes the connection. Written by one thread.
final class EventOut implements AutoCloseable {

    private final Stalls stalls;
    private final String requestId;
    private final BooleanSupplier stillAllowed;
    private final Telling telling;
    private OutputStream out;
    private Place place;
    private @Nullable Thread writing;
    private long since;

    EventOut(Exchange exchange, Telling telling, Stalls stalls, Place place) {
        this.telling = telling;
        this.requestId = exchange.id();
        this.stillAllowed = exchange.stillAllowed();
        this.stalls = stalls;
        this.place = place;
        this.out = exchange.eventStream();
        stalls.add(this);
    }

    /// From now on it goes on there.
    void goOn(OutputStream rest) {
        out = rest;
    }

    /// The last event that was sent, or that the client knew before.
    Place place() {
        return place;
    }

    void send(LiveEvent event) {
        send(new Letter(event));
    }

    /// Sends the event, unless the client knows it or what comes after it.
    void send(Letter letter) {
        if (place.isBefore(letter.event())) {
            write(telling.equals(Telling.OWN) ? letter.own() : telling.of(letter.event()));
            place = Place.of(letter.event());
        }
    }

    /// A key that was revoked ends the streams it opened.
    void requireAllowed() {
        if (!stillAllowed.getAsBoolean()) {
            fail(new Unauthorized());
            throw new ClientGone(new Unauthorized());
        }
    }

    void heartbeat() {
        write(Sse.HEARTBEAT);
    }

    /// Says why the stream ends. The client's place stays where it is, so it can come again.
    void fail(Throwable failure) {
        write(telling.failure(Problem.of(failure, requestId), requestId));
    }

    /// Says that everything was told.
    void end() {
        write(telling.end());
    }

    private void write(byte[] bytes) {
        if (bytes.length == 0) {
            return;
        }
        begin();
        try {
            out.write(bytes);
            out.flush();
        } catch (IOException | RuntimeException e) {
            throw new ClientGone(e);
        } finally {
            ended();
        }
    }

    private synchronized void begin() {
        writing = Thread.currentThread();
        since = System.nanoTime();
    }

    private synchronized void ended() {
        writing = null;
    }

    /// Ends a write that has taken longer than this.
    synchronized void interruptIfStalled(long nanosMax) {
        if (writing != null && System.nanoTime() - since > nanosMax) {
            writing.interrupt();
        }
    }

    @Override
    public void close() {
        stalls.remove(this);
        if (!Thread.currentThread().isInterrupted()) {
            try {
                begin();
                out.close();
            } catch (IOException | RuntimeException e) {
                throw new ClientGone(e);
            } finally {
                ended();
            }
        }
    }

    /// Nobody reads the stream any more.
    static final class ClientGone extends RuntimeException {
        ClientGone(Throwable cause) {
            super("the client went away", cause);
        }
    }
}
