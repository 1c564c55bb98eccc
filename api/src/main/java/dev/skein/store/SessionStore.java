package dev.skein.store;

import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Keeps sessions. Each promise below is a test in the testkit's `SessionStoreContract`.
///
/// 1. _Whole or nothing._ An append of several events is visible entirely or not at all, also after a crash.
/// 2. _Kept means kept._ When an append returns, its events survive the process and, with durability
///    `always`, the machine.
/// 3. _Compare and append._ Every append names the version it builds on. Another version is refused with
///    `Concurrent`, which tells the current one, and changes nothing.
/// 4. _Order kept, no gaps._ Sequence numbers are dense from 1 and readers see a prefix.
/// 5. _Read your writes._ Readers never block writers and never see half a record.
/// 6. _One turn at a time._ [SessionHandle#lock] lets one caller through, across threads and processes;
///    waiting is bounded and ends in `SessionLocked`. State changes only through the guard.
/// 7. _Owners are walls._ Nothing reached through one owner's scope can see, name or count another's sessions.
/// 8. _Idempotent._ An append may carry a key. The same key with the same events answers as the first time,
///    whatever the version is by now; with others it is refused with `KeyConflict`.
/// 9. _Bad bytes hurt only themselves._ A damaged record, name, index or file is set aside and reported; it
///    never hides the good ones and is never silently deleted.
///
/// Safe for use by many threads. Failures are `SkeinException`s.
public interface SessionStore extends AutoCloseable {

    /// Makes a session. When this returns, the session is durable.
    ///
    /// @throws dev.skein.failure.AliasInUse if its alias is taken
    /// @throws dev.skein.failure.InvalidRequest if the scope has a session with its id, be it in the trash
    SessionHandle create(NewSession session);

    /// Opens a session of this scope.
    ///
    /// @throws dev.skein.failure.SessionNotFound if there is none with this id
    SessionHandle open(Scope scope, SessionId id);

    /// Opens the session with this alias, or makes it: under any race, exactly one is made.
    ///
    /// @param template what to make; its scope and alias are the ones looked for
    /// @throws dev.skein.failure.InvalidRequest if it has no alias
    SessionHandle openOrCreate(NewSession template);

    /// The session with this alias, without loading it.
    Optional<SessionId> resolve(Scope scope, SessionAlias alias);

    /// In which of an owner's scopes a session lives.
    Optional<Scope> locate(String owner, SessionId id);

    /// Makes a session that shares another's history up to and including `seq`, in constant time.
    ///
    /// Sequence numbers continue: the child's own events begin at `seq + 1`, with its `SessionOpened`. Idempotency
    /// keys of the parent mean nothing to the child.
    ///
    /// @throws dev.skein.failure.InvalidRequest if the session has no event `seq`, or the child another owner
    SessionHandle fork(Scope scope, SessionId parent, long seq, NewSession child);

    /// Gives a session another alias, or none. Its id and its journal stay as they are.
    ///
    /// @throws dev.skein.failure.AliasInUse if another session has it
    void rename(Scope scope, SessionId id, @Nullable SessionAlias alias);

    /// Gives a session without an alias its first one. False if it has one by now, which it keeps.
    ///
    /// @throws dev.skein.failure.AliasInUse if another session has it
    boolean nameFirst(Scope scope, SessionId id, SessionAlias alias);

    /// Deletes a session for good: journal, alias and any file it was migrated from. Whoever still holds it
    /// gets `SessionNotFound` at the next write. Forks keep the history they share.
    void delete(Scope scope, SessionId id);

    /// Sessions, newest activity first, without reading their journals.
    SessionPage list(ListQuery query);

    /// The session of this scope that was used last.
    Optional<SessionId> last(Scope scope);

    /// Finds messages and hands each hit over as it is found, newest sessions first.
    void search(SearchQuery query, Consumer<SearchHit> hits);

    /// Moves sessions that are too old or too many to the trash, from where [#restore] brings them back.
    /// Busy are those with a running loop and those whose guard somebody holds. Returns those moved, oldest first.
    List<SessionSummary> purge(PurgeQuery query);

    /// Brings a purged session back, under its id, while it is still in the trash; under its alias too, unless that
    /// was given to another meanwhile. It is as it was, but for [#purge] it was used at this moment.
    ///
    /// @throws dev.skein.failure.SessionNotFound if it is not there
    void restore(Scope scope, SessionId id);

    /// Flushes what is pending and lets go of everything. Afterwards the store, its handles, guards and watches throw
    /// `IllegalStateException`, except that each can be closed, again too.
    @Override
    void close();
}
