package dev.skein.server.stream;

import dev.skein.live.LiveEvent;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
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
    synchronized void offer(Letter letter) {
        if (end != null) {
            return;
        }
        if (!events.isEmpty() && (events.size() >= eventsMax || chars + letter.weight() > charsMax)) {
            events.clear();
            chars = 0;
            finish(new Mail.Overflown());
            return;
        }
        events.add(letter);
        chars += letter.weight();
        notifyAll();
    }

    /// How many characters wait to be read.
    synchronized int waiting() {
        return chars;
    }

    /// No more will come.
    public synchronized void end(@Nullable Throwable failure) {
        finish(new Mail.Ended(failure));
    }

    /// The next mail, waiting for it at most so long. The end is found again and again.
    synchronized Mail take(Duration wait) throws InterruptedException {
        var deadline = System.nanoTime() + wait.toNanos();
        for (var left = wait.toMillis(); events.isEmpty() && end == null && left > 0; ) {
            wait(left);
            left = (deadline - System.nanoTime() + 999_999) / 1_000_000;
        }
        var letter = events.poll();
        if (letter != null) {
            chars -= letter.weight();
            return new Mail.Event(letter);
        }
        return end == null ? new Mail.Nothing() : end;
    }

    private void finish(Mail how) {
        if (end == null) {
            end = how;
            notifyAll();
        }
    }
}
