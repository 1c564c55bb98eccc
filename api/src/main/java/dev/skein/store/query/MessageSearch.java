package dev.skein.store.query;

import static java.util.Objects.requireNonNull;

import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.session.Entry;
import dev.skein.session.LoopEvent;
import dev.skein.session.SessionId;
import dev.skein.store.SearchHit;
import dev.skein.store.SessionSummary;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Looks for a text in messages and tool results, literally and whatever its case.
public final class MessageSearch {

    /// Characters in a snippet at most, give or take one to keep a code point whole.
    public static final int SNIPPET_LENGTH = 80;

    private final String text;
    private final char lower;
    private final char upper;

    public MessageSearch(String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("an empty text is everywhere");
        }
        this.text = text;
        this.lower = Character.toLowerCase(text.charAt(0));
        this.upper = Character.toUpperCase(text.charAt(0));
    }

    /// The session whose entries are looked at, as a hit names it.
    public record Place(
            SessionId session,
            @Nullable String alias,
            @Nullable String agent) {

        public static Place of(SessionSummary summary) {
            return new Place(requireNonNull(summary.id()), summary.alias(), summary.agent());
        }
    }

    /// A hit for the first match in this entry, if it says the text.
    public Optional<SearchHit> find(Place place, Entry entry) {
        if (entry.event() instanceof LoopEvent.MessageEnded ended) {
            return find(place, entry.seq(), ended, ended.message());
        }
        if (entry.event() instanceof LoopEvent.ToolFinished finished) {
            return find(place, entry.seq(), finished, message(finished));
        }
        return Optional.empty();
    }

    /// The words of this entry that are looked at, for those who make an index of them.
    public static Optional<String> textOf(Entry entry) {
        return switch (entry.event()) {
            case LoopEvent.MessageEnded ended -> Optional.of(ended.message().text());
            case LoopEvent.ToolFinished finished ->
                Optional.of(message(finished).text());
            default -> Optional.empty();
        };
    }

    private Optional<SearchHit> find(Place place, long seq, LoopEvent event, Message message) {
        var words = message.text();
        var at = indexIn(words);
        if (at < 0) {
            return Optional.empty();
        }
        var room = Math.max(0, SNIPPET_LENGTH - text.length()) / 2;
        var first = boundary(words, Math.max(0, at - room));
        var last = boundary(words, Math.min(words.length(), at + Math.min(text.length(), SNIPPET_LENGTH) + room));
        return Optional.of(new SearchHit(
                place.session(),
                place.alias(),
                place.agent(),
                event.loop(),
                seq,
                message.role(),
                event.at(),
                printable(words.substring(first, last)),
                at - first,
                Math.min(at + text.length(), last) - first));
    }

    private int indexIn(String words) {
        for (int i = 0; i <= words.length() - text.length(); i++) {
            var c = words.charAt(i);
            if ((c == lower || c == upper || Character.toLowerCase(Character.toUpperCase(c)) == lower)
                    && words.regionMatches(true, i, text, 0, text.length())) {
                return i;
            }
        }
        return -1;
    }

    /// The start of the code point at `index`.
    private static int boundary(String words, int index) {
        var inside = index > 0
                && index < words.length()
                && Character.isLowSurrogate(words.charAt(index))
                && Character.isHighSurrogate(words.charAt(index - 1));
        return inside ? index - 1 : index;
    }

    /// The same length, on one line.
    private static String printable(String words) {
        var chars = words.toCharArray();
        for (int i = 0; i < chars.length; i++) {
            if (Character.isISOControl(chars[i]) || chars[i] == '\u2028' || chars[i] == '\u2029') {
                chars[i] = ' ';
            }
        }
        return new String(chars);
    }

    private static Message message(LoopEvent.ToolFinished finished) {
        var result = finished.result();
        return Message.of(new MessageId("result-of-" + result.call()), Role.TOOL, finished.at(), new Part[] {result});
    }
}
