package dev.skein.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.failure.AliasInUse;
import dev.skein.failure.InvalidRequest;
import dev.skein.failure.SessionNotFound;
import dev.skein.session.SessionAlias;
import dev.skein.store.ListQuery;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The promises of [dev.skein.store.SessionStore] about names: finding, giving, changing and freeing them.
public abstract class NamingContract extends StoreFixture {

    @Test
    void a_session_is_found_by_its_alias() {
        var handle = create("my project");

        assertThat(store.openOrCreate(named("my project")).id()).isEqualTo(handle.id());
        assertThat(store.resolve(SCOPE, alias("my project"))).contains(handle.id());
    }

    @Test
    void an_unknown_alias_resolves_to_nothing() {
        create("other");

        assertThat(store.resolve(SCOPE, alias("unknown"))).isEmpty();
    }

    @Test
    void an_alias_in_use_is_refused_and_nothing_is_made() {
        var holder = create("taken");

        assertThatThrownBy(() -> create("taken")).isInstanceOf(AliasInUse.class);

        assertThat(store.list(ListQuery.of(SCOPE)).sessions()).hasSize(1);
        assertThat(store.resolve(SCOPE, alias("taken"))).contains(holder.id());
    }

    @Test
    void aliases_that_differ_only_in_case_or_normalisation_collide() {
        var holder = create("Caf\u00e9");

        for (var same : List.of("caf\u00e9", "CAFE\u0301", "cafe\u0301")) {
            assertThatThrownBy(() -> create(same)).isInstanceOf(AliasInUse.class);
            assertThat(store.resolve(SCOPE, alias(same))).contains(holder.id());
        }
        assertThat(holder.state().alias()).isEqualTo(alias("Caf\u00e9"));
    }

    @Test
    void the_same_alias_may_be_used_once_per_agent() {
        var coder = NewSession.in(SCOPE.withAgent("coder")).named("work");

        var ids = List.of(create("work").id(), store.create(coder).id());

        assertThat(new HashSet<>(ids)).hasSize(2);
        assertThat(store.resolve(SCOPE, alias("work"))).contains(ids.get(0));
        assertThat(store.resolve(SCOPE.withAgent("coder"), alias("work"))).contains(ids.get(1));
        assertThat(store.resolve(SCOPE.withAgent("writer"), alias("work"))).isEmpty();
    }

    @Test
    void open_or_create_makes_what_is_not_there() {
        var handle = store.openOrCreate(named("new").withEvents(events.exchange(null, "hello", "hi")));

        assertThat(handle.state().alias()).isEqualTo(alias("new"));
        assertThat(textsOf(handle)).containsExactly("hello", "hi");
    }

    @Test
    void open_or_create_leaves_what_is_there_as_it_is() {
        var handle = create("old");
        say(handle, "kept");

        var again = store.openOrCreate(named("OLD").withEvents(events.exchange(null, "hello", "hi")));

        assertThat(again.id()).isEqualTo(handle.id());
        assertThat(textsOf(again)).containsExactly("kept", "answer to kept");
    }

    @Test
    void open_or_create_needs_an_alias() {
        assertThatThrownBy(() -> store.openOrCreate(unnamed())).isInstanceOf(InvalidRequest.class);
    }

    @Test
    void a_race_to_open_or_create_makes_exactly_one_session() throws Exception {
        var ids = together(50, _ -> store.openOrCreate(named("race")).id());

        assertThat(new HashSet<>(ids)).hasSize(1);
        assertThat(store.list(ListQuery.of(SCOPE)).sessions()).hasSize(1);
    }

    @Test
    void a_race_to_create_has_one_winner() throws Exception {
        var made = together(20, _ -> createOrFail("race"));

        assertThat(made).filteredOn(success -> success).hasSize(1);
        assertThat(store.list(ListQuery.of(SCOPE)).sessions()).hasSize(1);
    }

    @Test
    void renaming_changes_the_alias_and_nothing_else() {
        var handle = create("before");
        say(handle, "hello");
        var entries = handle.read(1);
        var state = handle.state();

        store.rename(SCOPE, handle.id(), alias("after"));

        assertThat(store.resolve(SCOPE, alias("before"))).isEmpty();
        assertThat(store.resolve(SCOPE, alias("after"))).contains(handle.id());
        assertThat(handle.read(1)).isEqualTo(entries);
        assertThat(handle.state()).isEqualTo(state.named(alias("after"), state.autoname()));
    }

    @Test
    void a_state_has_the_current_alias_through_every_handle_and_guard() {
        var handle = create("before");
        var other = store.open(SCOPE, handle.id());
        store.rename(SCOPE, handle.id(), alias("after"));

        say(handle, "hello");

        assertThat(handle.state().alias()).isEqualTo(alias("after"));
        assertThat(other.state().alias()).isEqualTo(alias("after"));
        assertThat(store.list(ListQuery.of(SCOPE)).sessions().getFirst().alias())
                .isEqualTo("after");
        try (var guard = handle.lock(PATIENCE)) {
            assertThat(guard.state().alias()).isEqualTo(alias("after"));
        }
    }

    @Test
    void a_session_can_be_renamed_while_somebody_writes_to_it() {
        var handle = create("before");
        try (var guard = handle.lock(PATIENCE)) {
            elsewhere(() -> rename(handle, alias("after")));

            guard.append(events.descriptions(1));
        }

        assertThat(handle.state().alias()).isEqualTo(alias("after"));
    }

    @Test
    void an_alias_can_be_taken_away() {
        var handle = create("before");

        store.rename(SCOPE, handle.id(), null);

        assertThat(handle.state().alias()).isNull();
        assertThat(store.resolve(SCOPE, alias("before"))).isEmpty();
        assertThat(create("before").id()).isNotEqualTo(handle.id());
    }

    @Test
    void a_session_made_without_an_alias_can_get_one() {
        var handle = create();

        store.rename(SCOPE, handle.id(), alias("at last"));

        assertThat(store.resolve(SCOPE, alias("at last"))).contains(handle.id());
    }

    @Test
    void a_session_can_be_renamed_to_its_own_alias_in_another_case() {
        var handle = create("case");

        store.rename(SCOPE, handle.id(), alias("CASE"));

        assertThat(handle.state().alias()).isEqualTo(alias("CASE"));
        assertThat(store.resolve(SCOPE, alias("case"))).contains(handle.id());
    }

    @Test
    void renaming_to_an_alias_in_use_is_refused_and_changes_nothing() {
        var one = create("one");
        var two = create("two");

        assertThatThrownBy(() -> store.rename(SCOPE, two.id(), alias("ONE"))).isInstanceOf(AliasInUse.class);

        assertThat(store.resolve(SCOPE, alias("one"))).contains(one.id());
        assertThat(store.resolve(SCOPE, alias("two"))).contains(two.id());
    }

    @Test
    void an_unknown_session_cannot_be_renamed() {
        assertThatThrownBy(() -> store.rename(SCOPE, events.ids().session(), alias("name")))
                .isInstanceOf(SessionNotFound.class);
    }

    @Test
    void a_new_alias_survives_reopening() {
        var handle = create("before");
        store.rename(SCOPE, handle.id(), alias("after"));

        reopen();

        assertThat(store.resolve(SCOPE, alias("before"))).isEmpty();
        assertThat(store.resolve(SCOPE, alias("after"))).contains(handle.id());
        assertThat(store.open(SCOPE, handle.id()).state().alias()).isEqualTo(alias("after"));
    }

    @Test
    void deleting_a_session_frees_its_alias() {
        var handle = create("again");
        store.delete(SCOPE, handle.id());

        var next = create("again");

        assertThat(next.id()).isNotEqualTo(handle.id());
        assertThat(next.state().version()).isEqualTo(1);
    }

    @Test
    void a_session_is_located_in_its_scope() {
        var plain = create().id();
        var coder = store.create(NewSession.in(SCOPE.withAgent("coder"))).id();

        assertThat(store.locate(SCOPE.owner(), plain)).contains(SCOPE);
        assertThat(store.locate(SCOPE.owner(), coder)).contains(SCOPE.withAgent("coder"));
        assertThat(store.locate(SCOPE.owner(), events.ids().session())).isEmpty();
    }

    @Test
    void a_first_name_is_given_to_sessions_without_one() {
        var handle = store.create(NewSession.in(SCOPE));

        assertThat(store.nameFirst(SCOPE, handle.id(), alias("first"))).isTrue();
        assertThat(store.nameFirst(SCOPE, handle.id(), alias("second"))).isFalse();

        assertThat(handle.state().alias()).isEqualTo(alias("first"));
        assertThat(store.resolve(SCOPE, alias("second"))).isEmpty();
        var other = store.create(NewSession.in(SCOPE)).id();
        assertThatThrownBy(() -> store.nameFirst(SCOPE, other, alias("first"))).isInstanceOf(AliasInUse.class);
        assertThatThrownBy(() -> store.nameFirst(SCOPE, events.ids().session(), alias("third")))
                .isInstanceOf(SessionNotFound.class);
    }

    @Test
    void a_race_for_the_first_name_has_one_winner_and_never_beats_a_renaming() throws Exception {
        for (int round = 0; round < 5; round++) {
            var id = store.create(NewSession.in(SCOPE)).id();
            var chosen = alias("chosen-" + round);
            var prefix = "made-" + round + "-";

            var won = together(8, i -> {
                if (i == 0) {
                    store.rename(SCOPE, id, chosen);
                    return false;
                }
                return store.nameFirst(SCOPE, id, alias(prefix + i));
            });

            assertThat(won).filteredOn(success -> success).hasSizeLessThanOrEqualTo(1);
            assertThat(store.resolve(SCOPE, chosen)).contains(id);
            assertThat(store.open(SCOPE, id).state().alias()).isEqualTo(chosen);
        }
    }

    private boolean createOrFail(String alias) {
        try {
            create(alias);
            return true;
        } catch (AliasInUse _) {
            return false;
        }
    }

    private boolean rename(SessionHandle handle, SessionAlias alias) {
        store.rename(SCOPE, handle.id(), alias);
        return true;
    }
}
