package dev.skein.provider.http;

/// A key that never shows itself: not in a text, not in a log, not as JSON.
public final class Secret {

    private static final String HIDDEN = "•••";

    /// Servers that need no key are often given a word such as `none`. Cutting that out would spoil messages.
    private static final int LENGTH_MIN = 6;

    private final String value;

    public Secret(String value) {
        this.value = value;
    }

    /// The key itself, for the header it belongs in.
    public String reveal() {
        return value;
    }

    /// The text without this key, as some providers repeat a key they do not accept.
    public String removedFrom(String text) {
        return value.length() < LENGTH_MIN || value.isBlank() ? text : text.replace(value, HIDDEN);
    }

    @Override
    public String toString() {
        return HIDDEN;
    }
}
