package dev.skein.testkit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/// A clock that stands still until told otherwise. Safe for use by many threads.
public final class MutableClock extends Clock {

    private Instant now;

    public MutableClock(Instant start) {
        now = start;
    }

    public synchronized void advance(Duration by) {
        now = now.plus(by);
    }

    @Override
    public synchronized Instant instant() {
        return now;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    /// This clock: tests live in UTC.
    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
