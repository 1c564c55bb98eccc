package dev.skein.engine;

import static dev.skein.testkit.ScriptedModel.asks;
import static dev.skein.testkit.ScriptedModel.says;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.cancellation.Cancellation;
import dev.skein.engine.TestModels.OneModel;
import dev.skein.failure.StorageFailed;
import dev.skein.message.Part;
import dev.skein.model.ModelReply;
import dev.skein.model.ModelRequest;
import dev.skein.model.ReplyFragment;
import dev.skein.session.LoopStatus;
import dev.skein.testkit.ScriptedModel;
import dev.skein.tool.ToolOutcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class SteeringTest {

    private final Bed bed = new Bed();

    @Test
    void a_steering_message_is_heard_before_the_model_is_asked_again() {
        var tool = TestTool.named("look", (_, _) -> {
            bed.steering.steer("Only the blue ones.");
            return ToolOutcome.Answered.text("ten things");
        });

        var outcome = bed.prompt(
                RunSettings.of(ScriptedModel.of(asks("look", "x"), says("Three blue ones.")))
                        .withTools(tool),
                "What is there?");

        assertThat(bed.texts())
                .containsExactly("What is there?", "", "ten things", "Only the blue ones.", "Three blue ones.");
        assertThat(outcome.status()).isEqualTo(LoopStatus.COMPLETED);
        assertThat(bed.steering.unheard()).isEmpty();
    }

    @Test
    void a_follow_up_keeps_the_run_going_when_it_would_rest() {
        bed.steering.followUp("And in French?");
        bed.steering.followUp("And in Welsh?");

        var outcome = bed.prompt(
                RunSettings.of(ScriptedModel.of(says("Apple."), says("Pomme."), says("Afal."))), "Name a fruit.");

        assertThat(bed.texts())
                .containsExactly("Name a fruit.", "Apple.", "And in French?", "Pomme.", "And in Welsh?", "Afal.");
        assertThat(outcome.turns()).isEqualTo(3);
        assertThat(outcome.text()).isEqualTo("Afal.");
        assertThat(bed.session.load().loops()).hasSize(1);
        assertThat(bed.head().turns()).hasSize(3);
    }

    @Test
    void what_was_not_heard_when_a_run_was_cancelled_is_not_lost() {
        bed.steering.followUp("Later.");
        bed.cancellation.cancel("enough");

        bed.prompt(RunSettings.of(ScriptedModel.of(says("never"))), "Hi");

        assertThat(bed.steering.unheard()).hasSize(1);
    }

    @Test
    void what_was_said_too_late_to_steer_is_a_follow_up() {
        var late = new OneModel() {
            @Override
            public ModelReply reply(ModelRequest request, Consumer<ReplyFragment> fragments, Cancellation stop) {
                if (request.messages().size() == 1) {
                    bed.steering.steer("Wait, one more thing.");
                }
                return ScriptedModel.of(says("First."), says("Second.")).reply(request, fragments, stop);
            }
        };

        bed.prompt(RunSettings.of(late), "Hi");

        assertThat(bed.texts()).containsExactly("Hi", "First.", "Wait, one more thing.", "Second.");
    }

    @Test
    void what_could_not_be_recorded_is_not_lost_and_is_heard_first() {
        var appends = 1;
        while (!recordsEverythingBut(appends)) {
            appends++;
        }
        assertThat(appends).isGreaterThan(6);
    }

    /// A run whose disk is full from this append on; true if it has fewer.
    private static boolean recordsEverythingBut(int append) {
        var bed = new Bed();
        var said = new ArrayList<String>();
        var full = new AtomicBoolean();
        var tool = TestTool.named("look", (_, _) -> {
            for (var words : List.of("Only the blue ones.", "And small.", "And small.")) {
                said.add(words);
                bed.steering.steer(words);
            }
            return ToolOutcome.Answered.text("ten things");
        });
        said.add("And in French?");
        bed.steering.followUp("And in French?");
        var disk = new DoomedHandle(bed.session, append, DoomedHandle.Moment.JUST_BEFORE, () -> {
            if (full.compareAndSet(false, true)) {
                bed.steering.steer("Said meanwhile.");
            }
            throw StorageFailed.full("write", new IOException("no space"));
        });
        var settings = RunSettings.of(ScriptedModel.of(asks("look", "x"), says("Three."), says("Trois.")))
                .withTools(tool);
        try {
            bed.engine.run(
                    new RequestContext("r1", disk, settings, bed.options, bed.steering, bed.cancellation),
                    RunRequest.Prompt.text("What is there?"),
                    bed.heard);
        } catch (StorageFailed _) {
            said.add("Said meanwhile.");
        }
        var kept = new ArrayList<>(bed.texts());
        bed.steering.unheard().forEach(parts -> kept.add(((Part.Text) parts.getFirst()).text()));
        kept.retainAll(said);
        if (full.get() && said.size() > 2) {
            assertThat(kept)
                    .as("append %s", append)
                    .containsSubsequence("Only the blue ones.", "And small.", "And small.", "Said meanwhile.")
                    .hasSize(5);
        }
        assertThat(kept).as("append %s", append).containsExactlyInAnyOrderElementsOf(said);
        return !full.get();
    }
}
