package dev.skein.cli.session;

import java.time.Duration;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// A time as a person types it: `30d`, `12h`, `90m`, `45s`, `2w`.
final class IdleTime implements ITypeConverter<Duration> {

    private static final Pattern SHAPE = Pattern.compile("([0-9]{1,6})([smhdw])");

    @Override
    public Duration convert(String text) {
        var matcher = SHAPE.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + text + "' is not a time like 30d, 12h or 90m");
        }
        var number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            case "h" -> Duration.ofHours(number);
            case "d" -> Duration.ofDays(number);
            default -> Duration.ofDays(7 * number);
        };
    }
}
