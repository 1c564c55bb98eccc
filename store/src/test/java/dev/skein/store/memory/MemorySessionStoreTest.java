package dev.skein.store.memory;

import dev.skein.session.Ids;
import dev.skein.store.SessionStore;
import dev.skein.testkit.ContextContract;
import dev.skein.testkit.ForkContract;
import dev.skein.testkit.ListingContract;
import dev.skein.testkit.LockingContract;
import dev.skein.testkit.NamingContract;
import dev.skein.testkit.OwnerContract;
import dev.skein.testkit.RetentionContract;
import dev.skein.testkit.SearchContract;
import dev.skein.testkit.SessionStoreContract;
import dev.skein.testkit.StoreUnderTest;
import dev.skein.testkit.WatchContract;
import java.time.Clock;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Nested;

/// The memory store keeps every promise but to outlive its process.
class MemorySessionStoreTest {

    interface InMemory extends StoreUnderTest {
        @Override
        default SessionStore fresh(Clock clock) {
            return new MemorySessionStore(clock, new Ids(clock, new Random(42)));
        }

        @Override
        default Optional<SessionStore> reopened(SessionStore old) {
            return Optional.empty();
        }
    }

    @Nested
    class Appending extends SessionStoreContract implements InMemory {}

    @Nested
    class Context extends ContextContract implements InMemory {}

    @Nested
    class Forking extends ForkContract implements InMemory {}

    @Nested
    class Listing extends ListingContract implements InMemory {}

    @Nested
    class Locking extends LockingContract implements InMemory {}

    @Nested
    class Naming extends NamingContract implements InMemory {}

    @Nested
    class Owners extends OwnerContract implements InMemory {}

    @Nested
    class Purging extends RetentionContract implements InMemory {}

    @Nested
    class Searching extends SearchContract implements InMemory {}

    @Nested
    class Watching extends WatchContract implements InMemory {}
}
