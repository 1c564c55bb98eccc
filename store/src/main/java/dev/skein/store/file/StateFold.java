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
    private final Decoding decoding = new Decoding(this::addFilled);
    private @Nullable SessionState state;

    StateFold(SessionId id, Scope scope, @Nullable SessionState state) {
        this.id = id;
        this.scope = scope;
        this.state = state;
    }

    @Override
    public boolean record(Frame frame, long offset) {
        decoding.add(frame, offset);
        return true;
    }

    private void addFilled(Entry entry) {
        fill(entry.seq() - 1);
        add(entry);
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
        decoding.finish();
        fill(seq);
    }

    private void fill(long seq) {
        while ((state == null ? 0 : state.version()) < seq) {
            var next = state == null ? 1 : state.version() + 1;
            add(Entry.of(next, History.gapEvent(0, 0)));
        }
    }

    SessionState result() {
        decoding.finish();
        if (state == null) {
            throw new SessionDamaged(id, "not one record of its journal can be read");
        }
        return state;
    }
}
