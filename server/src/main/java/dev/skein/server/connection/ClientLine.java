package dev.skein.server.connection;

import dev.skein.cancellation.Cancellation.Registration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// What comes from one client.
///
/// That a client went away is seen only by whoever reads from it, and nobody does while its request is being answered.
/// So on demand another thread reads ahead, once: the end of what the client sends says that it is gone. Anything else
/// is the beginning of its next request, which is kept until the connection asks for it. No read is ever broken off, so
/// nothing is lost and the connection can be used again.
///
/// For use by the thread of its connection.
public final class ClientLine implements Supplier<byte @Nullable []> {

    static final ScopedValue<ClientLine> CURRENT = ScopedValue.newInstance();

    private final Supplier<byte @Nullable []> socket;
    private @Nullable Ahead ahead;

    ClientLine(Supplier<byte @Nullable []> socket) {
        this.socket = socket;
    }

    /// A read that somebody else does.
    private record Ahead(CompletableFuture<byte @Nullable []> bytes, CompletableFuture<Boolean> gone) {}

    /// Runs this, once, if the client of the current request goes away before the registration is closed.
    public static Registration whenGone(Runnable action) {
        return CURRENT.isBound() ? CURRENT.get().watch(action) : () -> {};
    }

    private Registration watch(Runnable action) {
        var line = ahead == null ? readAhead() : ahead;
        ahead = line;
        var wanted = new AtomicBoolean(true);
        var _ = line.gone().thenAccept(gone -> {
            if (gone && wanted.getAndSet(false)) {
                action.run();
            }
        });
        return () -> wanted.set(false);
    }

    private Ahead readAhead() {
        var line = new Ahead(new CompletableFuture<>(), new CompletableFuture<>());
        Thread.ofVirtual().name("skein-read-ahead").start(() -> {
            try {
                var bytes = socket.get();
                line.bytes().complete(bytes);
                line.gone().complete(bytes == null);
            } catch (RuntimeException | Error e) {
                line.bytes().completeExceptionally(e);
                line.gone().complete(true);
            }
        });
        return line;
    }

    /// The next bytes of the client, or null at their end.
    @Override
    public byte @Nullable [] get() {
        var before = ahead;
        if (before == null) {
            return socket.get();
        }
        try {
            var bytes = before.bytes().get();
            ahead = null;
            return bytes;
        } catch (InterruptedException _) {
            // Whoever ends the connection does so; to a failure the web server would still send an answer.
            Thread.currentThread().interrupt();
            return null;
        } catch (ExecutionException _) {
            return null;
        }
    }
}
