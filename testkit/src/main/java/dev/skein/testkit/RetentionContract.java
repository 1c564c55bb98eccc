package dev.skein.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.failure.InvalidRequest;
import dev.skein.failure.SessionNotFound;
import dev.skein.session.SessionId;
import dev.skein.store.ListQuery;
import dev.skein.store.NewSession;
import dev.skein.store.PurgeQuery;
import dev.skein.store.SearchQuery;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionSummary;
import dev.skein.wire.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// The promises of [dev.skein.store.SessionStore] about what is purged and how it comes back.
public abstract class RetentionContract extends StoreFixture {

    private static final Duration MONTH = Duration.ofDays(30);

    @Test
    void all_but_the_newest_are_purged_oldest_first() {
        for (var name : List.of("a", "b", "c", "d", "e")) {
            say(create(name), "hello");
        }

        var purged = store.purge(PurgeQuery.keeping(SCOPE, 2));

        assertThat(purged).extracting(SessionSummary::alias).containsExactly("a", "b", "c");
        assertThat(listed()).containsExactly("e", "d");
    }

    @Test
    void keeping_more_than_there_are_purges_nothing_and_keeping_none_everything() {
        create("a");
        create("b");

        assertThat(store.purge(PurgeQuery.keeping(SCOPE, 2))).isEmpty();
        assertThat(store.purge(PurgeQuery.keeping(SCOPE, 0))).hasSize(2);
        assertThat(listed()).isEmpty();
    }

    @Test
    void a_session_idle_for_exactly_thirty_days_is_kept() {
        create("old");
        clock.advance(MONTH);

        assertThat(store.purge(PurgeQuery.idleFor(SCOPE, MONTH))).isEmpty();
        assertThat(listed()).containsExactly("old");
    }

    @Test
    void a_session_idle_for_thirty_days_and_a_second_is_purged() {
        create("old");
        clock.advance(MONTH.plusSeconds(1));
        create("new");

        var purged = store.purge(PurgeQuery.idleFor(SCOPE, MONTH));

        assertThat(purged).extracting(SessionSummary::alias).containsExactly("old");
        assertThat(listed()).containsExactly("new");
    }

    @Test
    void activity_begins_the_idle_time_anew() {
        var handle = create("used");
        clock.advance(MONTH);
        say(handle, "still here");
        clock.advance(MONTH);

        assertThat(store.purge(PurgeQuery.idleFor(SCOPE, MONTH))).isEmpty();
    }

    @Test
    void either_reason_is_enough() {
        create("oldest");
        clock.advance(MONTH.plusSeconds(1));
        say(create("older"), "hello");
        say(create("newest"), "hello");

        store.purge(new PurgeQuery(SCOPE, 1, MONTH, PurgeQuery.Which.EVERY));

        assertThat(listed()).containsExactly("newest");
    }

    @Test
    void a_session_with_a_running_loop_is_left_alone() {
        var running = create("running");
        running.append(events.unfinished(null, "go"));
        clock.advance(MONTH.plusSeconds(1));

        assertThat(store.purge(new PurgeQuery(SCOPE, 0, MONTH, PurgeQuery.Which.EVERY)))
                .isEmpty();
        assertThat(listed()).containsExactly("running");
    }

    @Test
    void a_session_that_somebody_writes_to_is_left_alone() {
        var handle = create("held");
        create("free");
        try (var guard = handle.lock(PATIENCE)) {
            var purged = elsewhere(() -> store.purge(PurgeQuery.keeping(SCOPE, 0)));

            assertThat(purged).extracting(SessionSummary::alias).containsExactly("free");
            guard.append(events.descriptions(1));
        }
        assertThat(listed()).containsExactly("held");
    }

    @Test
    void only_the_scope_asked_for_is_purged() {
        create("plain");
        store.create(NewSession.in(SCOPE.withAgent("coder")).named("coding"));

        store.purge(PurgeQuery.keeping(SCOPE, 0));

        assertThat(store.list(ListQuery.ofOwner(SCOPE.owner())).sessions())
                .extracting(SessionSummary::alias)
                .containsExactly("coding");
    }

    @Test
    void sessions_of_channels_can_be_purged_alone() {
        create("mine");
        store.create(named("telegram_42").withMetadata(Map.of("channel", Json.MAPPER.valueToTree("telegram"))));
        clock.advance(MONTH.plusSeconds(1));

        var purged = store.purge(new PurgeQuery(SCOPE, null, MONTH, PurgeQuery.Which.CHANNELS_ONLY));

        assertThat(purged).extracting(SessionSummary::alias).containsExactly("telegram_42");
        assertThat(listed()).containsExactly("mine");
    }

    @Test
    void a_purged_session_is_gone_for_everyone() {
        var handle = create("gone");
        say(handle, "needle");

        purgeAll();

        assertThatThrownBy(() -> store.open(SCOPE, handle.id())).isInstanceOf(SessionNotFound.class);
        assertThatThrownBy(() -> handle.append(events.descriptions(1))).isInstanceOf(SessionNotFound.class);
        assertThat(store.resolve(SCOPE, alias("gone"))).isEmpty();
        assertThat(store.locate(SCOPE.owner(), handle.id())).isEmpty();
        assertThat(store.last(SCOPE)).isEmpty();
        var hits = new ArrayList<>();
        store.search(SearchQuery.of(SCOPE.owner(), "needle"), hits::add);
        assertThat(hits).isEmpty();
        assertThat(create("gone").id()).isNotEqualTo(handle.id());
    }

    @Test
    void a_restored_session_is_as_it_was() {
        var handle = create("back");
        say(handle, "hello");
        var entries = handle.read(1);
        var state = handle.state();
        purgeAll();

        store.restore(SCOPE, handle.id());

        var restored = store.openOrCreate(named("back"));
        assertThat(restored.id()).isEqualTo(handle.id());
        assertThat(restored.read(1)).isEqualTo(entries);
        assertThat(restored.state()).isEqualTo(state);
        say(restored, "again");
        assertThat(listed()).containsExactly("back");
    }

    @Test
    void a_session_whose_alias_was_given_away_is_restored_without_one() {
        var handle = create("contested");
        purgeAll();
        var other = create("Contested");

        store.restore(SCOPE, handle.id());

        assertThat(store.open(SCOPE, handle.id()).state().alias()).isNull();
        assertThat(store.resolve(SCOPE, alias("contested"))).contains(other.id());
    }

    @Test
    void only_what_is_in_the_trash_can_be_restored() {
        var alive = create().id();
        var deleted = create().id();
        store.delete(SCOPE, deleted);

        for (SessionId id : List.of(alive, deleted, events.ids().session())) {
            assertThatThrownBy(() -> store.restore(SCOPE, id)).isInstanceOf(SessionNotFound.class);
        }
    }

    @Test
    void a_session_can_be_restored_once() {
        var id = create().id();
        purgeAll();
        store.restore(SCOPE, id);

        assertThatThrownBy(() -> store.restore(SCOPE, id)).isInstanceOf(SessionNotFound.class);
    }

    @Test
    void what_was_restored_is_idle_from_then_on() {
        var id = create("asked for").id();
        clock.advance(MONTH.plusSeconds(1));
        store.purge(PurgeQuery.idleFor(SCOPE, MONTH));
        store.restore(SCOPE, id);

        assertThat(store.purge(PurgeQuery.idleFor(SCOPE, MONTH))).isEmpty();
        clock.advance(MONTH);
        assertThat(store.purge(PurgeQuery.idleFor(SCOPE, MONTH))).isEmpty();
        clock.advance(Duration.ofSeconds(1));
        assertThat(store.purge(PurgeQuery.idleFor(SCOPE, MONTH)))
                .extracting(SessionSummary::id)
                .containsExactly(id);
    }

    @Test
    void what_was_restored_is_among_the_newest_to_keep() {
        var first = create("a").id();
        for (var name : List.of("b", "c")) {
            clock.advance(Duration.ofSeconds(1));
            create(name);
        }
        store.purge(PurgeQuery.keeping(SCOPE, 2));
        clock.advance(Duration.ofSeconds(1));
        store.restore(SCOPE, first);

        var purged = store.purge(PurgeQuery.keeping(SCOPE, 2));

        assertThat(purged).extracting(SessionSummary::alias).containsExactly("b");
        assertThat(listed()).as("in the order of what was said").containsExactly("c", "a");
    }

    @Test
    void a_restored_session_that_is_used_is_idle_from_its_last_use_on() {
        var handle = create("used");
        purgeAll();
        store.restore(SCOPE, handle.id());
        clock.advance(MONTH);
        say(store.open(SCOPE, handle.id()), "still here");
        clock.advance(MONTH);

        assertThat(store.purge(PurgeQuery.idleFor(SCOPE, MONTH))).isEmpty();
        clock.advance(Duration.ofSeconds(1));
        assertThat(store.purge(PurgeQuery.idleFor(SCOPE, MONTH))).hasSize(1);
    }

    @Test
    void the_id_of_a_session_in_the_trash_is_in_use() {
        var id = create().id();
        purgeAll();

        assertThatThrownBy(() -> store.create(unnamed().withId(id))).isInstanceOf(InvalidRequest.class);
    }

    @Test
    void a_fork_of_a_purged_session_goes_on() {
        var parent = create();
        say(parent, "shared");
        var fork = store.fork(SCOPE, parent.id(), 7, NewSession.in(SCOPE.withAgent("coder")));

        purgeAll();

        say(fork, "mine");
        assertThat(textsOf(fork)).containsExactly("shared", "answer to shared", "mine", "answer to mine");
    }

    @Test
    void the_trash_survives_reopening() {
        var handle = create("back");
        say(handle, "hello");
        var entries = handle.read(1);
        purgeAll();

        reopen();
        assertThat(listed()).isEmpty();
        store.restore(SCOPE, handle.id());

        SessionHandle restored = store.open(SCOPE, handle.id());
        assertThat(restored.read(1)).isEqualTo(entries);
        assertThat(listed()).containsExactly("back");
    }

    private void purgeAll() {
        store.purge(PurgeQuery.keeping(SCOPE, 0));
    }

    private List<String> listed() {
        return store.list(ListQuery.of(SCOPE)).sessions().stream()
                .map(summary -> String.valueOf(summary.alias()))
                .toList();
    }
}
