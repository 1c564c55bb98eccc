package dev.skein.store.jdbc;

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
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Nested;

/// The store keeps every promise on PostgreSQL.
class PostgresSessionStoreTest {

    private static final Map<SessionStore, String> URLS = new ConcurrentHashMap<>();

    interface OnPostgres extends StoreUnderTest {
        @Override
        default SessionStore fresh(Clock clock) {
            return open(TestDatabases.postgres(), clock);
        }

        @Override
        default Optional<SessionStore> reopened(SessionStore old) {
            old.close();
            return Optional.of(open(URLS.get(old), Clock.systemUTC()));
        }
    }

    @Nested
    class Appending extends SessionStoreContract implements OnPostgres {}

    @Nested
    class Context extends ContextContract implements OnPostgres {}

    @Nested
    class Forking extends ForkContract implements OnPostgres {}

    @Nested
    class Listing extends ListingContract implements OnPostgres {}

    @Nested
    class Locking extends LockingContract implements OnPostgres {}

    @Nested
    class Naming extends NamingContract implements OnPostgres {}

    @Nested
    class Owners extends OwnerContract implements OnPostgres {}

    @Nested
    class Purging extends RetentionContract implements OnPostgres {}

    @Nested
    class Searching extends SearchContract implements OnPostgres {}

    @Nested
    class Watching extends WatchContract implements OnPostgres {}

    private static SessionStore open(String url, Clock clock) {
        var options = JdbcOptions.standard().withClock(clock).withRandom(new Random(42));
        var store = JdbcSessionStore.open(url, options);
        URLS.put(store, url);
        return store;
    }
}
