package dev.skein.engine;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.Cancelled;
import dev.skein.failure.ModelFailed;
import dev.skein.session.Ids;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.random.RandomGenerator;

/// Time and chance, as the engine knows them: a clock, a source of randomness, pauses, and how long to wait for another
/// run on the same session.
public record Workings(Clock clock, RandomGenerator random, Ids ids, Pause pause, Timers timers, Duration lockWait) {

    private static final Duration BACKOFF_FIRST = Duration.ofMillis(500);
    private static final Duration BACKOFF_MAX = Duration.ofSeconds(30);

    /// Those of the real world.
    public static Workings real() {
        return of(Clock.systemUTC(), new SecureRandom(), Pause.REAL);
    }

    public static Workings of(Clock clock, RandomGenerator random, Pause pause) {
        return new Workings(clock, random, new Ids(clock, random), pause, Timers.daemon(), Duration.ofSeconds(30));
    }

    public Workings waitingFor(Duration newLockWait) {
        return new Workings(clock, random, ids, pause, timers, newLockWait);
    }

    /// Waits longer after every failure, and never exactly as long as others do, unless the provider said how long.
    void pauseBeforeRetry(int attempt, ModelFailed failure, Cancellation cancellation) {
        var doubled = BACKOFF_FIRST.multipliedBy(1L << Math.min(attempt, 10));
        var capped = doubled.compareTo(BACKOFF_MAX) > 0 ? BACKOFF_MAX : doubled;
        var jittered = capped.plus(
                capped.dividedBy(4).multipliedBy(random.nextInt(101)).dividedBy(100));
        try {
            pause.take(failure.retryAfter().orElse(jittered), cancellation);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Cancelled("interrupted");
        }
    }
}
