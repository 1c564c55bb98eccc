package dev.skein.engine.schedule;

import dev.skein.engine.Ticket;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.node.JsonNodeFactory;

/// A schedule's run for one moment. It has a key that follows from both, under which its loop begins: so, whoever
/// tries,
/// there is one such loop. A run that was cut off is taken further as another attempt, with a key of its own.
///
/// @param attempt 1 for the first
public record Firing(String schedule, String owner, Instant moment, int attempt) {

    /// Where a loop's metadata has the name of its schedule, among what front ends note.
    public static final String SCHEDULE = "schedule";

    private static final String MOMENT = "moment";
    private static final String AGAIN = "#";
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    public Firing {
        moment = moment.truncatedTo(ChronoUnit.SECONDS);
    }

    public static Firing of(ScheduleSpec schedule, Instant moment) {
        return new Firing(schedule.name(), schedule.owner(), moment, 1);
    }

    public Firing again() {
        return new Firing(schedule, owner, moment, attempt + 1);
    }

    /// At most as long as a key may be: [ScheduleSpec#NAME] and [Batch#KEY_LENGTH_MAX] see to that.
    public String key() {
        return prefix(schedule) + moment + (attempt == 1 ? "" : AGAIN + attempt);
    }

    /// The firing of the schedule that has this key, if it is one's.
    static Optional<Firing> ofKey(ScheduleSpec schedule, String key) {
        if (!key.startsWith(prefix(schedule.name()))) {
            return Optional.empty();
        }
        var parts = key.substring(prefix(schedule.name()).length()).split(AGAIN, 2);
        try {
            return Optional.of(new Firing(
                    schedule.name(),
                    schedule.owner(),
                    Instant.parse(parts[0]),
                    parts.length == 1 ? 1 : Integer.parseInt(parts[1])));
        } catch (DateTimeParseException | NumberFormatException _) {
            return Optional.empty();
        }
    }

    private static String prefix(String schedule) {
        return "schedule:" + schedule + ":";
    }

    /// The session of this run, if it has one of its own.
    SessionId session() {
        var text = String.join("\n", "schedule", owner, schedule, moment.toString());
        return new SessionId(UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)));
    }

    /// The name of that session.
    SessionAlias alias() {
        return new SessionAlias(aliasPrefix(schedule) + STAMP.format(moment));
    }

    static String aliasPrefix(String schedule) {
        return schedule + "-";
    }

    /// The firing whose session has this name, if it is one's.
    static Optional<Firing> ofAlias(ScheduleSpec schedule, String alias) {
        if (!alias.startsWith(aliasPrefix(schedule.name()))) {
            return Optional.empty();
        }
        try {
            var moment =
                    STAMP.parse(alias.substring(aliasPrefix(schedule.name()).length()), Instant::from);
            return Optional.of(of(schedule, moment));
        } catch (DateTimeParseException _) {
            return Optional.empty();
        }
    }

    /// What the journal is to remember of it.
    ///
    /// @param noted what else it is to remember, as `name, value`
    public Ticket ticket(Map<String, String> noted) {
        var ours = JsonNodeFactory.instance.objectNode().put(SCHEDULE, schedule).put(MOMENT, moment.toString());
        noted.forEach(ours::put);
        return new Ticket(key(), Map.of(Ticket.OURS, ours));
    }
}
