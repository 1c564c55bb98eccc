package dev.skein.server.limit;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/// Counts what each of many callers asks over time: a bucket of tokens for each, which fills again steadily.
///
/// Remembers only who used some lately, and at most 10,000 of them; more share one bucket. Safe for use by many
/// threads.
public final class RateLimit {

    private static final int CALLERS_MAX = 10_000;
    private static final long SWEEP_NANOS = 1_000_000_000;
    private static final String ALL_OTHERS = "";
    private static final double NANOS = 1e9;

    private final LongSupplier nanos;
    private final ConcurrentHashMap<String, Bucket> buckets = new ConcurrentHashMap<>();
    private final AtomicLong sweptAt;
    private volatile Rate rate;

    /// `granted` is the answer to whoever asked last.
    private record Bucket(double tokens, long at, boolean granted) {}

    public RateLimit(Rate rate, LongSupplier nanos) {
        this.rate = rate;
        this.nanos = nanos;
        this.sweptAt = new AtomicLong(nanos.getAsLong());
    }

    public void change(Rate newRate) {
        rate = newRate;
    }

    /// Empty if this caller may go on; else how long until the next one is allowed.
    public Optional<Duration> take(String caller) {
        var now = nanos.getAsLong();
        var current = rate;
        var taken = buckets.compute(known(caller, now), (_, before) -> {
            var tokens = before == null ? current.burst() : filled(before, current, now);
            // Who looked at the clock first need not get here first, and time that ran back would take tokens away.
            var at = before == null ? now : before.at() + Math.max(0, now - before.at());
            return tokens >= 1 ? new Bucket(tokens - 1, at, true) : new Bucket(tokens, at, false);
        });
        return taken.granted()
                ? Optional.empty()
                : Optional.of(Duration.ofNanos((long) Math.ceil((1 - taken.tokens()) / current.perSecond() * NANOS)));
    }

    int size() {
        return buckets.size();
    }

    private String known(String caller, long now) {
        if (buckets.size() < CALLERS_MAX || buckets.containsKey(caller)) {
            return caller;
        }
        var swept = sweptAt.get();
        if (now - swept >= SWEEP_NANOS && sweptAt.compareAndSet(swept, now)) {
            buckets.values().removeIf(bucket -> filled(bucket, rate, now) >= rate.burst());
        }
        return buckets.size() < CALLERS_MAX ? caller : ALL_OTHERS;
    }

    private static double filled(Bucket bucket, Rate rate, long now) {
        return Math.min(rate.burst(), bucket.tokens() + Math.max(0, now - bucket.at()) / NANOS * rate.perSecond());
    }
}
