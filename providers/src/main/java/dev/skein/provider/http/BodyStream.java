package dev.skein.provider.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A body as it comes. Unlike the JDK's own stream it gives up when no byte comes for too long, and hands out what
/// came before a connection broke.
///
/// One thread reads; any may close.
final class BodyStream extends InputStream implements BodySubscriber<BodyStream> {

    /// How many pieces may wait to be read.
    private static final int PIECES_MAX = 16;

    private static final Piece CLOSED = new Piece(List.of(), new IOException("hung up"), true);

    private final Duration silence;
    private final BlockingQueue<Piece> pieces = new LinkedBlockingQueue<>();
    private Flow.@Nullable Subscription subscription;
    private boolean isClosed;
    private Piece current = new Piece(List.of(), null, false);
    private int position;

    private record Piece(List<ByteBuffer> bytes, @Nullable Throwable failure, boolean isLast) {}

    BodyStream(Duration silence) {
        this.silence = silence;
    }

    @Override
    public CompletionStage<BodyStream> getBody() {
        return CompletableFuture.completedStage(this);
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        synchronized (pieces) {
            subscription = given;
        }
        ask(PIECES_MAX);
    }

    /// Asks for more, or for no more if nobody listens.
    private void ask(int count) {
        synchronized (pieces) {
            if (subscription != null && isClosed) {
                subscription.cancel();
            } else if (subscription != null) {
                subscription.request(count);
            }
        }
    }

    @Override
    public void onNext(List<ByteBuffer> bytes) {
        pieces.add(new Piece(bytes, null, false));
    }

    @Override
    public void onError(Throwable failure) {
        forget();
        pieces.add(new Piece(List.of(), failure, true));
    }

    @Override
    public void onComplete() {
        forget();
        pieces.add(new Piece(List.of(), null, true));
    }

    /// Once a transfer is over its connection may carry another, which closing this must not touch.
    private void forget() {
        synchronized (pieces) {
            subscription = null;
        }
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        while (true) {
            while (position < current.bytes().size()) {
                var buffer = current.bytes().get(position);
                if (buffer.hasRemaining()) {
                    var count = Math.min(length, buffer.remaining());
                    buffer.get(into, from, count);
                    return count;
                }
                position++;
            }
            if (current.failure() != null) {
                throw new IOException(current.failure().getMessage(), current.failure());
            }
            if (current.isLast()) {
                return -1;
            }
            current = next();
            position = 0;
        }
    }

    private Piece next() throws IOException {
        try {
            var piece = pieces.poll(silence.toMillis(), TimeUnit.MILLISECONDS);
            if (piece == null) {
                close();
                throw CallFailed.passing(
                        "not a byte came for " + Words.of(silence),
                        "try again, or raise idle_timeout if the model thinks that long",
                        null);
            }
            ask(1);
            return piece;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            close();
            throw new IOException("interrupted");
        }
    }

    @Override
    public void close() {
        synchronized (pieces) {
            isClosed = true;
        }
        pieces.add(CLOSED);
        ask(0);
    }
}
