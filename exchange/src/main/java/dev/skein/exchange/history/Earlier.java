package dev.skein.exchange.history;

import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.session.LoopEvent;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionSettings;
import dev.skein.store.SessionHandle;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What an earlier import made of a file that went on since: the settings it began with, and the messages after which a
/// loop ended. A file may have been imported in the middle of a loop; what that loop got since becomes one of its own.
public record Earlier(Set<MessageId> ends, @Nullable SessionSettings settings) {

    /// There was no earlier import.
    public static final Earlier NONE = new Earlier(Set.of(), null);

    public static Earlier in(SessionHandle session) {
        var newest = new HashMap<Object, MessageId>();
        var ends = new HashSet<MessageId>();
        var settings = new SessionSettings[1];
        session.read(History.SEQ_FIRST, entry -> {
            switch (entry.event()) {
                case LoopEvent.MessageEnded said ->
                    newest.put(said.loop(), said.message().id());
                case LoopEvent.LoopEnded ended -> {
                    var last = newest.remove(ended.loop());
                    if (last != null) {
                        ends.add(last);
                    }
                }
                case SessionEvent.SessionConfigured configured
                when entry.seq() == History.SEQ_FIRST -> settings[0] = configured.settings();
                default -> {}
            }
        });
        return new Earlier(Set.copyOf(ends), settings[0]);
    }

    /// Whether a loop ended with this message.
    public boolean endedWith(Message message) {
        return ends.contains(message.id());
    }
}
