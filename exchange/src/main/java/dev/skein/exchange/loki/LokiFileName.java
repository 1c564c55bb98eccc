package dev.skein.exchange.loki;

import dev.skein.failure.InvalidAlias;
import dev.skein.session.SessionAlias;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// What the name of a session file says: the session's name stands nowhere else.
///
/// `name` is the path below the sessions directory without `.yaml`, as the original's users type it, for
/// example `work/login`. `alias` is the name Skein gives it; null if no alias can be made of it. A session
/// that was never named lies under `_/` with the time it was saved and perhaps words that a model found for
/// it: its alias is the stem, it is `autoname`, and `title` are those words.
public record LokiFileName(
        String name,
        @Nullable SessionAlias alias,
        boolean autoname,
        @Nullable String title) {

    private static final String SUFFIX = ".yaml";
    private static final String UNNAMED = "_/";
    private static final Pattern STAMPED = Pattern.compile("[0-9]{8}T[0-9]{6}(?:-(?<title>.+))?");

    /// The meaning of a path below a sessions directory; empty if it is not a session file's.
    public static Optional<LokiFileName> of(Path belowSessions) {
        var path = StreamSupport.stream(belowSessions.normalize().spliterator(), false)
                .map(Path::toString)
                .collect(Collectors.joining("/"));
        var isFile = path.endsWith(SUFFIX) && path.length() > SUFFIX.length() && !path.endsWith("/" + SUFFIX);
        if (!isFile || belowSessions.isAbsolute() || path.startsWith("../")) {
            return Optional.empty();
        }
        var name = path.substring(0, path.length() - SUFFIX.length());
        var stem = name.startsWith(UNNAMED) ? name.substring(UNNAMED.length()) : name;
        var stamp = STAMPED.matcher(stem);
        var autoname = name.startsWith(UNNAMED) && stamp.matches();
        return Optional.of(new LokiFileName(name, aliasOf(stem), autoname, autoname ? stamp.group("title") : null));
    }

    /// The name itself where it can be an alias, slashes turned into dashes; else the nearest that can.
    private static @Nullable SessionAlias aliasOf(String name) {
        try {
            return new SessionAlias(name.replace('/', '-'));
        } catch (InvalidAlias _) {
            return SessionAlias.sanitize(name).orElse(null);
        }
    }
}
