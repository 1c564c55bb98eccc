package dev.skein.store.jdbc.sql;

import org.jspecify.annotations.Nullable;

/// Texts that a database cannot hold as they are: PostgreSQL knows no NUL, and drivers replace half a character by
/// `?`, so that two names would become one. They are kept with a backslash, as is the backslash.
public final class SqlText {

    private SqlText() {}

    public static String escape(String text) {
        if (text.chars().noneMatch(c -> c == '\\' || c == 0 || Character.isSurrogate((char) c))) {
            return text;
        }
        var out = new StringBuilder(text.length() + 8);
        text.codePoints().forEach(c -> {
            if (c == '\\') {
                out.append("\\\\");
            } else if (c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
                out.append(String.format("\\u%04x", c));
            } else {
                out.appendCodePoint(c);
            }
        });
        return out.toString();
    }

    public static @Nullable String escapeAny(@Nullable String text) {
        return text == null ? null : escape(text);
    }

    public static String unescape(String text) {
        if (text.indexOf('\\') < 0) {
            return text;
        }
        var out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            var c = text.charAt(i);
            if (c != '\\') {
                out.append(c);
            } else if (text.startsWith("u", i + 1)) {
                out.append((char) Integer.parseInt(text.substring(i + 2, i + 6), 16));
                i += 5;
            } else {
                out.append(text.charAt(++i));
            }
        }
        return out.toString();
    }

    public static @Nullable String unescapeAny(@Nullable String text) {
        return text == null ? null : unescape(text);
    }
}
