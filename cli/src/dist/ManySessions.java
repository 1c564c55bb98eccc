import dev.skein.session.Exchange;
import dev.skein.session.Ids;
import dev.skein.session.Scope;
import dev.skein.store.NewSession;
import dev.skein.store.file.FileSessionStore;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;

/// Fills a home with sessions, for `bin/bench-startup`: `java ManySessions.java HOME HOW_MANY`.
final class ManySessions {

    private ManySessions() {}

    public static void main(String[] args) {
        var clock = Clock.systemUTC();
        var ids = new Ids(clock, new SecureRandom());
        try (var store = FileSessionStore.open(Path.of(args[0]))) {
            for (int i = 1; i <= Integer.parseInt(args[1]); i++) {
                try (var session = store.create(NewSession.in(Scope.LOCAL).named("session " + i))) {
                    session.append(Exchange.of(ids, clock.instant(), null, "Question " + i, "Answer " + i));
                }
            }
        }
    }
}
