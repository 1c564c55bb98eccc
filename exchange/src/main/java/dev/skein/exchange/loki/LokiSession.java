package dev.skein.exchange.loki;

import static java.util.Objects.requireNonNullElseGet;

import dev.skein.exchange.history.History;
import dev.skein.exchange.loki.YamlValue.Mapping;
import dev.skein.exchange.loki.YamlValue.Sequence;
import dev.skein.failure.UnreadableImport;
import dev.skein.session.Ids;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionSettings;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The content of one session file of Loki, Coyote or aichat, as events.
///
/// `events` configure the session and tell its whole history, oldest first, with a loop for each prompt.
/// If the original had compressed it, a compaction block shows a model what the original would: the recap
/// and the messages after it. The first event is number [History#SEQ_FIRST], because pointers between loops are
/// sequence numbers: give them to a session that was opened and has nothing else yet, as
/// [dev.skein.store.NewSession#withEvents] does.
///
/// The files have no times, so everything happened at `modifiedAt`. If a file is cut off among its messages, those
/// before are here, and `damage` says what is wrong.
public record LokiSession(
        String source,
        Instant modifiedAt,
        SessionSettings settings,
        List<SessionEvent> events,
        @Nullable String damage) {

    /// Bytes that are read at most.
    public static final int BYTES_MAX = YamlReader.BYTES_MAX;

    public LokiSession {
        events = List.copyOf(events);
    }

    /// Reads one file. `source` names it in failures; `modifiedAt` is when it was last written.
    ///
    /// @throws UnreadableImport if it is not such a file, or larger or deeper than is sane
    public static LokiSession read(byte[] yaml, String source, Instant modifiedAt, Ids ids) {
        var read = YamlReader.salvage(yaml, source);
        if (!(read.root() instanceof Mapping file)) {
            throw new UnreadableImport(source, "is not a map of settings and messages");
        }
        if (!(file.get("messages") instanceof Sequence list)) {
            throw requireNonNullElseGet(read.damage(), () -> new UnreadableImport(source, "has no list of messages"));
        }
        var current = list.items();
        var settings = LokiSettings.of(file);
        var history = new History(modifiedAt, ids, settings);
        var messages = LokiMessages.of(file, source, modifiedAt, ids);
        var compressed = compressed(file, source);
        for (int i = 0; i < compressed.size(); i++) {
            var message = compressed.get(i);
            // A system message further in is the recap of an earlier compression.
            if (i > 0 && LokiMessages.isSystem(message)) {
                history.recap(messages.messages(message));
            } else {
                history.say(messages.messages(message));
            }
        }
        var recap = !compressed.isEmpty() && !current.isEmpty() && LokiMessages.isSystem(current.getFirst());
        if (!compressed.isEmpty()) {
            history.recap(recap ? messages.messages(current.getFirst()) : List.of());
        }
        current.subList(recap ? 1 : 0, current.size()).forEach(message -> history.say(messages.messages(message)));
        return new LokiSession(source, modifiedAt, settings, history.events(), damage(read.damage()));
    }

    private static @Nullable String damage(@Nullable UnreadableImport failure) {
        return failure == null ? null : failure.getMessage();
    }

    private static List<YamlValue> compressed(Mapping file, String source) {
        return switch (file.present("compressed_messages")) {
            case null -> List.of();
            case Sequence list -> list.items();
            case YamlValue other ->
                throw UnreadableImport.atLine(source, other.line(), "has compressed messages that are no list", null);
        };
    }
}
