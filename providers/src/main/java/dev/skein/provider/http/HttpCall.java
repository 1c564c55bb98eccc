package dev.skein.provider.http;

import dev.langchain4j.http.client.sse.ServerSentEventParsingHandle;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/// One exchange with a provider, which can be hung up from any thread at any time: before the connection stands,
/// before the first byte, between two bytes.
///
/// Whoever makes a call binds it to [#CURRENT]; [StreamingHttp] works under it. That is how a cancellation reaches
/// a request that LangChain4j sends, as LangChain4j offers a handle only after the first event.
public final class HttpCall implements ServerSentEventParsingHandle {

    public static final ScopedValue<HttpCall> CURRENT = ScopedValue.newInstance();

    private @Nullable CompletableFuture<?> pending;
    private @Nullable Closeable body;
    private boolean hungUp;

    /// Ends the exchange. Nothing that comes later is heard.
    public void hangUp() {
        CompletableFuture<?> request;
        Closeable stream;
        synchronized (this) {
            hungUp = true;
            request = pending;
            stream = body;
        }
        if (request != null) {
            request.cancel(true);
        }
        close(stream);
    }

    public synchronized boolean isHungUp() {
        return hungUp;
    }

    @Override
    public void cancel() {
        hangUp();
    }

    @Override
    public boolean isCancelled() {
        return isHungUp();
    }

    /// Waits for the beginning of the answer.
    <T> T await(CompletableFuture<T> request) throws IOException, InterruptedException {
        synchronized (this) {
            pending = request;
        }
        if (isHungUp()) {
            request.cancel(true);
        }
        try {
            return request.get();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException cause -> throw cause;
                case CancellationException cause -> throw new IOException("hung up", cause);
                case RuntimeException cause -> throw cause;
                case null, default -> throw new IOException(e);
            }
        } catch (CancellationException e) {
            throw new IOException("hung up", e);
        } catch (InterruptedException e) {
            hangUp();
            throw e;
        }
    }

    /// Takes note of the body, so that hanging up closes it.
    void reading(InputStream stream) {
        synchronized (this) {
            body = stream;
        }
        if (isHungUp()) {
            close(stream);
        }
    }

    private static void close(@Nullable Closeable stream) {
        if (stream != null) {
            try {
                stream.close();
            } catch (IOException _) {
                // Nothing to save: the line is given up anyway, and whoever cancels has others to tell.
            }
        }
    }
}
