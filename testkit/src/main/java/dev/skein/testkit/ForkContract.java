package dev.skein.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.failure.AliasInUse;
import dev.skein.failure.InvalidRequest;
import dev.skein.failure.SessionNotFound;
import dev.skein.session.Entry;
import dev.skein.session.ForkRef;
import dev.skein.session.SessionEvent.SessionOpened;
import dev.skein.store.Appended;
import dev.skein.store.Batch;
import dev.skein.store.ListQuery;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// The promises of [dev.skein.store.SessionStore] about forks: shared history, a future of their own.
public abstract class ForkContract extends StoreFixture {

    @Test
    void a_fork_shares_the_history_up_to_its_event() {
        var parent = parentOf("one", "two");

        var fork = fork(parent, 7);

        assertThat(fork.read(1).subList(0, 7)).isEqualTo(parent.read(1).subList(0, 7));
        assertThat(textsOf(fork)).containsExactly("one", "answer to one");
        assertThat(fork.id()).isNotEqualTo(parent.id());
    }

    @Test
    void a_forks_own_first_event_opens_it_and_names_its_parent() {
        var parent = parentOf("one", "two");
        var wanted = named("child").autonamed();

        var fork = store.fork(SCOPE, parent.id(), 7, wanted);

        var opened = wanted.opened(clock.instant(), fork.id(), new ForkRef(parent.id(), 7));
        assertThat(fork.read(8)).containsExactly(Entry.of(8, opened));
        assertThat(fork.state().opened()).isEqualTo(opened);
        assertThat(fork.state().alias()).isEqualTo(alias("child"));
        assertThat(fork.load().state()).isEqualTo(fork.state());
    }

    @Test
    void a_forks_sequence_numbers_continue() {
        var fork = fork(parentOf("one"), 7);

        assertThat(fork.append(events.descriptions(2))).isEqualTo(new Appended(9, 10, false));
        assertThat(fork.read(1).stream().map(Entry::seq))
                .isEqualTo(LongStream.rangeClosed(1, 10).boxed().toList());
    }

    @Test
    void a_fork_of_a_fork_may_leave_it_before_its_own_events() {
        var parent = parentOf("one", "two");
        var fork = fork(parent, 13);

        var early = fork(fork, 7);

        say(early, "three");
        assertThat(early.read(1).stream().map(Entry::seq))
                .isEqualTo(LongStream.rangeClosed(1, early.state().version())
                        .boxed()
                        .toList());
        assertThat(textsOf(early)).containsExactly("one", "answer to one", "three", "answer to three");
    }

    @Test
    void a_fork_begins_with_the_events_it_is_given() {
        var parent = parentOf("one");
        var more = events.exchange(parent.state().head(), "other", "way");

        var fork = store.fork(SCOPE, parent.id(), 7, unnamed().withEvents(more));

        assertThat(fork.state().version()).isEqualTo(14);
        assertThat(textsOf(fork)).containsExactly("one", "answer to one", "other", "way");
    }

    @Test
    void parent_and_fork_go_on_independently() {
        var parent = parentOf("one");
        var fork = fork(parent, 7);

        say(parent, "parent only");
        say(fork, "fork only");

        assertThat(textsOf(parent)).containsExactly("one", "answer to one", "parent only", "answer to parent only");
        assertThat(textsOf(fork)).containsExactly("one", "answer to one", "fork only", "answer to fork only");
        assertThat(parent.state().id()).isEqualTo(parent.id());
    }

    @Test
    void a_fork_from_the_past_has_the_state_of_that_time() {
        var parent = parentOf("one");
        var then = parent.state();
        say(parent, "two");
        parent.append(List.of(events.described("later"), events.cleared()));

        var fork = fork(parent, 7);

        assertThat(fork.state().head()).isEqualTo(then.head());
        assertThat(fork.state().description()).isNull();
        assertThat(fork.state().totals()).isEqualTo(then.totals());
        assertThat(fork.state()).isEqualTo(fork.load().state());
    }

    @Test
    void a_session_can_be_forked_at_its_first_and_at_its_last_event() {
        var parent = parentOf("one");

        assertThat(textsOf(fork(parent, 1))).isEmpty();
        assertThat(textsOf(fork(parent, 7))).containsExactly("one", "answer to one");
    }

    @Test
    void a_session_can_be_forked_while_somebody_writes_to_it() {
        var parent = parentOf("one");
        try (var guard = parent.lock(PATIENCE)) {
            var fork = elsewhere(() -> fork(parent, 7));

            guard.append(events.descriptions(1));

            assertThat(fork.state().version()).isEqualTo(8);
        }
    }

    @Test
    void forks_can_be_forked() {
        var parent = parentOf("one");
        var child = fork(parent, 7);
        say(child, "two");
        var grandchild = fork(child, child.state().version());
        say(grandchild, "three");
        say(parent, "elsewhere");

        assertThat(textsOf(grandchild))
                .containsExactly("one", "answer to one", "two", "answer to two", "three", "answer to three");
        assertThat(grandchild.read(5)).isEqualTo(grandchild.read(1).subList(4, 21));
        assertThat(grandchild.load().state()).isEqualTo(grandchild.state());
    }

    @Test
    void a_fork_can_be_forked_within_its_parents_part() {
        var parent = parentOf("one", "two");
        var child = fork(parent, 13);
        say(child, "three");

        var grandchild = fork(child, 7);

        assertThat(textsOf(grandchild)).containsExactly("one", "answer to one");
        assertThat(openingOf(grandchild).fork()).isEqualTo(new ForkRef(child.id(), 7));
    }

    @Test
    void a_long_chain_of_forks_reads_like_one_session() {
        var forks = new ArrayList<>(List.of(parentOf("start")));
        for (int i = 0; i < 50; i++) {
            var newest = forks.getLast();
            forks.add(fork(newest, newest.state().version()));
            say(forks.getLast(), "step " + i);
        }

        assertThat(textsOf(forks.getLast())).hasSize(102).contains("start", "step 0", "step 49");
        assertThat(forks.getLast().context(3)).isEqualTo(forks.getLast().load().context(3));
    }

    @Test
    void deleting_the_parent_keeps_what_the_fork_needs() {
        var parent = parentOf("one");
        var fork = fork(parent, 7);
        var grandchild = fork(fork, 8);

        store.delete(SCOPE, parent.id());
        store.delete(SCOPE, fork.id());

        say(grandchild, "on my own");
        assertThat(textsOf(store.open(SCOPE, grandchild.id())))
                .containsExactly("one", "answer to one", "on my own", "answer to on my own");
        assertThatThrownBy(() -> store.open(SCOPE, parent.id())).isInstanceOf(SessionNotFound.class);
        assertThatThrownBy(() -> fork(parent, 7)).isInstanceOf(SessionNotFound.class);
        assertThat(store.list(ListQuery.of(SCOPE)).sessions()).hasSize(1);
    }

    @Test
    void when_parent_and_forks_are_deleted_nothing_is_left() {
        var parent = create("family");
        say(parent, "secret");
        var fork = fork(parent, 7);

        store.delete(SCOPE, parent.id());
        store.delete(SCOPE, fork.id());

        assertThat(store.list(ListQuery.of(SCOPE)).sessions()).isEmpty();
        assertThat(store.locate(SCOPE.owner(), parent.id())).isEmpty();
        assertThat(create("family").state().version()).isEqualTo(1);
    }

    @Test
    void deleting_a_fork_leaves_its_parent_alone() {
        var parent = parentOf("one");
        var fork = fork(parent, 7);

        store.delete(SCOPE, fork.id());

        say(parent, "two");
        assertThat(textsOf(parent)).containsExactly("one", "answer to one", "two", "answer to two");
    }

    @Test
    void an_event_that_is_not_there_cannot_be_forked_from() {
        var parent = parentOf("one");

        for (long seq : List.of(-1L, 0L, 8L, Long.MAX_VALUE)) {
            assertThatThrownBy(() -> fork(parent, seq)).isInstanceOf(InvalidRequest.class);
        }
        assertThat(store.list(ListQuery.of(SCOPE)).sessions()).hasSize(1);
    }

    @Test
    void an_unknown_session_cannot_be_forked() {
        assertThatThrownBy(() -> store.fork(SCOPE, events.ids().session(), 1, unnamed()))
                .isInstanceOf(SessionNotFound.class);
    }

    @Test
    void a_fork_cannot_take_an_alias_in_use() {
        var parent = create("taken");

        assertThatThrownBy(() -> store.fork(SCOPE, parent.id(), 1, named("Taken")))
                .isInstanceOf(AliasInUse.class);
    }

    @Test
    void a_fork_may_belong_to_another_agent() {
        var parent = parentOf("one");
        var scope = SCOPE.withAgent("coder");

        var fork = store.fork(SCOPE, parent.id(), 7, NewSession.in(scope));

        assertThat(textsOf(store.open(scope, fork.id()))).containsExactly("one", "answer to one");
        assertThat(fork.state().scope()).isEqualTo(scope);
    }

    @Test
    void a_parents_keys_mean_nothing_to_its_fork() {
        var parent = create();
        var batch = Batch.at(1, events.descriptions(2)).withKey("key-1");
        parent.append(batch);
        var fork = fork(parent, 3);

        assertThat(fork.append(new Batch(4, batch.events(), "key-1"))).isEqualTo(new Appended(5, 6, false));
        assertThat(fork.append(new Batch(4, batch.events(), "key-1"))).isEqualTo(new Appended(5, 6, true));
        assertThat(parent.append(batch)).isEqualTo(new Appended(2, 3, true));
    }

    @Test
    void forks_survive_reopening_also_of_a_deleted_parent() {
        var parent = parentOf("one");
        var fork = fork(parent, 7);
        say(fork, "two");
        var before = fork.read(1);
        var state = fork.state();
        store.delete(SCOPE, parent.id());

        reopen();

        var after = store.open(SCOPE, fork.id());
        assertThat(after.read(1)).isEqualTo(before);
        assertThat(after.state()).isEqualTo(state);
        assertThat(textsOf(after)).containsExactly("one", "answer to one", "two", "answer to two");
        assertThatThrownBy(() -> store.open(SCOPE, parent.id())).isInstanceOf(SessionNotFound.class);
    }

    private SessionHandle parentOf(String... prompts) {
        var handle = create();
        for (var prompt : prompts) {
            say(handle, prompt);
        }
        return handle;
    }

    private SessionHandle fork(SessionHandle parent, long seq) {
        return store.fork(SCOPE, parent.id(), seq, unnamed());
    }

    private static SessionOpened openingOf(SessionHandle handle) {
        return handle.state().opened();
    }
}
