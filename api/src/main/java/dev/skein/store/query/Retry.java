package dev.skein.store.query;

import dev.skein.failure.KeyConflict;
import dev.skein.session.Entry;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionId;
import dev.skein.store.Appended;
import dev.skein.store.Batch;
import dev.skein.wire.EventCodec;
import java.util.List;

/// Settles an append whose key is known already.
public final class Retry {

    private Retry() {}

    /// What the first append with the batch's key answered, said to be repeated.
    ///
    /// @param stored the entries of that append, all of them and no others
    /// @throws KeyConflict if they hold other events than the batch
    public static Appended settle(SessionId session, Batch batch, List<Entry> stored) {
        var key = batch.key();
        if (key == null || stored.isEmpty() || !key.equals(stored.getFirst().key())) {
            throw new IllegalArgumentException("not the entries of an append with the key '" + key + "'");
        }
        if (!same(batch.events(), stored)) {
            throw new KeyConflict(session, key);
        }
        return new Appended(stored.getFirst().seq(), stored.getLast().seq(), true);
    }

    private static boolean same(List<SessionEvent> events, List<Entry> stored) {
        if (events.size() != stored.size()) {
            return false;
        }
        for (int i = 0; i < events.size(); i++) {
            if (!same(events.get(i), stored.get(i).event())) {
                return false;
            }
        }
        return true;
    }

    /// Equal, or equal once written and read: JSON does not tell an int from a long.
    private static boolean same(SessionEvent event, SessionEvent stored) {
        return event.equals(stored) || readBack(event).equals(readBack(stored));
    }

    private static SessionEvent readBack(SessionEvent event) {
        var bytes = EventCodec.encode(event, null);
        return EventCodec.decode(bytes, 0, bytes.length).event();
    }
}
