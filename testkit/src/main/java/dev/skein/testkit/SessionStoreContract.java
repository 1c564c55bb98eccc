package dev.skein.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.skein.failure.Concurrent;
import dev.skein.failure.InvalidRequest;
import dev.skein.failure.SessionNotFound;
import dev.skein.message.Role;
import dev.skein.session.Entry;
import dev.skein.session.Formation;
import dev.skein.session.Lifetime;
import dev.skein.session.LoopId;
import dev.skein.session.Origin;
import dev.skein.session.SessionEvent.SessionOpened;
import dev.skein.session.SpawnRef;
import dev.skein.store.Appended;
import dev.skein.store.Batch;
import dev.skein.store.ListQuery;
import dev.skein.store.NewSession;
import dev.skein.wire.FormatVersion;
import dev.skein.wire.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// The promises of [dev.skein.store.SessionStore] about making sessions, appending, retrying and reading.
public abstract class SessionStoreContract extends IdempotencyContract {

    @Test
    void a_created_session_can_be_opened_again() {
        var id = create().id();

        var opened = store.open(SCOPE, id);

        assertThat(opened.id()).isEqualTo(id);
        assertThat(opened.scope()).isEqualTo(SCOPE);
        assertThat(opened.state().version()).isEqualTo(1);
    }

    @Test
    void the_first_event_says_all_about_how_a_session_was_made() {
        var other = events.ids().session();
        var wanted = NewSession.in(SCOPE.withAgent("coder"))
                .named("Ünïcode ✓")
                .autonamed()
                .from(new Origin("aichat", "old.yaml", Instant.EPOCH))
                .spawnedBy(new SpawnRef(other, new LoopId("loop"), "call", "spawn"))
                .formedBy(new Formation.InactivityTimeout(60, other))
                .lasting(Lifetime.EPHEMERAL)
                .withMetadata(Map.of("channel", Json.MAPPER.valueToTree("telegram")));

        var handle = store.create(wanted);

        var first = handle.read(1).getFirst();
        assertThat(first).isEqualTo(Entry.of(1, wanted.opened(clock.instant(), handle.id(), null)));
        assertThat(((SessionOpened) first.event()).format())
                .isEqualTo(FormatVersion.current().number());
        assertThat(handle.state().autoname()).isTrue();
    }

    @Test
    void events_given_at_creation_are_there_from_the_first_moment() {
        var history = events.exchange(null, "hello", "hi");

        var handle = store.create(unnamed().withEvents(history));

        assertThat(eventsOf(handle).subList(1, 7)).isEqualTo(history);
        assertThat(handle.state().version()).isEqualTo(7);
    }

    @Test
    void an_imported_history_may_be_longer_than_a_batch() {
        var handle = store.create(unnamed().withEvents(events.descriptions(Batch.EVENTS_MAX + 5)));

        assertThat(handle.state().version()).isEqualTo(Batch.EVENTS_MAX + 6);
        assertThat(handle.read(1)).hasSize(Batch.EVENTS_MAX + 6);
    }

    @Test
    void a_session_keeps_the_id_it_was_given() {
        var id = events.ids().session();

        assertThat(store.create(unnamed().withId(id)).id()).isEqualTo(id);
        assertThat(store.open(SCOPE, id).state().id()).isEqualTo(id);
    }

    @Test
    void an_id_in_use_is_refused() {
        var handle = create();
        say(handle, "keep me");

        assertThatThrownBy(() -> store.create(unnamed().withId(handle.id()))).isInstanceOf(InvalidRequest.class);

        assertThat(textsOf(store.open(SCOPE, handle.id()))).contains("keep me");
    }

    @Test
    void an_unknown_id_is_not_found() {
        assertThatThrownBy(() -> store.open(SCOPE, events.ids().session())).isInstanceOf(SessionNotFound.class);
    }

    @Test
    void an_append_answers_with_its_sequence_numbers() {
        var handle = create();

        var first = handle.append(events.exchange(null, "one", "1"));
        var second = handle.append(List.of(events.described("two")));

        assertThat(first).isEqualTo(new Appended(2, 7, false));
        assertThat(second).isEqualTo(new Appended(8, 8, false));
    }

    @Test
    void sequence_numbers_are_dense_also_across_a_large_batch() {
        var handle = create();
        handle.append(List.of(events.described("before")));
        handle.append(events.descriptions(Batch.EVENTS_MAX));
        handle.append(List.of(events.described("after")));

        var numbers = handle.read(1).stream().map(Entry::seq).toList();

        assertThat(numbers)
                .isEqualTo(
                        LongStream.rangeClosed(1, 3 + Batch.EVENTS_MAX).boxed().toList());
    }

    @Test
    void an_append_is_read_at_once_through_every_handle() {
        var writer = create();
        var reader = store.open(SCOPE, writer.id());

        say(writer, "hello");

        assertThat(reader.state()).isEqualTo(writer.state());
        assertThat(eventsOf(reader)).isEqualTo(eventsOf(writer)).hasSize(7);
        assertThat(textsOf(reader)).containsExactly("hello", "answer to hello");
    }

    @Test
    void reading_can_start_anywhere() {
        var handle = create();
        handle.append(events.descriptions(5));

        assertThat(handle.read(4)).isEqualTo(handle.read(1).subList(3, 6));
        assertThat(handle.read(7)).isEmpty();
        assertThat(handle.read(1_000_000)).isEmpty();
    }

    @Test
    void a_stale_version_is_refused_with_the_current_one_and_changes_nothing() {
        var handle = create();
        handle.append(List.of(events.described("first")));
        var before = handle.read(1);

        for (long stale : List.of(0L, 1L, 3L, 99L)) {
            var refused = catchThrowableOfType(
                    Concurrent.class, () -> handle.append(Batch.at(stale, List.of(events.described("late")))));
            assertThat(refused.current()).isEqualTo(2);
        }

        assertThat(handle.read(1)).isEqualTo(before);
        assertThat(handle.state().version()).isEqualTo(2);
        assertThat(handle.state().description()).isEqualTo("first");
    }

    @Test
    void after_a_refusal_the_session_goes_on() {
        var handle = create();
        assertThatThrownBy(() -> handle.append(Batch.at(9, List.of(events.described("late")))))
                .isInstanceOf(Concurrent.class);

        assertThat(handle.append(Batch.at(1, List.of(events.described("in time")))))
                .isEqualTo(new Appended(2, 2, false));
    }

    @Test
    void readers_see_whole_batches_only() {
        var handle = create();

        var sizes = seenDuring(
                () -> {
                    for (int i = 0; i < 200; i++) {
                        handle.append(events.descriptions(7));
                    }
                },
                () -> handle.read(1).size());

        assertThat(sizes).allSatisfy(size -> assertThat((size - 1) % 7).isZero());
        assertThat(sizes).isSorted();
    }

    @Test
    void a_state_is_that_of_a_whole_batch() {
        var handle = create();

        var versions = seenDuring(
                () -> {
                    for (int i = 0; i < 200; i++) {
                        handle.append(events.descriptions(5));
                    }
                },
                () -> (int) handle.state().version());

        assertThat(versions).allSatisfy(version -> assertThat((version - 1) % 5).isZero());
        assertThat(versions).isSorted();
    }

    @Test
    void a_slow_reader_does_not_block_a_writer() {
        var handle = create();
        handle.append(events.descriptions(3));
        var wrote = new AtomicBoolean();

        handle.read(1, _ -> {
            if (!wrote.getAndSet(true)) {
                elsewhere(() -> handle.append(events.descriptions(1)));
            }
        });

        assertThat(handle.state().version()).isEqualTo(5);
    }

    @Test
    void unknown_events_are_kept_as_they_were() {
        var handle = create();
        var unknown = events.unknown("session_teleported");

        handle.append(List.of(unknown, events.described("after")));

        assertThat(eventsOf(handle).get(1)).isEqualTo(unknown);
        assertThat(handle.load().state().description()).isEqualTo("after");
    }

    @Test
    void any_text_comes_back_as_it_was() {
        var texts =
                List.of("", " \t\r\n", "\u0000\u001f\u2028\u2029", "\"\\{}[]", "naïve 日本語 🧵", "x".repeat(1_000_000));
        var loop = events.ids().loop();
        var handle = create();

        var said = texts.stream()
                .map(text -> events.said(loop, 0, Role.USER, text))
                .toList();
        handle.append(said);

        assertThat(eventsOf(handle).subList(1, 1 + texts.size())).isEqualTo(said);
    }

    @Test
    void only_the_store_opens_a_session() {
        var opening = List.of(unnamed().opened(clock.instant(), events.ids().session(), null));

        assertThatThrownBy(() -> Batch.at(1, opening)).isInstanceOf(InvalidRequest.class);
        assertThatThrownBy(() -> unnamed().withEvents(opening)).isInstanceOf(InvalidRequest.class);
    }

    @Test
    void everything_survives_reopening() {
        var handle = create("durable");
        handle.append(events.toolUse(null, "look", "seen"));
        handle.append(List.of(events.unknown("mystery"), events.described("all of it")));
        var before = handle.read(1);
        var state = handle.state();

        reopen();

        var after = store.openOrCreate(named("durable"));
        assertThat(after.id()).isEqualTo(handle.id());
        assertThat(after.read(1)).isEqualTo(before);
        assertThat(after.state()).isEqualTo(state);
    }

    @Test
    void a_reopened_session_goes_on_where_it_was() {
        var id = create().id();
        say(store.open(SCOPE, id), "before");

        reopen();
        say(store.open(SCOPE, id), "after");

        assertThat(textsOf(store.open(SCOPE, id)))
                .containsExactly("before", "answer to before", "after", "answer to after");
    }

    @Test
    void a_closed_store_refuses_everything_and_can_be_closed_again() {
        var handle = create("mine");

        store.close();
        store.close();

        assertThatThrownBy(this::create).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> store.open(SCOPE, handle.id())).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> store.openOrCreate(named("mine"))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> store.list(ListQuery.of(SCOPE))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void handles_and_guards_of_a_closed_store_fail_cleanly() {
        var handle = create();
        var guard = handle.lock(PATIENCE);

        store.close();

        assertThatThrownBy(() -> guard.append(events.descriptions(1))).isInstanceOf(IllegalStateException.class);
        guard.close();
        assertThatThrownBy(handle::state).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> handle.read(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> handle.context(10)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> handle.append(events.descriptions(1))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> handle.lock(IMPATIENCE)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> handle.watch(1)).isInstanceOf(IllegalStateException.class);
        handle.close();
    }
}
