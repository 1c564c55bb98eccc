package dev.skein.session;

import static dev.skein.session.Story.call;
import static dev.skein.session.Story.loop;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.Usage;
import dev.skein.wire.Json;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SessionStateTest {

    private static final SessionId OTHER = SessionId.of("01900000-0000-7000-8000-000000000009");

    @Test
    void names_descriptions_and_settings_are_those_given_last() {
        var story = Story.opened();
        story.add(new SessionEvent.SessionRenamed(story.now(), new SessionAlias("one"), true));
        story.add(new SessionEvent.SessionDescribed(story.now(), "about"));
        story.add(new SessionEvent.SessionConfigured(story.now(), SessionSettings.NONE.withModel("p", "m")));

        assertThat(story.state().alias()).isEqualTo(new SessionAlias("one"));
        assertThat(story.state().autoname()).isTrue();
        assertThat(story.state().description()).isEqualTo("about");
        assertThat(story.state().settings().model()).isEqualTo("m");

        story.add(new SessionEvent.SessionRenamed(story.now(), null, false));
        story.add(new SessionEvent.SessionDescribed(story.now(), ""));

        assertThat(story.state().alias()).isNull();
        assertThat(story.state().autoname()).isFalse();
        assertThat(story.state().description()).isNull();
    }

    @Test
    void a_rejected_loop_moves_the_head_back_to_its_parent() {
        var story = Story.opened().exchange("a", null).start("b", "a");
        story.add(new LoopEvent.InputRejected(story.now(), loop("b"), "not allowed"));
        story.end("b", LoopStatus.REJECTED);

        assertThat(story.state().head()).isEqualTo(story.pointer("a"));
        assertThat(story.session().loop(loop("b")).orElseThrow()).satisfies(rejected -> {
            assertThat(rejected.status()).isEqualTo(LoopStatus.REJECTED);
            assertThat(rejected.rejection()).isEqualTo("not allowed");
        });
        assertThat(story.state().status()).isEqualTo(SessionStatus.IDLE);
    }

    @Test
    void a_rejected_first_loop_leaves_no_head() {
        assertThat(Story.opened()
                        .start("a")
                        .end("a", LoopStatus.REJECTED)
                        .state()
                        .head())
                .isNull();
    }

    @Test
    void an_aborted_loop_stays_the_head_and_shows_in_the_status() {
        var story = Story.opened().start("a").end("a", LoopStatus.ABORTED);

        assertThat(story.state().head()).isEqualTo(story.pointer("a"));
        assertThat(story.state().status()).isEqualTo(SessionStatus.ABORTED);
    }

    @Test
    void the_head_moves_where_it_is_told() {
        var story = Story.opened().exchange("a", null).exchange("b", "a").moveHead("a");
        assertThat(story.state().head()).isEqualTo(story.pointer("a"));

        assertThat(story.moveHead(null).state().head()).isNull();
    }

    @Test
    void clearing_leaves_no_head_and_every_record() {
        var story = Story.opened().exchange("a", null);
        story.add(new SessionEvent.SessionCleared(story.now()));

        assertThat(story.state().head()).isNull();
        assertThat(story.session().loops()).hasSize(1);
        assertThat(story.view(50)).isEmpty();
        assertThat(story.exchange("b", null).view(50)).containsExactly("b?", "b!");
    }

    @Test
    void with_two_calls_pending_one_yes_is_not_enough() {
        var story = Story.opened()
                .start("a")
                .asksApproval("a", "c1")
                .asksApproval("a", "c2")
                .asksApproval("a", "c2");
        assertThat(story.state().status()).isEqualTo(SessionStatus.WAITING);
        assertThat(story.state().open())
                .singleElement()
                .satisfies(open -> assertThat(open.waitingFor()).containsExactly(call("c1"), call("c2")));

        story.approves("a", "c1");
        assertThat(story.state().status()).isEqualTo(SessionStatus.WAITING);
        assertThat(story.session().loop(loop("a")).orElseThrow().status()).isEqualTo(LoopStatus.WAITING);

        story.approves("a", "c2");
        assertThat(story.state().status()).isEqualTo(SessionStatus.RUNNING);
        assertThat(story.session().loop(loop("a")).orElseThrow().status()).isEqualTo(LoopStatus.RUNNING);
    }

    @Test
    void a_loop_that_has_ended_waits_for_nobody() {
        var story = Story.opened().start("a").asksApproval("a", "c1").end("a", LoopStatus.ABORTED);
        assertThat(story.state().status()).isEqualTo(SessionStatus.ABORTED);

        story.asksApproval("a", "c2").approves("a", "c1");
        assertThat(story.state().status()).isEqualTo(SessionStatus.ABORTED);
        assertThat(story.state().open()).isEmpty();
    }

    @Test
    void the_newest_256_idempotency_keys_are_remembered() {
        var story = Story.opened();
        for (int i = 0; i < 300; i++) {
            story.add(new SessionEvent.SessionCleared(story.now()), "k" + i);
        }

        assertThat(story.state().keys()).hasSize(SessionState.KEYS_MAX);
        assertThat(story.state().seqOfKey("k43")).isEmpty();
        assertThat(story.state().seqOfKey("k44")).contains(46L);
        assertThat(story.state().seqOfKey("k299")).contains(301L);
    }

    @Test
    void the_first_words_of_a_person_are_the_preview() {
        var long200 = "😀".repeat(300);
        var story = Story.opened()
                .start("a")
                .say("a", 0, Role.SYSTEM, new Part.Text("be kind"))
                .user("a", 0, "  ")
                .user("a", 0, long200)
                .user("a", 0, "second");

        assertThat(story.state().firstMessage()).isEqualTo("😀".repeat(200));
    }

    @Test
    void time_does_not_go_backwards() {
        var story = Story.opened().exchange("a", null);
        var last = story.state().lastActivityAt();
        story.add(new SessionEvent.SessionCleared(Story.NOON.minusSeconds(1000)));

        assertThat(story.state().lastActivityAt()).isEqualTo(last);
    }

    @Test
    void a_fork_is_another_session_with_the_same_past_but_not_the_same_keys() {
        var story = Story.opened();
        story.add(new SessionEvent.SessionRenamed(story.now(), new SessionAlias("one"), false), "k1");
        story.exchange("a", null);
        story.add(new SessionEvent.SessionOpened(
                Story.NOON.minusSeconds(5),
                1,
                OTHER,
                "ann",
                null,
                null,
                null,
                new Formation.Explicit(),
                null,
                null,
                new ForkRef(Story.ID, 8),
                null,
                Map.of()));

        assertThat(story.state().id()).isEqualTo(OTHER);
        assertThat(story.state().scope()).isEqualTo(Scope.ofOwner("ann"));
        assertThat(story.state().alias()).isNull();
        assertThat(story.state().head()).isEqualTo(story.pointer("a"));
        assertThat(story.state().lastActivityAt()).isEqualTo(Story.NOON.minusSeconds(5));
        assertThat(story.state().seqOfKey("k1")).isEmpty();
    }

    @Test
    void the_state_is_stored_and_read_back_as_it_is() {
        var story = Story.opened()
                .exchange("a", null)
                .start("b", "a")
                .endTurn("b", 0, 3, 4)
                .asksApproval("b", "c1");
        story.add(
                new SessionEvent.ParallelStarted(story.now(), List.of(loop("p"), loop("q")), story.pointer("a")),
                "key");
        story.add(new SessionEvent.CompactionBlockRemoved(story.now(), "b0"));

        var state = story.state();

        assertThat(Json.MAPPER.readValue(Json.MAPPER.writeValueAsBytes(state), SessionState.class))
                .isEqualTo(state);
    }

    @Test
    void absurd_counts_do_not_make_a_session_unreadable() {
        var story = Story.opened().start("a");
        for (int i = 0; i < 3; i++) {
            story.add(new LoopEvent.TurnEnded(story.now(), loop("a"), i, new Usage(Long.MAX_VALUE, 0, 0, 0, 0), null));
        }

        assertThat(story.state().usage().inputTokens()).isEqualTo(Long.MAX_VALUE);
    }
}
