package dev.skein.testkit;

import dev.skein.store.SessionStore;
import java.time.Clock;
import java.util.Optional;

/// Which store a contract is held against. Write one sub-interface with these two as default methods, and one
/// empty class for each contract that implements it.
public interface StoreUnderTest {

    /// A store nobody has written to, which takes the time from this clock.
    SessionStore fresh(Clock clock);

    /// The same bytes under a new instance, or empty if this store forgets by design. The old instance is still
    /// open; it is not used any more, except that it is closed once more at the end.
    Optional<SessionStore> reopened(SessionStore old);
}
