package dev.skein.store.file;

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
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Nested;

/// The file store keeps every promise.
class FileSessionStoreTest {

    private static final Map<SessionStore, Path> HOMES = new ConcurrentHashMap<>();

    interface OnFiles extends StoreUnderTest {
        @Override
        default SessionStore fresh(Clock clock) {
            return open(TemporaryHome.make(), clock);
        }

        @Override
        default Optional<SessionStore> reopened(SessionStore old) {
            old.close();
            return Optional.of(open(HOMES.get(old), Clock.systemUTC()));
        }
    }

    @Nested
    class Appending extends SessionStoreContract implements OnFiles {}

    @Nested
    class Context extends ContextContract implements OnFiles {}

    @Nested
    class Forking extends ForkContract implements OnFiles {}

    @Nested
    class Listing extends ListingContract implements OnFiles {}

    @Nested
    class Locking extends LockingContract implements OnFiles {}

    @Nested
    class Naming extends NamingContract implements OnFiles {}

    @Nested
    class Owners extends OwnerContract implements OnFiles {}

    @Nested
    class Purging extends RetentionContract implements OnFiles {}

    @Nested
    class Searching extends SearchContract implements OnFiles {}

    @Nested
    class Watching extends WatchContract implements OnFiles {}

    private static SessionStore open(Path home, Clock clock) {
        var options = StoreOptions.standard().withClock(clock).withRandom(new Random(42));
        var store = FileSessionStore.open(home, options);
        HOMES.put(store, home);
        return store;
    }
}
