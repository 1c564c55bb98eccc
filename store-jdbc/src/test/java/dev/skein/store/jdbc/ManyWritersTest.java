package dev.skein.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.failure.Concurrent;
import dev.skein.session.Scope;
import dev.skein.session.SessionEvent.SessionDescribed;
import dev.skein.session.SessionId;
import dev.skein.store.Appended;
import dev.skein.store.Batch;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.testkit.Events;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Many threads of two programs append to many sessions at once, with and without keys and leases; some at versions
/// that are past.
class ManyWritersTest {

    enum Kind {
        SQLITE,
        POSTGRES
    }

    private static final Scope SCOPE = Scope.LOCAL;
    private static final int SESSIONS = 12;
    private static final int THREADS = 32;
    private static final int APPENDS = Integer.getInteger("skein.appends", 12);
    private static final long SEED = Long.getLong("skein.seed", 20_261_116);

    /// What somebody was told is there.
    private record Acknowledged(SessionId session, Appended appended, List<String> texts) {}

    @ParameterizedTest
    @EnumSource
    void what_was_acknowledged_is_there_once_in_its_place_and_nothing_else(Kind kind) throws Exception {
        var url = kind == Kind.SQLITE ? TestDatabases.sqlite() : TestDatabases.postgres();
        try (var one = JdbcSessionStore.open(url, JdbcOptions.standard());
                var two = JdbcSessionStore.open(url, JdbcOptions.standard())) {
            var ids = new ArrayList<SessionId>();
            for (int i = 0; i < SESSIONS; i++) {
                ids.add(one.create(NewSession.in(SCOPE)).id());
            }
            var acknowledged = new ArrayList<Acknowledged>();
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                var running = new ArrayList<Future<List<Acknowledged>>>();
                for (int thread = 0; thread < THREADS; thread++) {
                    var number = thread;
                    running.add(threads.submit(() -> written(number % 2 == 0 ? one : two, ids, number)));
                }
                for (var each : running) {
                    acknowledged.addAll(each.get());
                }
            }
            assertThat(acknowledged).as("seed %d", SEED).hasSizeGreaterThan(THREADS * APPENDS / 2);
            for (var id : ids) {
                assertThat(told(acknowledged, id)).as("seed %d, %s", SEED, id).isEqualTo(kept(two.open(SCOPE, id)));
            }
        }
    }

    private static List<Acknowledged> written(JdbcSessionStore store, List<SessionId> ids, int thread) {
        var random = new Random(SEED + thread);
        var events = new Events(Clock.systemUTC(), SEED + thread);
        var acknowledged = new ArrayList<Acknowledged>();
        for (int i = 0; i < APPENDS; i++) {
            var id = ids.get(random.nextInt(ids.size()));
            var texts = new ArrayList<String>();
            for (int nth = random.nextInt(3); nth >= 0; nth--) {
                texts.add(thread + "." + i + "." + nth);
            }
            var described = texts.stream().map(events::described).toList();
            try {
                var appended = switch (random.nextInt(4)) {
                    case 0 -> store.open(SCOPE, id).append(Batch.at(1 + random.nextInt(9), described));
                    case 1 -> guarded(store.open(SCOPE, id), described, thread + "." + i);
                    default -> store.open(SCOPE, id).append(described);
                };
                acknowledged.add(new Acknowledged(id, appended, texts));
            } catch (Concurrent e) {
                assertThat(e.current()).as("seed %d", SEED).isPositive();
            }
        }
        return acknowledged;
    }

    private static Appended guarded(
            SessionHandle session, List<? extends dev.skein.session.SessionEvent> events, String key) {
        try (var guard = session.lock(SessionHandle.WAIT_DEFAULT)) {
            var batch = Batch.at(guard.state().version(), events).withKey(key);
            var appended = guard.append(batch);
            assertThat(guard.append(batch).repeated()).as("seed %d", SEED).isTrue();
            return appended;
        }
    }

    private static Map<Long, String> told(List<Acknowledged> acknowledged, SessionId id) {
        var told = new TreeMap<Long, String>();
        for (var each : acknowledged) {
            if (each.session().equals(id)) {
                assertThat(each.appended().last() - each.appended().first() + 1)
                        .isEqualTo(each.texts().size());
                for (int i = 0; i < each.texts().size(); i++) {
                    assertThat(told.put(
                                    each.appended().first() + i, each.texts().get(i)))
                            .as("seed %d, told twice", SEED)
                            .isNull();
                }
            }
        }
        return told;
    }

    private static Map<Long, String> kept(SessionHandle session) {
        var kept = new TreeMap<Long, String>();
        var next = 2L;
        for (var entry : session.read(2)) {
            assertThat(entry.seq()).as("seed %d", SEED).isEqualTo(next++);
            kept.put(entry.seq(), ((SessionDescribed) entry.event()).description());
        }
        assertThat(session.state().version()).as("seed %d", SEED).isEqualTo(next - 1);
        return kept;
    }
}
