package dev.skein.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.failure.SessionLocked;
import dev.skein.failure.SessionNotFound;
import dev.skein.session.LoopEvent;
import dev.skein.store.Batch;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// The promises of [dev.skein.store.SessionStore] about turns: one at a time, a bounded wait, no lost update.
public abstract class LockingContract extends StoreFixture {

    @Test
    void a_hundred_writers_lose_nothing() throws Exception {
        var id = create().id();

        together(100, number -> {
            var handle = store.open(SCOPE, id);
            try (var guard = handle.lock(PATIENCE)) {
                return guard.append(events.exchange(guard.state().head(), "msg-" + number, "reply-" + number));
            }
        });

        var handle = store.open(SCOPE, id);
        assertThat(textsOf(handle)).hasSize(200).doesNotHaveDuplicates();
        assertThat(handle.state().totals().messages()).isEqualTo(200);
        assertThat(handle.load().path()).hasSize(100);
    }

    @Test
    void a_hundred_writers_never_interleave_their_turns() throws Exception {
        var handle = create();

        together(100, number -> handle.append(events.exchange(null, "msg-" + number, "reply")));

        var loops = handle.read(2).stream()
                .map(entry -> ((LoopEvent) entry.event()).loop())
                .toList();
        for (int i = 0; i < loops.size(); i += 6) {
            assertThat(loops.subList(i, i + 6)).containsOnly(loops.get(i));
        }
    }

    @Test
    void a_second_lock_waits_until_the_first_is_released() {
        var handle = create();
        var other = store.open(SCOPE, handle.id());
        var first = handle.lock(PATIENCE);
        assertThatThrownBy(() -> elsewhere(() -> other.lock(IMPATIENCE))).isInstanceOf(SessionLocked.class);

        var second = start(() -> other.lock(PATIENCE));
        assertThat(second).isNotDone();
        first.append(events.descriptions(1));
        first.close();

        try (var guard = second.join()) {
            assertThat(guard.state().version()).isEqualTo(2);
        }
    }

    @Test
    void a_lock_without_patience_ends_at_once() {
        var handle = create();
        try (var _ = handle.lock(Duration.ZERO)) {
            assertThatThrownBy(() -> elsewhere(() -> handle.lock(Duration.ZERO)))
                    .isInstanceOf(SessionLocked.class);
        }
    }

    @Test
    void a_lock_that_was_waited_for_in_vain_can_be_had_later() {
        var handle = create();
        var guard = handle.lock(PATIENCE);
        assertThatThrownBy(() -> elsewhere(() -> handle.lock(IMPATIENCE))).isInstanceOf(SessionLocked.class);
        guard.close();

        elsewhere(() -> handle.append(events.descriptions(1)));

        assertThat(handle.state().version()).isEqualTo(2);
    }

    @Test
    void an_interrupted_wait_ends_at_once_and_stays_interrupted() {
        var handle = create();
        try (var _ = handle.lock(PATIENCE)) {
            var interrupted = elsewhere(() -> {
                Thread.currentThread().interrupt();
                assertThatThrownBy(() -> handle.lock(PATIENCE)).isInstanceOf(SessionLocked.class);
                return Thread.interrupted();
            });

            assertThat(interrupted).isTrue();
        }
    }

    @Test
    void a_thread_that_would_wait_for_itself_is_told_so() {
        var handle = create();
        var other = store.open(SCOPE, handle.id());
        try (var guard = handle.lock(PATIENCE)) {
            assertThatThrownBy(() -> handle.lock(PATIENCE)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> other.append(events.descriptions(1))).isInstanceOf(IllegalStateException.class);

            guard.append(events.descriptions(1));
        }
        other.append(events.descriptions(1));

        assertThat(handle.state().version()).isEqualTo(3);
    }

    @Test
    void a_guard_may_be_closed_by_another_thread_than_took_it() {
        var handle = create();
        var guard = handle.lock(PATIENCE);

        elsewhere(() -> {
            guard.close();
            return true;
        });

        handle.append(events.descriptions(1));
        assertThat(handle.state().version()).isEqualTo(2);
    }

    @Test
    void a_closed_guard_cannot_be_used() {
        var handle = create();
        var guard = handle.lock(PATIENCE);
        guard.close();

        assertThatThrownBy(() -> guard.append(Batch.at(1, events.descriptions(1))))
                .isInstanceOf(IllegalStateException.class);
        assertThat(handle.state().version()).isEqualTo(1);
    }

    @Test
    void closing_a_guard_twice_does_not_free_somebody_elses_turn() {
        var handle = create();
        var first = handle.lock(PATIENCE);
        first.close();
        try (var _ = handle.lock(PATIENCE)) {
            first.close();

            assertThatThrownBy(() -> elsewhere(() -> handle.lock(IMPATIENCE))).isInstanceOf(SessionLocked.class);
        }
    }

    @Test
    void a_guard_sees_its_own_appends() {
        var handle = create();
        try (var guard = handle.lock(PATIENCE)) {
            guard.append(events.descriptions(2));
            guard.append(events.descriptions(3));

            assertThat(guard.state().version()).isEqualTo(6);
            assertThat(guard.state()).isEqualTo(handle.state());
        }
    }

    @Test
    void a_failed_append_does_not_end_the_turn() {
        var handle = create();
        try (var guard = handle.lock(PATIENCE)) {
            assertThatThrownBy(() -> guard.append(Batch.at(9, events.descriptions(1))))
                    .isInstanceOf(dev.skein.failure.Concurrent.class);

            assertThat(guard.append(events.descriptions(1)).first()).isEqualTo(2);
        }
    }

    @Test
    void reading_needs_no_lock() {
        var handle = create();
        say(handle, "hello");
        try (var _ = handle.lock(PATIENCE)) {
            var texts = elsewhere(() -> textsOf(store.open(SCOPE, handle.id())));

            assertThat(texts).containsExactly("hello", "answer to hello");
        }
    }

    @Test
    void sessions_do_not_wait_for_each_other() {
        var one = create();
        var two = create();
        try (var _ = one.lock(PATIENCE)) {
            two.append(events.descriptions(1));
        }

        assertThat(two.state().version()).isEqualTo(2);
    }

    @Test
    void whoever_holds_a_deleted_session_gets_not_found_at_the_next_write() {
        var handle = create();
        var other = store.open(SCOPE, handle.id());
        try (var guard = handle.lock(PATIENCE)) {
            guard.append(events.descriptions(1));

            elsewhere(() -> {
                store.delete(SCOPE, other.id());
                return true;
            });

            assertThatThrownBy(() -> guard.append(Batch.at(2, events.descriptions(1))))
                    .isInstanceOf(SessionNotFound.class);
        }
        assertThatThrownBy(() -> other.append(Batch.at(2, events.descriptions(1))))
                .isInstanceOf(SessionNotFound.class);
    }

    @Test
    void whoever_waits_for_a_session_that_is_deleted_gets_not_found() {
        var handle = create();
        var guard = handle.lock(PATIENCE);
        var waiting = start(() -> handle.append(Batch.at(1, events.descriptions(1))));

        store.delete(SCOPE, handle.id());
        guard.close();

        assertThatThrownBy(waiting::join).hasCauseInstanceOf(SessionNotFound.class);
    }
}
