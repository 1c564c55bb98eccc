package dev.skein.server.stream;

import dev.skein.live.LiveEvent;
import dev.skein.message.Part;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// Events on their way to one reader. It holds so much and no more: a reader that does not keep up loses its place here
/// and has to come again, rather than slow down a run or fill the memory.
///
/// Safe for use by many threads; one of them reads.
public final class Mailbox {

    private static final int OVERHEAD = 100;

    private final int eventsMax;
    private final int charsMax;
    private final Queue<LiveEvent> events = new ArrayDeque<>();
    private int chars;
    private @Nullable Mail end;

    public Mailbox(int eventsMax, int charsMax) {
        this.eventsMax = eventsMax;
        this.charsMax = charsMax;
    }

    /// What a reader finds.
    public sealed interface Mail {
        record Event(LiveEvent event) implements Mail {}

        /// Nothing came in time.
        record Nothing() implements Mail {}

        /// The reader was too slow; there is more, but not here.
        record Overflown() implements Mail {}

        /// There will be no more, because of this failure if there is one.
        record Ended(@Nullable Throwable failure) implements Mail {}
    }

    /// Hands an event in. Never waits.
    public synchronized void offer(LiveEvent event) {
        if (end != null) {
            return;
        }
        var size = size(event);
        if (!events.isEmpty() && (events.size() >= eventsMax || chars + size > charsMax)) {
            events.clear();
            finish(new Mail.Overflown());
            return;
        }
        events.add(event);
        chars += size;
        notifyAll();
    }

    /// No more will come.
    public synchronized void end(@Nullable Throwable failure) {
        finish(new Mail.Ended(failure));
    }

    /// The next mail, waiting for it at most so long. The end is found again and again.
    public synchronized Mail take(Duration wait) throws InterruptedException {
        var deadline = System.nanoTime() + wait.toNanos();
        for (var left = wait.toMillis(); events.isEmpty() && end == null && left > 0; ) {
            wait(left);
            left = (deadline - System.nanoTime() + 999_999) / 1_000_000;
        }
        var event = events.poll();
        if (event != null) {
            chars -= size(event);
            return new Mail.Event(event);
        }
        return end == null ? new Mail.Nothing() : end;
    }

    private void finish(Mail how) {
        if (end == null) {
            end = how;
            notifyAll();
        }
    }

    private static int size(LiveEvent event) {
        return OVERHEAD
                + switch (event.body()) {
                    case LiveEvent.AssistantDelta(var text) -> text.length();
                    case LiveEvent.ThinkingDelta(var text) -> text.length();
                    case LiveEvent.AssistantMessageEnd(var text) -> text.length();
                    case LiveEvent.Finished(var outcome) -> outcome.text().length();
                    case LiveEvent.ToolResult(var result) ->
                        result.content().stream()
                                .mapToInt(part -> part instanceof Part.Text(var text) ? text.length() : 0)
                                .sum();
                    default -> OVERHEAD;
                };
    }
}
