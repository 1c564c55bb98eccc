package dev.skein.server.stream;

import dev.skein.live.LiveEvent;
import dev.skein.server.http.HttpFailure;
import java.util.Comparator;
import java.util.regex.Pattern;

/// Where a reader is in a session's events: the id of the last one it knows, for example `12` or `12.3`.
record Place(long seq, int sub) implements Comparable<Place> {

    /// Before everything.
    static final Place START = new Place(0, 0);

    private static final Pattern TEXT = Pattern.compile("([0-9]{1,18})(?:\\.([0-9]{1,9}))?");

    static Place of(LiveEvent event) {
        return new Place(event.seq(), event.sub());
    }

    /// @throws HttpFailure if it is none
    static Place parse(String text) {
        var parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw HttpFailure.invalid("Last-Event-ID must be the id of an event, for example 12 or 12.3");
        }
        var sub = parts.group(2);
        return new Place(Long.parseLong(parts.group(1)), sub == null ? 0 : Integer.parseInt(sub));
    }

    boolean isBefore(LiveEvent event) {
        return compareTo(of(event)) < 0;
    }

    @Override
    public int compareTo(Place other) {
        return Comparator.comparingLong(Place::seq).thenComparingInt(Place::sub).compare(this, other);
    }

    @Override
    public String toString() {
        return sub == 0 ? Long.toString(seq) : seq + "." + sub;
    }
}
