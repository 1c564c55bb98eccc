package dev.skein.cli.settings;

import dev.skein.cli.secret.Interpolation;
import dev.skein.engine.schedule.Cron;
import dev.skein.engine.schedule.ScheduleSpec;
import dev.skein.engine.schedule.ScheduleSpec.Place;
import dev.skein.engine.schedule.Schedules;
import dev.skein.engine.schedule.When;
import dev.skein.failure.InvalidRequest;
import dev.skein.failure.StorageFailed;
import dev.skein.model.ModelName;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The schedules in a directory. A file that did not change is not read again. All that is wrong with a file is told at
/// once, with its lines, and is nothing to the others. Safe for use by many threads.
public final class ScheduleFiles implements Schedules {

    private static final Pattern SPAN = Pattern.compile("([0-9]{1,6})([smhd])");
    private static final String ENDING = ".yaml";
    private static final String SESSION = "session";
    private static final String NEW_SESSION = "new_session";
    private static final int PROMPT_MAX = 100_000;

    private final Path directory;
    private final ZoneId standardZone;
    private final Map<String, Read> known = new ConcurrentHashMap<>();

    /// Those in this directory.
    ///
    /// @param standardZone for those that name none
    public ScheduleFiles(Path directory, ZoneId standardZone) {
        this.directory = directory;
        this.standardZone = standardZone;
    }

    /// A file as it was at some time: what it says, or what is wrong with it.
    private record Read(
            FileTime changed, long size, @Nullable ScheduleSpec schedule, List<String> problems) {}

    public Path directory() {
        return directory;
    }

    /// In alphabetical order, those that cannot be read too.
    public List<String> names() {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (var files = Files.list(directory)) {
            return files.filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(ENDING))
                    .map(name -> name.substring(0, name.length() - ENDING.length()))
                    .filter(name -> ScheduleSpec.NAME.matcher(name).matches())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw StorageFailed.io("list the schedules in " + directory, e);
        }
    }

    @Override
    public Listing list() {
        var schedules = new ArrayList<ScheduleSpec>();
        var problems = new ArrayList<String>();
        var names = names();
        known.keySet().retainAll(names);
        for (var name : names) {
            var read = read(name);
            if (read != null) {
                Optional.ofNullable(read.schedule()).ifPresent(schedules::add);
                problems.addAll(read.problems());
            }
        }
        return new Listing(schedules, problems);
    }

    /// What is wrong with the file of this name; empty if nothing is, or there is none.
    public List<String> problems(String name) {
        var read = names().contains(name) ? read(name) : null;
        return read == null ? List.of() : read.problems();
    }

    private @Nullable Read read(String name) {
        var path = file(name);
        try {
            var changed = Files.getLastModifiedTime(path);
            var size = Files.size(path);
            var before = known.get(name);
            if (before != null && before.changed().equals(changed) && before.size() == size) {
                return before;
            }
            var read = parsed(name, path, changed, size);
            known.put(name, read);
            return read;
        } catch (NoSuchFileException _) {
            return null;
        } catch (IOException e) {
            throw StorageFailed.io("read " + path, e);
        }
    }

    private Read parsed(String name, Path path, FileTime changed, long size) {
        var file = SettingsFile.read(path, Interpolation.NONE);
        var schedule = schedule(name, file, changed.toInstant());
        file.finish();
        var problems = List.copyOf(file.problems());
        return new Read(changed, size, problems.isEmpty() ? schedule : null, problems);
    }

    private @Nullable ScheduleSpec schedule(String name, SettingsFile file, Instant changed) {
        var when = when(file);
        var place = place(name, file);
        var prompt = file.text("prompt").filter(text -> !text.isBlank());
        if (prompt.isEmpty() || prompt.get().length() > PROMPT_MAX) {
            file.problem("prompt", "says what is said, in at most " + PROMPT_MAX + " characters");
        }
        var owner = file.value("owner", text -> Scope.ofOwner(text).owner()).orElse(Scope.LOCAL_OWNER);
        var agent = file.value("agent", text -> Scope.LOCAL.withAgent(text).agent());
        var role = file.text("role");
        var model = file.value("model", ModelName::parse);
        var makeUp = file.value("make_up", ScheduleFiles::span).orElse(ScheduleSpec.MAKE_UP);
        var enabled = file.flag("enabled").orElse(true);
        return when == null || place == null || prompt.isEmpty()
                ? null
                : new ScheduleSpec(
                        name,
                        owner,
                        when,
                        prompt.get().strip(),
                        place,
                        agent.orElse(null),
                        role.orElse(null),
                        model.orElse(null),
                        makeUp,
                        enabled,
                        changed);
    }

    private @Nullable When when(SettingsFile file) {
        var zone = file.value("zone", ScheduleFiles::zone).orElse(standardZone);
        var cron = file.value("cron", Cron::parse);
        var at = file.value("at", text -> moment(text, zone));
        if (file.has("cron") == file.has("at")) {
            file.problem("cron", "says when: as a cron expression, or leave it out and say 'at'");
            return null;
        }
        return cron.<When>map(found -> new When.Repeated(found, zone))
                .or(() -> at.map(When.Once::new))
                .orElse(null);
    }

    private static @Nullable Place place(String name, SettingsFile file) {
        var session = file.value(SESSION, ScheduleFiles::place);
        if (file.flag(NEW_SESSION).orElse(false)) {
            if (file.has(SESSION)) {
                file.problem(NEW_SESSION, "and 'session' exclude each other; leave one out");
            }
            return new Place.Fresh();
        }
        if (file.has(SESSION)) {
            return session.orElse(null);
        }
        try {
            return place(name);
        } catch (InvalidRequest e) {
            file.problem(
                    SESSION, "must be given, because the schedule's own name cannot be its name: " + e.getMessage());
            return null;
        }
    }

    /// A session by its name or its id.
    public static Place place(String text) {
        return SessionId.parse(text)
                .<Place>map(Place.Known::new)
                .orElseGet(() -> new Place.Named(new SessionAlias(text)));
    }

    public static ZoneId zone(String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException _) {
            throw new InvalidRequest("'" + text + "' is no time zone; write one such as Europe/Berlin or UTC");
        }
    }

    /// A moment by the clocks of a zone, or with an offset of its own.
    public static Instant moment(String text, ZoneId zone) {
        var plain = text.strip().replace(' ', 'T');
        try {
            return LocalDateTime.parse(plain).atZone(zone).toInstant();
        } catch (DateTimeParseException _) {
            try {
                return OffsetDateTime.parse(plain).toInstant();
            } catch (DateTimeParseException _) {
                throw new InvalidRequest(
                        "'" + text + "' is no time; write one such as 2026-12-24T18:00 or 2026-12-24T18:00+01:00");
            }
        }
    }

    /// How long a run may be made up.
    public static Duration span(String text) {
        var shape = SPAN.matcher(text);
        if (!text.equals("0") && !shape.matches()) {
            throw new InvalidRequest("'" + text + "' is not a time like 30m, 12h or 2d, or 0 for never");
        }
        var number = text.equals("0") ? 0 : Long.parseLong(shape.group(1));
        var span = switch (text.charAt(text.length() - 1)) {
            case 'd' -> Duration.ofDays(number);
            case 'h' -> Duration.ofHours(number);
            case 'm' -> Duration.ofMinutes(number);
            default -> Duration.ofSeconds(number);
        };
        if (span.compareTo(ScheduleSpec.MAKE_UP_MAX) > 0) {
            throw new InvalidRequest("'" + text + "' is more than " + ScheduleSpec.MAKE_UP_MAX.toDays() + "d");
        }
        return span;
    }

    /// Where the schedule of this name is.
    public Path file(String name) {
        if (!ScheduleSpec.NAME.matcher(name).matches()) {
            throw new InvalidRequest("'" + name + "' is no name for a schedule; use letters, digits, '_', '-' and '.',"
                    + " at most 40 of them");
        }
        return directory.resolve(name + ENDING);
    }

    /// Writes the file of a schedule: whole, or not at all.
    public void write(String name, String text) {
        var path = file(name);
        var draft = directory.resolve("." + path.getFileName() + ".tmp");
        try {
            Files.createDirectories(directory);
            Files.writeString(draft, text);
            Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw StorageFailed.io("write " + path, e);
        }
    }
}
