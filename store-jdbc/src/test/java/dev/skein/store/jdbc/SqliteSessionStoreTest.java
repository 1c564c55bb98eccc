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

/// The store keeps every promise on SQLite.
class SqliteSessionStoreTest {

    private static final Map<SessionStore, String> URLS = new ConcurrentHashMap<>();

    interface OnSqlite extends StoreUnderTest {
        @Override
        default SessionStore fresh(Clock clock) {
            return open(TestDatabases.sqlite(), clock);
        }

        @Override
        default Optional<SessionStore> reopened(SessionStore old) {
            old.close();
            return Optional.of(open(URLS.get(old), Clock.systemUTC()));
        }
    }

    @Nested
    class Appending extends SessionStoreContract implements OnSqlite {}

    @Nested
    class Context extends ContextContract implements OnSqlite {}

    @Nested
    class Forking extends ForkContract implements OnSqlite {}

    @Nested
    class Listing extends ListingContract implements OnSqlite {}

    @Nested
    class Locking extends LockingContract implements OnSqlite {}

    @Nested
    class Naming extends NamingContract implements OnSqlite {}

    @Nested
    class Owners extends OwnerContract implements OnSqlite {}

    @Nested
    class Purging extends RetentionContract implements OnSqlite {}

    @Nested
    class Searching extends SearchContract implements OnSqlite {}

    @Nested
    class Watching extends WatchContract implements OnSqlite {}

    private static SessionStore open(String url, Clock clock) {
        var options = JdbcOptions.standard().withClock(clock).withRandom(new Random(42));
        var store = JdbcSessionStore.open(url, options);
        URLS.put(store, url);
        return store;
    }
}
