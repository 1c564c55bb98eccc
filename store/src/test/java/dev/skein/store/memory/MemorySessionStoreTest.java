package dev.skein.store.memory;

import dev.skein.session.Ids;
import dev.skein.store.SessionStore;
import dev.skein.testkit.ContextContract;
import dev.skein.testkit.ForkContract;
import dev.skein.testkit.IdempotencyContract;
import dev.skein.testkit.ListingContract;
import dev.skein.testkit.LockingContract;
import dev.skein.testkit.NamingContract;
import dev.skein.testkit.OwnerContract;
import dev.skein.testkit.RetentionContract;
import dev.skein.testkit.SearchContract;
import dev.skein.testkit.SessionStoreContract;
import dev.skein.testkit.WatchContract;
import java.time.Clock;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Nested;

/// The memory store keeps every promise but to outlive its process.
class MemorySessionStoreTest {

    @Nested
    class Appending extends SessionStoreContract {
        @Override
        protected SessionStore fresh(Clock clock) {
            return store(clock);
        }

        @Override
        protected Optional<SessionStore> reopened(SessionStore old) {
            return Optional.empty();
        }
    }

    @Nested
    class Context extends ContextContract {
        @Override
        protected SessionStore fresh(Clock clock) {
            return store(clock);
        }

        @Override
        protected Optional<SessionStore> reopened(SessionStore old) {
            return Optional.empty();
        }
    }

    @Nested
    class Forking extends ForkContract {
        @Override
        protected SessionStore fresh(Clock clock) {
            return store(clock);
        }

        @Override
        protected Optional<SessionStore> reopened(SessionStore old) {
            return Optional.empty();
        }
    }

    @Nested
    class Retrying extends IdempotencyContract {
        @Override
        protected SessionStore fresh(Clock clock) {
            return store(clock);
        }

        @Override
        protected Optional<SessionStore> reopened(SessionStore old) {
            return Optional.empty();
        }
    }

    @Nested
    class Listing extends ListingContract {
        @Override
        protected SessionStore fresh(Clock clock) {
            return store(clock);
        }

        @Override
        protected Optional<SessionStore> reopened(SessionStore old) {
            return Optional.empty();
        }
    }

    @Nested
    class Locking extends LockingContract {
        @Override
        protected SessionStore fresh(Clock clock) {
            return store(clock);
        }

        @Override
        protected Optional<SessionStore> reopened(SessionStore old) {
            return Optional.empty();
        }
    }

    @Nested
    class Naming extends NamingContract {
        @Override
        protected SessionStore fresh(Clock clock) {
            return store(clock);
        }

        @Override
        protected Optional<SessionStore> reopened(SessionStore old) {
            return Optional.empty();
        }
    }

    @Nested
    class Owners extends OwnerContract {
        @Override
        protected SessionStore fresh(Clock clock) {
            return store(clock);
        }

        @Override
        protected Optional<SessionStore> reopened(SessionStore old) {
            return Optional.empty();
        }
    }

    @Nested
    class Retention extends RetentionContract {
        @Override
        protected SessionStore fresh(Clock clock) {
            return store(clock);
        }

        @Override
        protected Optional<SessionStore> reopened(SessionStore old) {
            return Optional.empty();
        }
    }

    @Nested
    class Searching extends SearchContract {
        @Override
        protected SessionStore fresh(Clock clock) {
            return store(clock);
        }

        @Override
        protected Optional<SessionStore> reopened(SessionStore old) {
            return Optional.empty();
        }
    }

    @Nested
    class Watching extends WatchContract {
        @Override
        protected SessionStore fresh(Clock clock) {
            return store(clock);
        }

        @Override
        protected Optional<SessionStore> reopened(SessionStore old) {
            return Optional.empty();
        }
    }

    private static SessionStore store(Clock clock) {
        return new MemorySessionStore(clock, new Ids(clock, new Random(42)));
    }
}
