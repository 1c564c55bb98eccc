package dev.skein.server.stream;

import dev.skein.live.LiveEvent;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Events on their way to one reader. It holds so much and no more: a reader that does not keep up loses its place here
/// and has to come again, rather than slow down a run or fill the memory.
///
/// Safe for use by many threads; one of them reads.
public final class Mailbox {

    private final int eventsMax;
    private final int charsMax;
    private final Queue<Letter> events = new ArrayDeque<>();
    private int chars;
    private @Nullable Mail end;
    private @Nullable Thread reader;

    public Mailbox(int eventsMax, int charsMax) {
        this.eventsMax = eventsMax;
        this.charsMax = charsMax;
    }

    /// What a reader finds.
    sealed interface Mail {
        record Event(Letter letter) implements Mail {}

        /// Nothing came in time.
        record Nothing() implements Mail {}

        /// The reader was too slow; there is more, but not here.
        record Overflown() implements Mail {}

        /// There will be no more, because of this failure if there is one.
        record Ended(@Nullable Throwable failure) implements Mail {}
    }

    /// Hands an event in. Never waits.
    public void offer(LiveEvent event) {
        offer(new Letter(event));
    }

    /// The same, with an event that others get, too.
    void offer(Letter letter) {
        LockSupport.unpark(taken(letter));
    }

    /// Who waits for it, if anybody does.
    private synchronized @Nullable Thread taken(Letter letter) {
        if (end != null) {
            return null;
        }
        if (!events.isEmpty() && (events.size() >= eventsMax || chars + letter.weight() > charsMax)) {
            events.clear();
            chars = 0;
            end = new Mail.Overflown();
        } else {
            events.add(letter);
            chars += letter.weight();
        }
        return reader;
    }

    /// How many characters wait to be read.
    synchronized int waiting() {
        return chars;
    }

    /// No more will come.
    public void end(@Nullable Throwable failure) {
        LockSupport.unpark(ended(failure));
    }

    private synchronized @Nullable Thread ended(@Nullable Throwable failure) {
        if (end == null) {
            end = new Mail.Ended(failure);
        }
        return reader;
    }

    /// The next mail, waiting for it at most so long. The end is found again and again.
    Mail take(Duration wait) throws InterruptedException {
        var deadline = System.nanoTime() + wait.toNanos();
        for (var left = wait.toNanos(); ; left = deadline - System.nanoTime()) {
            var mail = poll(left > 0);
            if (mail != null) {
                return mail;
            }
            // Not Object.wait: a virtual thread that is notified goes through a platform thread first.
            LockSupport.parkNanos(this, left);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    /// What there is; null if the reader is going to wait.
    private synchronized @Nullable Mail poll(boolean waits) {
        reader = null;
        var letter = events.poll();
        if (letter != null) {
            chars -= letter.weight();
            return new Mail.Event(letter);
        }
        if (end != null) {
            return end;
        }
        if (!waits) {
            return new Mail.Nothing();
        }
        reader = Thread.currentThread();
        return null;
    }
}
