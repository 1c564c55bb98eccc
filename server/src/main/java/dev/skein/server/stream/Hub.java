package dev.skein.server.stream;

import dev.skein.live.Emitter;
import dev.skein.live.LiveEvent;
import dev.skein.session.Scope;
import dev.skein.session.SessionId;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Where runs tell what happens, and readers hear it: a channel for every session that runs or is read here.
///
/// Safe for use by many threads.
public final class Hub {

    /// How long a journal rests before somebody looks whether its session waits for a person.
    private static final Duration PAUSE = Duration.ofMillis(500);

    /// Nothing more is to be found out then but what the journal brings.
    private static final Duration QUIET = Duration.ofMinutes(10);

    private final SessionStore store;
    private final Map<SessionId, Use> channels = new HashMap<>();

    public Hub(SessionStore store) {
        this.store = store;
    }

    private static final class Use {
        private final Channel channel = new Channel();
        private int users;
    }

    /// Somebody's use of a channel, to be closed.
    interface Line extends AutoCloseable {
        Channel channel();

        @Override
        void close();
    }

    /// Where a run tells what happens, to be closed when it is over.
    public interface Voice extends Emitter, AutoCloseable {
        @Override
        void close();
    }

    public Voice voice(SessionId session) {
        var line = line(session);
        return new Voice() {
            @Override
            public void emit(LiveEvent event) {
                line.channel().told(event);
            }

            @Override
            public void close() {
                line.close();
            }
        };
    }

    synchronized Line line(SessionId session) {
        var use = channels.computeIfAbsent(session, _ -> new Use());
        use.users++;
        return new Line() {
            private boolean closed;

            @Override
            public Channel channel() {
                return use.channel;
            }

            @Override
            public void close() {
                synchronized (Hub.this) {
                    if (!closed) {
                        closed = true;
                        release(session, use);
                    }
                }
            }
        };
    }

    private void release(SessionId session, Use use) {
        use.users--;
        if (use.users == 0) {
            channels.remove(session, use);
        }
    }

    /// Brings the session's durable events to its channel, as long as somebody reads.
    void work(Pump pump, Scope scope, SessionId session) {
        Thread.ofVirtual().name("skein-pump").start(() -> {
            try (var line = line(session)) {
                var failure = pump(pump, line.channel(), scope, session);
                if (failure != null) {
                    line.channel().fail(pump, failure);
                }
            }
        });
    }

    private @Nullable Throwable pump(Pump pump, Channel channel, Scope scope, SessionId session) {
        try (var handle = store.open(scope, session)) {
            pump(pump, channel, handle);
            return null;
        } catch (RuntimeException | Error e) {
            return e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new IllegalStateException("nobody interrupts this thread", e);
        }
    }

    private static void pump(Pump pump, Channel channel, SessionHandle handle) throws InterruptedException {
        var retold = new Retold(handle);
        var rested = -1L;
        try (var watch = handle.watch(channel.position() + 1)) {
            pump.from(watch);
            while (!pump.isStopped()) {
                var position = channel.position();
                var next = watch.next(rested == position ? QUIET : PAUSE);
                if (next.isPresent()) {
                    channel.advance(pump, next.get().seq(), retold.of(next.get()));
                } else if (rested != position) {
                    rested = position;
                    retold.resting(position).ifPresent(channel::told);
                }
            }
        }
    }

    /// Everybody hears that the server stops.
    public void close(RuntimeException why) {
        List<Use> all;
        synchronized (this) {
            all = List.copyOf(channels.values());
        }
        all.forEach(use -> use.channel.end(why));
    }

    /// How many sessions run or are read here.
    public synchronized int size() {
        return channels.size();
    }
}
