package dev.skein.server;

import dev.skein.engine.schedule.Cron;
import dev.skein.engine.schedule.ScheduleSpec;
import dev.skein.engine.schedule.ScheduleSpec.Place;
import dev.skein.engine.schedule.Schedules;
import dev.skein.engine.schedule.When;
import dev.skein.session.SessionAlias;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// Schedules that a test writes down.
final class TestSchedules implements Schedules {

    final List<ScheduleSpec> all = new CopyOnWriteArrayList<>();

    @Override
    public Listing list() {
        return new Listing(all, List.of());
    }

    /// One of ann's, written long ago, which speaks in a session of its own name.
    TestSchedules add(String name, String cron, String prompt) {
        return add(name, cron, prompt, new Place.Named(new SessionAlias(name)), ScheduleSpec.MAKE_UP);
    }

    TestSchedules add(String name, String cron, String prompt, Place place, Duration makeUp) {
        all.add(new ScheduleSpec(
                name,
                "ann",
                new When.Repeated(Cron.parse(cron), ZoneOffset.UTC),
                prompt,
                place,
                null,
                null,
                null,
                makeUp,
                true,
                Instant.parse("2026-01-01T00:00:00Z")));
        return this;
    }
}
