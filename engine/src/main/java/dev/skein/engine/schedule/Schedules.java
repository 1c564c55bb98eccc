package dev.skein.engine.schedule;

import java.util.List;
import java.util.Optional;

/// Where schedules are kept. Safe for use by many threads.
public interface Schedules {

    /// There are none.
    Schedules NONE = () -> new Listing(List.of(), List.of());

    /// Those that can be read, in alphabetical order, and what is wrong with the others.
    record Listing(List<ScheduleSpec> schedules, List<String> problems) {
        public Listing {
            schedules = List.copyOf(schedules);
            problems = List.copyOf(problems);
        }
    }

    /// What there is now.
    Listing list();

    /// The schedule of this name, if there is one that can be read.
    default Optional<ScheduleSpec> find(String name) {
        return list().schedules().stream()
                .filter(schedule -> schedule.name().equals(name))
                .findFirst();
    }
}
