package dev.skein.engine;

import static dev.skein.testkit.ScriptedModel.says;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.engine.RunOptions.Compacting;
import dev.skein.engine.compaction.Compaction;
import dev.skein.engine.naming.ModelNamer;
import dev.skein.failure.ModelFailed;
import dev.skein.live.LiveEvent;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.store.ListQuery;
import dev.skein.store.NewSession;
import dev.skein.testkit.ScriptedModel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class BackgroundTest {

    private final Bed bed = new Bed();

    @Test
    void a_session_without_a_name_is_named_after_its_first_words() {
        bed.options = bed.options.withAutoname(true);

        bed.prompt(RunSettings.of(ScriptedModel.of(says("Apple."))), "Name a fruit, please! Then a nut as well.");
        bed.engine.close();

        var state = bed.session.state();
        assertThat(String.valueOf(state.alias())).isEqualTo("name-a-fruit-please-then-a");
        assertThat(state.autoname()).isTrue();
        assertThat(bed.heard()).contains(new LiveEvent.SessionAutonamed("name-a-fruit-please-then-a"));
    }

    @Test
    void a_name_that_is_taken_gets_a_number() {
        bed.store.create(NewSession.in(Scope.LOCAL).named("fruit"));
        bed.options = bed.options.withAutoname(true);

        bed.prompt(
                RunSettings.of(ScriptedModel.of(says("Apple.")))
                        .withNamer(ModelNamer.with(ScriptedModel.of(says("\"Fruit\"\nas you asked")))),
                "Name one.");
        bed.engine.close();

        assertThat(String.valueOf(bed.session.state().alias())).isEqualTo("fruit-2");
        assertThat(bed.store.list(ListQuery.of(Scope.LOCAL)).sessions()).hasSize(2);
    }

    @Test
    void a_name_given_meanwhile_is_left_alone() {
        bed.options = bed.options.withAutoname(true);
        var named = new CountDownLatch(1);

        bed.prompt(
                RunSettings.of(ScriptedModel.of(says("Apple."))).withNamer((_, _) -> {
                    await(named);
                    return "too late";
                }),
                "Name one.");
        bed.store.rename(Scope.LOCAL, bed.session.id(), new SessionAlias("mine"));
        named.countDown();
        bed.engine.close();

        assertThat(String.valueOf(bed.session.state().alias())).isEqualTo("mine");
    }

    @Test
    void a_namer_that_fails_leaves_the_session_without_a_name_and_the_run_alone() {
        bed.options = bed.options.withAutoname(true);

        var outcome = bed.prompt(
                RunSettings.of(ScriptedModel.of(says("Apple."))).withNamer((_, _) -> {
                    throw ModelFailed.refused("a:b", "no", null);
                }),
                "Name one.");
        bed.engine.close();

        assertThat(outcome.text()).isEqualTo("Apple.");
        assertThat(bed.session.state().alias()).isNull();
    }

    @Test
    void a_conversation_that_grew_too_long_is_summarised_in_the_background_and_the_next_turn_waits_for_it() {
        bed.options = bed.options.withCompaction(Compacting.BACKGROUND);
        var go = new CountDownLatch(1);
        var compaction = new Compaction(15, 0, 1, (_, _) -> {
            await(go);
            return "They talked.";
        });
        talk(compaction, 2);

        assertThat(bed.texts()).as("nobody waits for it").hasSize(4);
        go.countDown();
        talk(compaction, 1);

        assertThat(bed.texts()).contains("[Summary of the conversation so far]\nThey talked.");
        assertThat(bed.heard()).contains(new LiveEvent.SessionCompressing(), new LiveEvent.SessionCompressed());
        bed.engine.close();
        assertThat(bed.session.load().loops()).as("originals stay").hasSize(3);
    }

    @Test
    void while_a_summary_is_made_in_the_background_others_may_write() {
        bed.options = bed.options.withCompaction(Compacting.BACKGROUND);
        var started = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        var compaction = new Compaction(1, 0, 1, (_, _) -> {
            started.countDown();
            await(go);
            return "They talked.";
        });
        talk(compaction, 2);
        await(started);

        try (var guard = bed.session.lock(Duration.ofSeconds(5))) {
            assertThat(guard.state().compaction()).isNull();
        }
        go.countDown();
        bed.engine.close();

        assertThat(bed.session.state().compaction()).isNotNull();
    }

    private void talk(Compaction compaction, int times) {
        for (int i = 0; i < times; i++) {
            var spoken = (int) bed.session.context(100).messages().stream()
                    .filter(message -> message.role() == Role.ASSISTANT)
                    .count();
            List<Part> lines = new ArrayList<>(Collections.nCopies(spoken + 2, says("a rather long answer")));
            bed.prompt(
                    RunSettings.of(ScriptedModel.of(lines.toArray(Part[]::new))).withCompaction(compaction),
                    "a question of some length " + i);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
