package dev.skein.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.session.Scope;
import dev.skein.session.SessionId;
import dev.skein.store.ListQuery;
import dev.skein.store.NewSession;
import dev.skein.store.jdbc.JdbcOptions.Terms;
import dev.skein.testkit.MutableClock;
import dev.skein.wire.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// A store on a database lets go of sessions by itself when their term is over.
@ParameterizedClass
@EnumSource(SharedDatabaseTest.Kind.class)
class RetentionTest {

    private static final Duration TERM = Duration.ofDays(30);
    private static final Duration OFTEN = Duration.ofMillis(20);
    private static final Scope ANN = Scope.ofOwner("ann");
    private static final Scope ZOE = Scope.ofOwner("zoe");
    private static final Scope CODER = Scope.LOCAL.withAgent("coder");

    @Parameter
    SharedDatabaseTest.Kind kind;

    private final MutableClock clock = new MutableClock(Instant.parse("2026-02-03T04:05:06Z"));

    @Test
    void chats_that_rest_for_thirty_days_go_to_the_trash_and_for_good_after_its_grace() throws Exception {
        try (var store = open(new Terms(TERM, null, OFTEN))) {
            for (var scope : List.of(Scope.LOCAL, CODER, ANN)) {
                store.create(chat(scope, "telegram_1"));
                store.create(NewSession.in(scope).named("mine"));
            }
            clock.advance(Duration.ofDays(20));
            var busy = store.create(chat(Scope.LOCAL, "telegram_2"));
            clock.advance(Duration.ofDays(11));

            await(() -> names(store, CODER).equals(List.of("mine"))
                    && names(store, ANN).equals(List.of("mine")));
            await(() -> names(store, Scope.LOCAL).equals(List.of("telegram_2", "mine")));
            assertThat(store.locate("local", busy.id())).isPresent();
        }
    }

    @Test
    void what_went_by_itself_can_be_restored_until_the_trash_is_emptied() throws Exception {
        var url = kind == SharedDatabaseTest.Kind.SQLITE ? TestDatabases.sqlite() : TestDatabases.postgres();
        SessionId id;
        try (var store = open(url, new Terms(TERM, null, OFTEN))) {
            id = store.create(chat(Scope.LOCAL, "telegram_1")).id();
            clock.advance(TERM.plusSeconds(1));
            await(() -> names(store, Scope.LOCAL).isEmpty());
        }
        try (var store = open(url, new Terms(null, null, OFTEN))) {
            store.restore(Scope.LOCAL, id);
            assertThat(names(store, Scope.LOCAL)).containsExactly("telegram_1");
        }
        clock.advance(TERM.plusSeconds(1));
        try (var store = open(url, new Terms(TERM, null, OFTEN))) {
            await(() -> names(store, Scope.LOCAL).isEmpty());
            clock.advance(Duration.ofDays(8));
            await(() -> isFree(store, id));
        }
    }

    @Test
    void what_was_restored_does_not_go_by_itself_again_before_its_term() throws Exception {
        try (var store = open(new Terms(TERM, null, OFTEN))) {
            var id = store.create(chat(Scope.LOCAL, "telegram_1")).id();
            clock.advance(TERM.plusSeconds(1));
            await(() -> names(store, Scope.LOCAL).isEmpty());
            store.create(chat(ZOE, "telegram_2"));
            clock.advance(Duration.ofDays(1));
            store.restore(Scope.LOCAL, id);
            clock.advance(TERM.minusDays(1).plusSeconds(1));

            await(() -> names(store, ZOE).isEmpty());
            assertThat(names(store, Scope.LOCAL)).containsExactly("telegram_1");
        }
    }

    @Test
    void a_term_for_all_is_kept_over_many_pages_and_by_two_programs_at_once() throws Exception {
        var url = kind == SharedDatabaseTest.Kind.SQLITE ? TestDatabases.sqlite() : TestDatabases.postgres();
        try (var one = open(url, new Terms(null, TERM, OFTEN));
                var two = open(url, new Terms(null, TERM, OFTEN))) {
            for (int i = 0; i < 450; i++) {
                one.create(NewSession.in(i % 2 == 0 ? Scope.LOCAL : CODER));
            }
            clock.advance(TERM.plusSeconds(1));
            one.create(NewSession.in(Scope.LOCAL).named("new"));

            await(() -> names(two, Scope.LOCAL).equals(List.of("new"))
                    && names(two, CODER).isEmpty());
        }
    }

    private JdbcSessionStore open(Terms terms) {
        return open(kind == SharedDatabaseTest.Kind.SQLITE ? TestDatabases.sqlite() : TestDatabases.postgres(), terms);
    }

    private JdbcSessionStore open(String url, Terms terms) {
        return JdbcSessionStore.open(
                url, JdbcOptions.standard().withClock(clock).withTerms(terms));
    }

    private static NewSession chat(Scope scope, String name) {
        return NewSession.in(scope).named(name).withMetadata(Map.of("channel", Json.MAPPER.valueToTree("telegram")));
    }

    private static List<String> names(JdbcSessionStore store, Scope scope) {
        return store.list(ListQuery.of(scope)).sessions().stream()
                .map(summary -> String.valueOf(summary.alias()))
                .toList();
    }

    /// An id can be used again when nothing is left of the session that had it.
    private static boolean isFree(JdbcSessionStore store, SessionId id) {
        try {
            store.create(NewSession.in(Scope.LOCAL).withId(id));
            return true;
        } catch (dev.skein.failure.InvalidRequest _) {
            return false;
        }
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        var deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(50);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            assertThat(new CountDownLatch(1).await(5, TimeUnit.MILLISECONDS)).isFalse();
        }
    }
}
