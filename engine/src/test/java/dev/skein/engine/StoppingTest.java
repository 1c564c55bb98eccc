package dev.skein.engine;

import static dev.skein.testkit.ScriptedModel.asks;
import static dev.skein.testkit.ScriptedModel.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.skein.cancellation.Cancellation;
import dev.skein.engine.RunOptions.Asking;
import dev.skein.engine.TestModels.OneModel;
import dev.skein.engine.limit.Limits;
import dev.skein.failure.Cancelled;
import dev.skein.failure.LimitReached;
import dev.skein.message.Part;
import dev.skein.message.ToolCallId;
import dev.skein.message.Usage;
import dev.skein.model.ModelReply;
import dev.skein.model.ModelRequest;
import dev.skein.model.ReplyFragment;
import dev.skein.session.LoopStatus;
import dev.skein.testkit.ScriptedModel;
import dev.skein.tool.Question;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

/// Runs that are stopped, wait, or are only looked at.
class StoppingTest {

    private final Bed bed = new Bed();

    @Test
    void a_model_that_never_comes_to_an_end_is_stopped_when_the_time_is_up_and_what_it_said_is_kept() {
        var settings =
                RunSettings.of(new Endlessly()).withLimits(Limits.standard().withTimeMax(Duration.ofMillis(50)));

        assertThatThrownBy(() -> bed.prompt(settings, "Tell me everything."))
                .isInstanceOf(LimitReached.class)
                .hasMessageContaining("time_max");

        assertThat(bed.texts()).containsExactly("Tell me everything.", "And then");
        assertThat(bed.head().status()).isEqualTo(LoopStatus.ABORTED);
    }

    @Test
    void a_tool_that_does_not_listen_is_left_behind() {
        var never = new CountDownLatch(1);
        var deaf = TestTool.named("deaf", (_, _) -> {
            bed.cancellation.cancel("enough");
            while (never.getCount() > 0) {
                Thread.onSpinWait();
            }
            return ToolOutcome.Answered.text("too late");
        });

        var outcome = bed.prompt(
                RunSettings.of(ScriptedModel.of(asks("deaf", "x"), says("never")))
                        .withTools(deaf),
                "Go.");

        assertThat(outcome.status()).isEqualTo(LoopStatus.ABORTED);
        never.countDown();
    }

    @Test
    void whoever_waits_for_another_run_stops_waiting_when_cancelled() throws InterruptedException {
        var outcome = new AtomicReference<Throwable>();
        var settings = RunSettings.of(ScriptedModel.of(says("never")));
        try (var _ = bed.session.lock(Duration.ofSeconds(5))) {
            var waiting =
                    Thread.ofPlatform().start(() -> outcome.set(catchThrowable(() -> bed.prompt(settings, "Hi"))));
            while (waiting.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            bed.cancellation.cancel("enough");
            waiting.join();
        }

        assertThat(outcome.get()).isInstanceOf(Cancelled.class);
        assertThat(bed.texts()).isEmpty();
    }

    @Test
    void a_question_waits_for_an_answer_which_the_model_then_reads() {
        var settings = RunSettings.of(ScriptedModel.of(asks("ask", "Which one?"), says("Blue it is.")))
                .withTools(new Asked());
        assertThat(bed.prompt(settings, "Paint it.").status()).isEqualTo(LoopStatus.WAITING);
        assertThat(Approvals.waiting(bed.session))
                .extracting(Approvals.Waiting::name)
                .containsExactly("ask");

        bed.engine.decide(bed.session, new ToolCallId("call-ask-Which one?"), true, "ada", "blue");
        var outcome = bed.run(settings, new RunRequest.Continue());

        assertThat(outcome.text()).isEqualTo("Blue it is.");
        assertThat(bed.texts()).contains("They said blue.");
        assertThat(Approvals.waiting(bed.session)).isEmpty();
    }

    @Test
    void the_tokens_of_a_turn_that_waited_are_counted() {
        var settings = RunSettings.of(ScriptedModel.of(asks("ask", "Which one?"), says("Blue it is.")))
                .withTools(new Asked());
        bed.prompt(settings, "Paint it.");
        bed.engine.decide(bed.session, new ToolCallId("call-ask-Which one?"), true, "ada", "blue");

        bed.run(settings, new RunRequest.Continue());

        assertThat(bed.session.state().usage()).isEqualTo(Usage.of(20, 10));
    }

    @Test
    void a_dry_run_never_begins_with_a_result_whose_call_the_window_leaves_out() {
        var settings = RunSettings.of(ScriptedModel.of(asks("t", "x"), says("One."), says("Two.")))
                .withTools(TestTool.answering("t"));
        bed.prompt(settings, "first");

        var preview = bed.engine.preview(bed.context(settings.withWindow(3)), RunRequest.Prompt.text("second"));

        assertThat(preview.messages()).extracting(message -> message.text()).containsExactly("One.", "second");
    }

    @Test
    void where_nobody_can_be_asked_a_question_is_denied_and_the_run_goes_on() {
        bed.options = bed.options.withAsking(Asking.DENY);
        var settings = RunSettings.of(ScriptedModel.of(asks("ask", "Which one?"), says("I chose red.")))
                .withTools(new Asked());

        assertThat(bed.prompt(settings, "Paint it.").text()).isEqualTo("I chose red.");

        assertThat(bed.texts()).anyMatch(text -> text.contains("nobody can be asked here"));
    }

    @Test
    void a_dry_run_shows_exactly_what_would_be_sent_and_changes_nothing() {
        var sent = new ArrayList<ModelRequest>();
        var model = new OneModel() {
            @Override
            public ModelReply reply(ModelRequest request, Consumer<ReplyFragment> fragments, Cancellation stop) {
                sent.add(request);
                return ScriptedModel.of(says("One."), says("Two.")).reply(request, fragments, stop);
            }
        };
        var settings = RunSettings.of(model)
                .withSystem("Be brief.")
                .withTools(TestTool.answering("t"))
                .withWindow(3);
        bed.prompt(settings, "first");
        var version = bed.session.state().version();

        var preview = bed.engine.preview(bed.context(settings), RunRequest.Prompt.text("second"));
        assertThat(bed.session.state().version()).isEqualTo(version);
        assertThat(sent).hasSize(1);
        bed.prompt(settings, "second");

        var real = sent.getLast();
        assertThat(preview.system()).isEqualTo(real.system());
        assertThat(preview.tools()).isEqualTo(real.tools());
        assertThat(preview.messages())
                .usingRecursiveComparison()
                .ignoringFields("id", "at")
                .isEqualTo(real.messages());
    }

    @Test
    void a_branch_begins_after_any_earlier_loop() {
        bed.prompt(RunSettings.of(ScriptedModel.of(says("One."))), "first");
        var first = bed.head().pointer();
        bed.prompt(RunSettings.of(ScriptedModel.of(says("One."), says("Two."))), "second");

        bed.run(
                RunSettings.of(ScriptedModel.of(says("One."), says("Three."))),
                new RunRequest.Branch(first, List.of(new Part.Text("otherwise"))));

        assertThat(bed.texts()).containsExactly("first", "One.", "otherwise", "Three.");
        assertThat(bed.session.load().loops()).hasSize(3);
    }

    /// Says something, then waits to be stopped.
    private static final class Endlessly extends OneModel {
        @Override
        public ModelReply reply(ModelRequest request, Consumer<ReplyFragment> fragments, Cancellation stop) {
            fragments.accept(new ReplyFragment.Text("And then"));
            var stopped = new CountDownLatch(1);
            try (var _ = stop.onCancel(stopped::countDown)) {
                stopped.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            stop.check();
            throw new AssertionError("not stopped");
        }
    }

    private static final class Asked implements Question {
        @Override
        public ToolSpec spec() {
            return new ToolSpec(
                    "ask", "Asks.", JsonNodeFactory.instance.objectNode(), ToolSpec.Repeat.SAFE, ToolSpec.Effect.READS);
        }

        @Override
        public ToolOutcome answered(Part.ToolCall call, String answer) {
            return ToolOutcome.Answered.text("They said " + answer + ".");
        }
    }
}
