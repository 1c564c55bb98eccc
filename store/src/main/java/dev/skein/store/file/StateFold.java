package dev.skein.store.file;

import dev.skein.failure.SessionDamaged;
import dev.skein.session.Entry;
import dev.skein.session.Scope;
import dev.skein.session.SessionEvent.SessionOpened;
import dev.skein.session.SessionId;
import dev.skein.session.SessionState;
import org.jspecify.annotations.Nullable;

/// Folds records into a state, filling gaps. For use by one thread.
final class StateFold implements Journal.Visitor {
    private final SessionId id;
    private final Scope scope;
    private @Nullable SessionState state;

    StateFold(SessionId id, Scope scope, @Nullable SessionState state) {
        this.id = id;
        this.scope = scope;
        this.state = state;
    }

    @Override
    public boolean record(Frame frame, long offset) {
        fillTo(frame.seq() - 1);
        add(History.decode(frame, offset));
        return true;
    }

    void add(Entry entry) {
        if (state == null) {
            state = SessionState.opening(
                    entry.event() instanceof SessionOpened
                            ? entry
                            : Entry.of(entry.seq(), History.lostOpening(id, scope)));
        } else {
            state = state.after(entry);
        }
    }

    void fillTo(long seq) {
        while ((state == null ? 0 : state.version()) < seq) {
            var next = state == null ? 1 : state.version() + 1;
            add(Entry.of(next, History.gapEvent(0, 0)));
        }
    }

    SessionState result() {
        if (state == null) {
            throw new SessionDamaged(id, "not one record of its journal can be read");
        }
        return state;
    }
}
