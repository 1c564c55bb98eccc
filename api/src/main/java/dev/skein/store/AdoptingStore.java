package dev.skein.store;

import dev.skein.session.Entry;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A store whose sessions can be taken over by another, as they were: with their ids, times, keys and sequence
/// numbers.
public interface AdoptingStore extends SessionStore {

    /// All scopes that have sessions, whoever owns them.
    List<Scope> scopes();

    /// Makes a session as another store had it, from its first event on, which says what it is and where it
    /// belongs. What came later is appended to it as usual, each event as [Entry#whole] gives it.
    ///
    /// @param entries begin with its `SessionOpened`; together they become one append
    /// @throws dev.skein.failure.AliasInUse if its alias is taken
    /// @throws dev.skein.failure.InvalidRequest if the owner has a session with its id, or none that it was forked
    ///     from
    SessionHandle adopt(@Nullable SessionAlias alias, List<Entry> entries);
}
