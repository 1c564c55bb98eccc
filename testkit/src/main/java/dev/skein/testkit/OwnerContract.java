package dev.skein.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.failure.InvalidRequest;
import dev.skein.failure.SessionNotFound;
import dev.skein.session.Scope;
import dev.skein.store.ListQuery;
import dev.skein.store.NewSession;
import dev.skein.store.PurgeQuery;
import dev.skein.store.SearchQuery;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionSummary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// The promise of [dev.skein.store.SessionStore] that owners are walls, for every operation.
public abstract class OwnerContract extends StoreFixture {

    private static final Scope ALICE = Scope.ofOwner("alice");
    private static final Scope BOB = Scope.ofOwner("bob");

    @Test
    void nobody_opens_another_owners_session() {
        var hers = hers();

        refused(() -> store.open(BOB, hers.id()));
    }

    @Test
    void nobody_opens_a_session_under_another_agent() {
        var hers = hers();

        refused(() -> store.open(ALICE.withAgent("coder"), hers.id()));
    }

    @Test
    void nobody_resolves_or_locates_another_owners_session() {
        var hers = hers();

        assertThat(store.resolve(BOB, alias("diary"))).isEmpty();
        assertThat(store.locate("bob", hers.id())).isEmpty();
    }

    @Test
    void two_owners_may_use_the_same_alias() {
        var hers = hers();

        var his = store.openOrCreate(NewSession.in(BOB).named("diary"));

        assertThat(his.id()).isNotEqualTo(hers.id());
        assertThat(store.resolve(ALICE, alias("diary"))).contains(hers.id());
        assertThat(store.resolve(BOB, alias("diary"))).contains(his.id());
    }

    @Test
    void two_owners_may_have_the_same_id() {
        var hers = hers();

        var his = store.create(NewSession.in(BOB).withId(hers.id()));
        say(his, "not hers");
        store.delete(BOB, his.id());

        assertThat(textsOf(hers)).containsExactly("dear diary", "answer to dear diary");
    }

    @Test
    void nobody_lists_or_counts_another_owners_sessions() {
        hers();
        store.create(NewSession.in(BOB).named("bobs"));

        for (var query : List.of(
                ListQuery.of(BOB),
                ListQuery.ofOwner("bob"),
                ListQuery.ofOwner("bob").withText("d"))) {
            assertThat(store.list(query).sessions())
                    .extracting(SessionSummary::owner)
                    .doesNotContain("alice");
        }
        assertThat(store.list(ListQuery.ofOwner("bob").withLimit(1)).nextCursor())
                .isNull();
    }

    @Test
    void another_owners_cursor_shows_nothing_of_hers() {
        hers();
        clock.advance(Duration.ofSeconds(1));
        hers("second");
        var cursor = store.list(ListQuery.of(ALICE).withLimit(1)).nextCursor();

        assertThat(store.list(ListQuery.of(BOB).after(cursor)).sessions()).isEmpty();
    }

    @Test
    void nobody_learns_another_owners_last_session() {
        hers();

        assertThat(store.last(BOB)).isEmpty();
    }

    @Test
    void nobody_finds_another_owners_messages() {
        hers();
        var hits = new ArrayList<>();

        store.search(SearchQuery.of("bob", "dear"), hits::add);

        assertThat(hits).isEmpty();
    }

    @Test
    void nobody_renames_another_owners_session() {
        var hers = hers();

        refused(() -> store.rename(BOB, hers.id(), alias("stolen")));

        assertThat(store.resolve(ALICE, alias("diary"))).contains(hers.id());
    }

    @Test
    void nobody_deletes_another_owners_session() {
        var hers = hers();

        refused(() -> store.delete(BOB, hers.id()));

        assertThat(textsOf(hers)).contains("dear diary");
    }

    @Test
    void nobody_forks_another_owners_session() {
        var hers = hers();

        refused(() -> store.fork(BOB, hers.id(), 7, NewSession.in(BOB)));
    }

    @Test
    void nobody_makes_a_fork_for_another_owner() {
        var hers = hers();

        assertThatThrownBy(() -> store.fork(ALICE, hers.id(), 7, NewSession.in(BOB)))
                .isInstanceOf(InvalidRequest.class);
        assertThat(store.list(ListQuery.of(BOB)).sessions()).isEmpty();
    }

    @Test
    void nobody_purges_another_owners_sessions() {
        hers();

        assertThat(store.purge(PurgeQuery.keeping(BOB, 0))).isEmpty();
        assertThat(store.list(ListQuery.of(ALICE)).sessions()).hasSize(1);
    }

    @Test
    void nobody_restores_another_owners_session() {
        var hers = hers();
        store.purge(PurgeQuery.keeping(ALICE, 0));

        refused(() -> store.restore(BOB, hers.id()));

        store.restore(ALICE, hers.id());
        assertThat(textsOf(store.open(ALICE, hers.id()))).contains("dear diary");
    }

    @Test
    void another_owners_session_is_refused_in_the_same_words_as_an_unknown_one() {
        var hers = hers();
        var unknown = events.ids().session();

        assertThatThrownBy(() -> store.open(BOB, hers.id()))
                .hasMessage(messageFor(unknown.toString())
                        .replace(unknown.toString(), hers.id().toString()));
    }

    @Test
    void odd_owner_and_agent_names_are_just_names() {
        for (var name : List.of("..", "../alice", "a/b", "alice ", "ALICE", "auth0|42", "ünï ✓", "CON", "%2e")) {
            var scope = new Scope(name, name);
            var handle = store.create(NewSession.in(scope).named("mine"));

            assertThat(store.open(scope, handle.id()).scope()).isEqualTo(scope);
            assertThat(store.list(ListQuery.ofOwner(name)).sessions())
                    .extracting(SessionSummary::id)
                    .containsExactly(handle.id());
        }
        assertThat(store.list(ListQuery.ofOwner("alice")).sessions()).isEmpty();
    }

    private String messageFor(String unknown) {
        try {
            store.open(BOB, dev.skein.session.SessionId.of(unknown));
            throw new AssertionError("opened an unknown session");
        } catch (SessionNotFound e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static void refused(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(SessionNotFound.class);
    }

    private SessionHandle hers() {
        return hers("diary");
    }

    private SessionHandle hers(String alias) {
        var handle = store.create(NewSession.in(ALICE).named(alias));
        say(handle, "dear diary");
        return handle;
    }
}
