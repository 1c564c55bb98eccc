package dev.skein.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.failure.SessionNotFound;
import dev.skein.session.Entry;
import dev.skein.store.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// The promises of [dev.skein.store.SessionStore] about live tails: what is there, then what comes, nothing twice.
public abstract class WatchContract extends StoreFixture {

    @Test
    void a_watch_gives_what_is_there_and_then_what_comes() throws Exception {
        var handle = create();
        handle.append(events.descriptions(2));
        try (var watch = handle.watch(1)) {
            assertThat(take(watch, 3)).isEqualTo(handle.read(1));
            assertThat(watch.next(Duration.ZERO)).isEmpty();

            handle.append(events.descriptions(3));

            assertThat(take(watch, 3)).isEqualTo(handle.read(4));
        }
    }

    @Test
    void a_watch_can_start_in_the_middle_or_at_the_end() throws Exception {
        var handle = create();
        handle.append(events.descriptions(4));
        try (var middle = handle.watch(3);
                var end = handle.watch(6)) {
            assertThat(take(middle, 3)).isEqualTo(handle.read(3));
            assertThat(end.next(Duration.ZERO)).isEmpty();

            handle.append(events.descriptions(1));

            assertThat(take(end, 1)).isEqualTo(handle.read(6));
        }
    }

    @Test
    void a_watch_waits_for_what_another_thread_writes() throws Exception {
        var handle = create();
        try (var watch = store.open(SCOPE, handle.id()).watch(2)) {
            var waiting = start(() -> next(watch));

            handle.append(events.descriptions(1));

            assertThat(List.of(waiting.join())).isEqualTo(handle.read(2));
        }
    }

    @Test
    void a_watch_that_nothing_comes_to_ends_its_wait() throws Exception {
        try (var watch = create().watch(2)) {
            assertThat(watch.next(IMPATIENCE)).isEmpty();
            assertThat(watch.next(IMPATIENCE)).isEmpty();
        }
    }

    @Test
    void many_watches_miss_nothing_and_see_nothing_twice() throws Exception {
        var handle = create();
        var writing = start(() -> {
            for (int i = 0; i < 100; i++) {
                handle.append(events.descriptions(5));
            }
            return true;
        });

        var seen = together(5, _ -> {
            try (var watch = handle.watch(1)) {
                return take(watch, 501).stream().map(Entry::seq).toList();
            }
        });

        assertThat(writing.join()).isTrue();
        assertThat(seen).containsOnly(LongStream.rangeClosed(1, 501).boxed().toList());
    }

    @Test
    void a_watch_of_a_fork_gives_the_shared_history_too() throws Exception {
        var parent = create();
        parent.append(events.descriptions(3));
        var fork = store.fork(SCOPE, parent.id(), 2, unnamed());
        try (var watch = fork.watch(1)) {
            parent.append(events.descriptions(1));
            fork.append(events.descriptions(1));

            assertThat(take(watch, 4)).isEqualTo(fork.read(1));
        }
    }

    @Test
    void a_watch_of_a_deleted_session_says_so() throws Exception {
        var handle = create();
        try (var watch = handle.watch(1)) {
            take(watch, 1);

            store.delete(SCOPE, handle.id());

            assertThatThrownBy(() -> watch.next(PATIENCE)).isInstanceOf(SessionNotFound.class);
        }
    }

    @Test
    void a_watch_that_waits_is_woken_when_the_session_is_deleted() throws Exception {
        var handle = create();
        try (var watch = handle.watch(2)) {
            var waiting = start(() -> next(watch));

            store.delete(SCOPE, handle.id());

            assertThatThrownBy(waiting::join).hasCauseInstanceOf(SessionNotFound.class);
        }
    }

    @Test
    void an_interrupted_watch_stops_waiting() {
        var handle = create();
        try (var watch = handle.watch(2)) {
            Thread.currentThread().interrupt();

            assertThatThrownBy(() -> watch.next(PATIENCE)).isInstanceOf(InterruptedException.class);
        }
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void a_watch_that_waits_is_ended_by_whoever_closes_it() {
        var watch = create().watch(2);
        var waiting = start(() -> next(watch));

        watch.close();

        assertThatThrownBy(waiting::join).hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void a_watch_survives_a_rename() throws Exception {
        var handle = create("before");
        try (var watch = handle.watch(2)) {
            store.rename(SCOPE, handle.id(), alias("after"));
            handle.append(events.descriptions(1));

            assertThat(take(watch, 1)).isEqualTo(handle.read(2));
        }
    }

    @Test
    void a_watch_of_a_closed_store_fails_cleanly() {
        var watch = create().watch(1);

        store.close();

        assertThatThrownBy(() -> watch.next(PATIENCE)).isInstanceOf(IllegalStateException.class);
        watch.close();
    }

    private static List<Entry> take(Watch watch, int count) throws InterruptedException {
        var taken = new ArrayList<Entry>();
        while (taken.size() < count) {
            taken.add(watch.next(PATIENCE).orElseThrow());
        }
        return taken;
    }

    private static Entry next(Watch watch) {
        try {
            return watch.next(PATIENCE).orElseThrow();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
