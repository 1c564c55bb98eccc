package dev.skein.server.stream;

import dev.skein.live.LiveEvent;
import dev.skein.live.LiveEvent.AssistantDelta;
import dev.skein.live.LiveEvent.ThinkingDelta;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// What was told since the newest durable event and is not in the journal: above all, the words of a message that is
/// still being spoken.
///
/// Words of one kind that follow each other are kept as one text, with where each fragment ended, so that a reader who
/// knows some of them can be given exactly the rest. Used under the lock of its channel.
final class Partial {

    private final List<Piece> pieces = new ArrayList<>();
    private long seq;

    long seq() {
        return seq;
    }

    /// The number behind the durable event of what was told last; 0 if nothing was.
    int lastSub() {
        return pieces.isEmpty() ? 0 : pieces.getLast().last.sub();
    }

    /// A newer durable event: what was said before it is in the journal now, or of no interest.
    void startAfter(long newSeq) {
        if (newSeq != seq) {
            seq = newSeq;
            pieces.clear();
        }
    }

    void add(LiveEvent event) {
        var last = pieces.isEmpty() ? null : pieces.getLast();
        if (last == null || !last.takes(event)) {
            pieces.add(new Piece(event));
        } else {
            last.add(event);
        }
    }

    /// Everything behind the durable event that a reader does not know who knows what came up to `sub`.
    List<LiveEvent> after(int sub) {
        return pieces.stream()
                .filter(piece -> piece.last.sub() > sub)
                .map(piece -> piece.after(sub))
                .toList();
    }

    /// Everything behind the durable event, as it was told.
    List<LiveEvent> fragments() {
        return pieces.stream().flatMap(piece -> piece.fragments().stream()).toList();
    }

    /// Fragments that follow each other, or one event of another kind.
    private static final class Piece {
        private final StringBuilder text = new StringBuilder();
        private final int firstSub;
        private LiveEvent last;
        private int[] ends = new int[1];
        private int count;

        Piece(LiveEvent event) {
            firstSub = event.sub();
            last = event;
            note(event);
        }

        /// Whether it goes on from here: same words of the same loop, the very next fragment.
        boolean takes(LiveEvent event) {
            return words(event) != null
                    && event.body().getClass() == last.body().getClass()
                    && Objects.equals(event.loop(), last.loop())
                    && event.sub() == last.sub() + 1;
        }

        void add(LiveEvent event) {
            last = event;
            note(event);
        }

        private void note(LiveEvent event) {
            var words = words(event);
            if (words != null) {
                text.append(words);
                if (count == ends.length) {
                    ends = Arrays.copyOf(ends, count * 2);
                }
                ends[count++] = text.length();
            }
        }

        LiveEvent after(int sub) {
            return count == 0 ? last : saying(last.sub(), end(sub), text.length());
        }

        List<LiveEvent> fragments() {
            return count == 0
                    ? List.of(last)
                    : IntStream.rangeClosed(firstSub, last.sub())
                            .mapToObj(sub -> saying(sub, end(sub - 1), end(sub)))
                            .toList();
        }

        /// Where the words end that were told up to this fragment.
        private int end(int sub) {
            return sub < firstSub ? 0 : ends[sub - firstSub];
        }

        private LiveEvent saying(int sub, int from, int to) {
            var words = text.substring(from, to);
            var body = last.body() instanceof ThinkingDelta ? new ThinkingDelta(words) : new AssistantDelta(words);
            return new LiveEvent(last.request(), last.session(), last.loop(), last.seq(), sub, body);
        }

        private static @Nullable String words(LiveEvent event) {
            return switch (event.body()) {
                case AssistantDelta(var words) -> words;
                case ThinkingDelta(var words) -> words;
                default -> null;
            };
        }
    }
}
