package dev.skein.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.message.Message;
import dev.skein.message.Role;
import dev.skein.session.ContextView;
import dev.skein.store.SessionHandle;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The promises of [dev.skein.store.SessionHandle] about state and context: what a store computes from few events is
/// what the whole session says.
public abstract class ContextContract extends StoreFixture {

    private static final List<Integer> WINDOWS = List.of(1, 2, 3, 7, 20, ContextView.ALL);

    @Test
    void state_and_context_are_those_of_the_whole_session_whatever_happened() {
        for (long seed = 1; seed <= 20; seed++) {
            var handle = create();
            var random = new RandomSession(clock, seed);
            for (int step = 0; step < 40; step++) {
                random.step(handle);
            }
            requireConsistent(handle, "seed " + seed);
        }
    }

    @Test
    void state_and_context_are_right_after_every_step() {
        var handle = create();
        var random = new RandomSession(clock, 4711);
        for (int step = 0; step < 60; step++) {
            random.step(handle);
            requireConsistent(handle, "seed 4711, step " + step);
        }
    }

    @Test
    void state_and_context_of_a_fork_are_those_of_the_whole_session() {
        for (long seed = 100; seed < 110; seed++) {
            var parent = create();
            var random = new RandomSession(clock, seed);
            for (int step = 0; step < 20; step++) {
                random.step(parent);
            }
            var middle = parent.state().version() / 2;
            var fork = store.fork(SCOPE, parent.id(), middle, unnamed());
            requireConsistent(fork, "fork of seed " + seed);
            random.goOnFrom(fork);
            for (int step = 0; step < 20; step++) {
                random.step(fork);
                random.stepAside(parent);
            }
            requireConsistent(fork, "grown fork of seed " + seed);
            requireConsistent(parent, "parent of seed " + seed);
        }
    }

    @Test
    void state_and_context_are_the_same_after_reopening() {
        var handle = create();
        var random = new RandomSession(clock, 9);
        for (int step = 0; step < 40; step++) {
            random.step(handle);
        }
        var state = handle.state();
        var context = handle.context(20);

        reopen();

        var again = store.open(SCOPE, handle.id());
        assertThat(again.state()).isEqualTo(state);
        assertThat(again.context(20)).isEqualTo(context);
        requireConsistent(again, "reopened");
    }

    @Test
    void undo_shows_what_was_before() {
        var handle = create();
        say(handle, "one");
        var head = handle.state().head();
        say(handle, "two");

        handle.append(List.of(events.headMoved(head)));
        assertThat(textsOf(handle)).containsExactly("one", "answer to one");

        say(handle, "three");
        assertThat(textsOf(handle)).containsExactly("one", "answer to one", "three", "answer to three");
    }

    @Test
    void a_cleared_session_shows_nothing_and_forgets_nothing() {
        var handle = create();
        say(handle, "one");

        handle.append(List.of(events.cleared()));

        assertThat(textsOf(handle)).isEmpty();
        assertThat(handle.load().roots()).hasSize(1);
        say(handle, "two");
        assertThat(textsOf(handle)).containsExactly("two", "answer to two");
    }

    @Test
    void a_window_never_begins_with_a_tool_result() {
        var handle = create();
        handle.append(events.toolUse(null, "look", "seen"));
        say(handle, "thanks");

        assertThat(handle.context(3).messages()).extracting(Message::role).containsExactly(Role.USER, Role.ASSISTANT);
        assertThat(handle.context(4).messages())
                .extracting(Message::role)
                .containsExactly(Role.ASSISTANT, Role.TOOL, Role.USER, Role.ASSISTANT);
    }

    @Test
    void a_long_session_shows_its_newest_messages() {
        var handle = create();
        for (int i = 0; i < 300; i++) {
            say(handle, "prompt " + i);
        }

        assertThat(handle.context(2).messages().stream().map(Message::text))
                .containsExactly("prompt 299", "answer to prompt 299");
        assertThat(handle.context(50)).isEqualTo(handle.load().context(50));
    }

    private static void requireConsistent(SessionHandle handle, String what) {
        var whole = handle.load();
        var state = handle.state();
        assertThat(state).as(what).isEqualTo(whole.state().named(state.alias(), state.autoname()));
        for (var window : WINDOWS) {
            assertThat(handle.context(window)).as("%s, window %d", what, window).isEqualTo(whole.context(window));
        }
    }
}
