package dev.skein.cli.program;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;

/// The clock of this machine, in its time zone. Which zone that is, is found out when somebody asks: the rules of zones
/// are looked for in every jar, and most of what is shown is an age.
public final class LocalClock extends Clock {

    private final Clock universal = Clock.systemUTC();

    @Override
    public ZoneId getZone() {
        return ZoneId.systemDefault();
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return Clock.system(zone);
    }

    @Override
    public Instant instant() {
        return universal.instant();
    }

    @Override
    public long millis() {
        return universal.millis();
    }
}
