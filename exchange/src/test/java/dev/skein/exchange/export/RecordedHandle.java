package dev.skein.exchange.export;

import dev.skein.session.ContextView;
import dev.skein.session.Entry;
import dev.skein.session.Scope;
import dev.skein.session.Session;
import dev.skein.session.SessionId;
import dev.skein.session.SessionState;
import dev.skein.store.SessionGuard;
import dev.skein.store.SessionHandle;
import dev.skein.store.Watch;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/// An open session that can only be read. Its state may be older than its entries, as when somebody else
/// writes meanwhile.
record RecordedHandle(SessionState state, List<Entry> entries) implements SessionHandle {

    @Override
    public SessionId id() {
        return state.id();
    }

    @Override
    public Scope scope() {
        return state.opened().scope();
    }

    @Override
    public void read(long from, Consumer<Entry> each) {
        entries.stream().filter(entry -> entry.seq() >= from).forEach(each);
    }

    @Override
    public ContextView context(int messagesMax) {
        return Session.replay(entries).context(messagesMax);
    }

    @Override
    public SessionGuard lock(Duration wait) {
        throw new UnsupportedOperationException("can only be read");
    }

    @Override
    public Watch watch(long from) {
        throw new UnsupportedOperationException("can only be read");
    }

    @Override
    public void close() {}
}
