package dev.skein.session;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.skein.failure.InvalidAlias;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A person's name for a session, normalised to NFC. Unique within a [Scope], whatever its case.
public record SessionAlias(@JsonValue String text) {

    /// Characters (code points) at most.
    public static final int LENGTH_MAX = 64;

    private static final char FIRST_COMBINING = 0x300;
    private static final Set<String> RESERVED = Set.of("index", "metadata", "last_session", "temp");
    private static final Pattern DEVICE = Pattern.compile("(con|prn|aux|nul|com[1-9]|lpt[1-9])(\\..*)?");

    /// Whoever lists names makes none, and need not wait for these.
    private static final class Making {
        static final Pattern NOT_PLAIN = Pattern.compile("[^\\p{L}\\p{M}\\p{N}_.-]+");
        static final Pattern DASHES = Pattern.compile("-{2,}");
        static final Pattern ENDS = Pattern.compile("^[-. ]+|[-. ]+$");
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public SessionAlias {
        text = normalized(text);
        var problem = problemWith(text);
        if (problem != null) {
            throw new InvalidAlias(text, problem);
        }
    }

    /// An alias made from free text: lower case, anything unusual turned into dashes, cut to length.
    /// Empty if nothing usable is left.
    public static Optional<SessionAlias> sanitize(String free) {
        var plain = Normalizer.normalize(free, Normalizer.Form.NFC).toLowerCase(Locale.ROOT);
        var dashed = Making.NOT_PLAIN.matcher(plain).replaceAll("-");
        var single = trim(Making.DASHES.matcher(dashed).replaceAll("-"));
        var cut = trim(
                single.codePointCount(0, single.length()) > LENGTH_MAX
                        ? single.substring(0, single.offsetByCodePoints(0, LENGTH_MAX))
                        : single);
        return problemWith(cut) == null ? Optional.of(new SessionAlias(cut)) : Optional.empty();
    }

    /// The alias of the session that belongs to one chat on one channel, for example `telegram_42`.
    public static SessionAlias ofChannel(String channel, String chat) {
        return new SessionAlias(channel + "_" + chat);
    }

    /// What two aliases have in common when they collide: the text without its case.
    public String folded() {
        return folded(text);
    }

    /// The same, of the text of an alias.
    public static String folded(String text) {
        return normalized(text.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT));
    }

    @Override
    public String toString() {
        return text;
    }

    /// Text without characters that combine is as it should be, and needs none of the tables of Unicode.
    private static String normalized(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= FIRST_COMBINING) {
                return Normalizer.normalize(text, Normalizer.Form.NFC);
            }
        }
        return text;
    }

    private static String trim(String text) {
        return Making.ENDS.matcher(text).replaceAll("");
    }

    private static @Nullable String problemWith(String text) {
        if (text.isEmpty()) {
            return "is empty; give at least one character";
        }
        if (text.codePoints().anyMatch(SessionAlias::unprintable)) {
            return "has a control or unpaired character; use printable ones";
        }
        if (text.equals(".") || text.equals("..")) {
            return "means a directory; use another";
        }
        if (text.indexOf('/') >= 0 || text.indexOf('\\') >= 0) {
            return "has a slash; use '-' or '_' instead";
        }
        if (isSpaceOrDot(text.codePointAt(0)) || isSpaceOrDot(text.codePointBefore(text.length()))) {
            return "begins or ends with a space or a dot; remove it";
        }
        if (text.codePointCount(0, text.length()) > LENGTH_MAX) {
            return "is longer than " + LENGTH_MAX + " characters; shorten it";
        }
        var folded = folded(text);
        if (RESERVED.contains(folded) || DEVICE.matcher(folded).matches()) {
            return "is reserved; use another";
        }
        if (SessionId.parse(text).isPresent()) {
            return "is a session id; use a name that is not a UUID";
        }
        return null;
    }

    private static boolean unprintable(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            case Character.FORMAT -> isBidiControl(codePoint);
            default -> false;
        };
    }

    /// Marks that reorder what a person sees: the override and isolate characters.
    private static boolean isBidiControl(int codePoint) {
        return (codePoint >= 0x202A && codePoint <= 0x202E) || (codePoint >= 0x2066 && codePoint <= 0x2069);
    }

    private static boolean isSpaceOrDot(int codePoint) {
        return codePoint == '.' || Character.isWhitespace(codePoint) || Character.isSpaceChar(codePoint);
    }
}
