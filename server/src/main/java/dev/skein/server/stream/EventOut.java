package dev.skein.server.stream;

import dev.skein.live.LiveEvent;
import dev.skein.server.http.Exchange;
import dev.skein.server.http.Problem;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/// A stream of events to one client. Every event leaves at once.
///
/// A client that takes nothing at all would hold its thread for ever, so [Stalls] interrupts a write that takes too
/// long, which closes the connection. Written by one thread.
final class EventOut implements AutoCloseable {

    private final Stalls stalls;
    private final OutputStream out;
    private final Exchange exchange;
    private Place place;
    private @Nullable Thread writing;
    private long since;

    EventOut(Exchange exchange, Stalls stalls, Place place) {
        this.exchange = exchange;
        this.stalls = stalls;
        this.place = place;
        this.out = exchange.eventStream();
        stalls.add(this);
    }

    /// The last event that was sent, or that the client knew before.
    Place place() {
        return place;
    }

    /// Sends the event, unless the client knows it or what comes after it.
    void send(LiveEvent event) {
        if (place.isBefore(event)) {
            write(Sse.event(event));
            place = Place.of(event);
        }
    }

    void heartbeat() {
        write(Sse.HEARTBEAT);
    }

    /// Says why the stream ends. The client's place stays where it is, so it can come again.
    void fail(Throwable failure) {
        var problem = Problem.of(failure, exchange.id());
        var data = Exchange.object()
                .put("request_id", exchange.id())
                .put("code", problem.code())
                .put("message", problem.message());
        write(Sse.event("error", null, data));
    }

    private void write(byte[] bytes) {
        begin();
        try {
            out.write(bytes);
            out.flush();
        } catch (IOException | RuntimeException e) {
            throw new ClientGone(e);
        } finally {
            end();
        }
    }

    private synchronized void begin() {
        writing = Thread.currentThread();
        since = System.nanoTime();
    }

    private synchronized void end() {
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
                end();
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
