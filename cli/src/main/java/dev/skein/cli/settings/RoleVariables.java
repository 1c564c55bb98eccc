package dev.skein.cli.settings;

import java.time.Clock;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What a role's text can say about where it is used: `{{__os__}}` and the like. Other names stay as they are.
final class RoleVariables {

    private static final Pattern GAP = Pattern.compile("\\{\\{\\s*(__[a-z_]+__)\\s*}}");

    private final Map<String, Supplier<String>> values;

    RoleVariables(Map<String, String> env, Clock clock) {
        values = Map.of(
                "__os__", () -> System.getProperty("os.name", "unknown").toLowerCase(Locale.ROOT),
                "__os_family__", () -> System.getProperty("file.separator", "/").equals("/") ? "unix" : "windows",
                "__arch__", () -> System.getProperty("os.arch", "unknown"),
                "__shell__", () -> env.getOrDefault("SHELL", "/bin/sh").replaceFirst(".*/", ""),
                "__locale__", () -> env.getOrDefault("LC_ALL", env.getOrDefault("LANG", "C")),
                "__cwd__", () -> System.getProperty("user.dir", "."),
                "__now__",
                        () -> ZonedDateTime.now(clock)
                                .truncatedTo(ChronoUnit.SECONDS)
                                .format(DateTimeFormatter.ISO_OFFSET_DATE_TIME));
    }

    String fill(String text) {
        return GAP.matcher(text).replaceAll(gap -> {
            var value = values.get(gap.group(1));
            return Matcher.quoteReplacement(value == null ? gap.group() : value.get());
        });
    }
}
