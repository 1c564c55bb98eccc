package dev.skein.store.query;

import dev.skein.failure.InvalidRequest;
import dev.skein.store.SessionSummary;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;

/// A place in a listing: everything up to and including it has been shown.
///
/// As text it is opaque, so that nobody builds one by hand.
public record Cursor(Instant at, String name) implements Comparable<Cursor> {

    /// Sorts behind every id.
    private static final String LEGACY = "~";

    public static Cursor of(SessionSummary summary) {
        return new Cursor(summary.lastActivityAt(), nameOf(summary));
    }

    /// What orders sessions of the same time.
    static String nameOf(SessionSummary summary) {
        return summary.id() != null ? summary.id().toString() : LEGACY + summary.agent() + "/" + summary.legacy();
    }

    /// The place that a text stands for.
    ///
    /// @throws InvalidRequest if it is not the text of one
    public static Cursor parse(String text) {
        try {
            var plain = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
            var space = plain.indexOf(' ');
            if (space > 0) {
                return new Cursor(Instant.parse(plain.substring(0, space)), plain.substring(space + 1));
            }
        } catch (IllegalArgumentException | DateTimeException _) {
            // Told below, as for any other text that is not a cursor.
        }
        throw new InvalidRequest("this is not a cursor of a listing; take it from the page before, or leave it out");
    }

    public String text() {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString((at + " " + name).getBytes(StandardCharsets.UTF_8));
    }

    /// The newest first; among equals, by name.
    @Override
    public int compareTo(Cursor other) {
        var byTime = other.at.compareTo(at);
        return byTime != 0 ? byTime : name.compareTo(other.name);
    }
}
