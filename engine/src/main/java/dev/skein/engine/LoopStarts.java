package dev.skein.engine;

import dev.skein.session.Entry;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopId;
import dev.skein.session.LoopPointer;
import dev.skein.store.SessionHandle;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;

/// Finds where loops begin, without reading the whole journal.
public final class LoopStarts {

    private static final int WINDOW_FIRST = 64;

    private LoopStarts() {}

    /// The loop that begins at this place, if one does.
    public static Optional<LoopPointer> at(SessionHandle session, long seq) {
        return first(session, seq, seq, _ -> true).map(LoopStarts::pointer);
    }

    /// Where a loop begins that has an event at this place. Looks back further and further, so that it costs about as
    /// much as reading the loop.
    public static Optional<Entry> before(SessionHandle session, LoopId loop, long seq) {
        for (long window = WINDOW_FIRST; ; window *= 4) {
            var from = Math.max(1, seq - window);
            var found = first(session, from, seq, started -> started.loop().equals(loop));
            if (found.isPresent() || from == 1) {
                return found;
            }
        }
    }

    private static LoopPointer pointer(Entry entry) {
        return new LoopPointer(((LoopEvent) entry.event()).loop(), entry.seq());
    }

    private static Optional<Entry> first(
            SessionHandle session, long from, long to, Predicate<LoopEvent.LoopStarted> wanted) {
        try (var watch = session.watch(from)) {
            for (var next = watch.next(Duration.ZERO); next.isPresent(); next = watch.next(Duration.ZERO)) {
                var entry = next.get();
                if (entry.seq() > to) {
                    break;
                }
                if (entry.event() instanceof LoopEvent.LoopStarted started && wanted.test(started)) {
                    return Optional.of(entry);
                }
            }
            return Optional.empty();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
