package dev.skein.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.failure.Concurrent;
import dev.skein.failure.KeyConflict;
import dev.skein.session.Entry;
import dev.skein.store.Appended;
import dev.skein.store.Batch;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The promise of [dev.skein.store.SessionStore] that a retry with its key is harmless. Part of [SessionStoreContract].
abstract class IdempotencyContract extends StoreFixture {

    @Test
    void the_same_key_with_the_same_events_answers_as_the_first_time() {
        var handle = create();
        var batch = Batch.at(1, events.exchange(null, "once", "only")).withKey("key-1");
        var first = handle.append(batch);

        var again = handle.append(batch);

        assertThat(first).isEqualTo(new Appended(2, 7, false));
        assertThat(again).isEqualTo(new Appended(2, 7, true));
        assertThat(handle.read(1)).hasSize(7);
    }

    @Test
    void a_retry_is_recognised_after_other_appends_and_whatever_version_it_names() {
        var handle = create();
        var batch = Batch.at(1, events.descriptions(2)).withKey("key-1");
        handle.append(batch);
        handle.append(Batch.at(3, events.descriptions(4)).withKey("key-2"));
        say(handle, "more");

        assertThat(handle.append(batch)).isEqualTo(new Appended(2, 3, true));
        assertThat(handle.append(new Batch(99, batch.events(), "key-1"))).isEqualTo(new Appended(2, 3, true));
        assertThat(handle.state().version()).isEqualTo(13);
    }

    @Test
    void the_same_key_with_other_events_is_a_conflict_and_changes_nothing() {
        var handle = create();
        var two = events.descriptions(2);
        handle.append(Batch.at(1, two).withKey("key-1"));
        handle.append(Batch.at(3, List.of(events.described("next"))));
        var before = handle.read(1);

        for (var others : List.of(
                List.of(events.described("other")),
                two.subList(0, 1),
                List.of(two.get(0), two.get(1), events.described("next")),
                two.reversed())) {
            assertThatThrownBy(() -> handle.append(Batch.at(4, others).withKey("key-1")))
                    .isInstanceOf(KeyConflict.class);
        }

        assertThat(handle.read(1)).isEqualTo(before);
    }

    @Test
    void a_refused_append_leaves_its_key_free() {
        var handle = create();
        assertThatThrownBy(
                        () -> handle.append(Batch.at(9, events.descriptions(1)).withKey("key-1")))
                .isInstanceOf(Concurrent.class);

        assertThat(handle.append(Batch.at(1, events.descriptions(2)).withKey("key-1")))
                .isEqualTo(new Appended(2, 3, false));
    }

    @Test
    void a_key_stands_where_its_append_begins() {
        var handle = create();
        handle.append(Batch.at(1, events.descriptions(3)).withKey("key-1"));

        assertThat(handle.read(2).stream().map(Entry::key)).containsExactly("key-1", null, null);
        assertThat(handle.state().seqOfKey("key-1")).contains(2L);
    }

    @Test
    void a_key_means_nothing_to_another_session() {
        var one = create();
        var two = create();
        one.append(Batch.at(1, events.descriptions(1)).withKey("key-1"));

        assertThat(two.append(Batch.at(1, events.descriptions(2)).withKey("key-1")))
                .isEqualTo(new Appended(2, 3, false));
    }

    @Test
    void of_many_equal_retries_at_once_one_is_kept() throws Exception {
        var handle = create();
        var batch = Batch.at(1, events.descriptions(3)).withKey("key-1");

        var answers = together(20, _ -> handle.append(batch));

        assertThat(answers).filteredOn(answer -> !answer.repeated()).hasSize(1);
        assertThat(answers).allSatisfy(answer -> assertThat(answer.first()).isEqualTo(2));
        assertThat(handle.state().version()).isEqualTo(4);
    }

    @Test
    void a_retry_is_recognised_after_reopening() {
        var id = create().id();
        var batch = Batch.at(1, events.toolUse(null, "look", "seen")).withKey("key-1");
        store.open(SCOPE, id).append(batch);

        reopen();

        var handle = store.open(SCOPE, id);
        assertThat(handle.append(batch)).isEqualTo(new Appended(2, 8, true));
        assertThatThrownBy(
                        () -> handle.append(Batch.at(8, events.descriptions(7)).withKey("key-1")))
                .isInstanceOf(KeyConflict.class);
    }
}
