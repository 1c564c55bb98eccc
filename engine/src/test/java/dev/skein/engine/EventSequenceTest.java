package dev.skein.engine;

import static dev.skein.testkit.ScriptedModel.asks;
import static dev.skein.testkit.ScriptedModel.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.engine.TestModels.Flaky;
import dev.skein.engine.TestModels.Talking;
import dev.skein.engine.limit.Limits;
import dev.skein.engine.permission.Permissions;
import dev.skein.failure.LimitReached;
import dev.skein.live.LiveJson;
import dev.skein.model.ReplyFragment;
import dev.skein.testkit.ScriptedModel;
import dev.skein.tool.ToolOutcome;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What is heard and what is kept, in which order, in the seven courses a run can take.
class EventSequenceTest {

    private final Bed bed = new Bed();

    @AfterEach
    void every_durable_event_is_heard_after_it_is_kept_and_in_its_order() {
        var ids = bed.heard.events();
        for (int i = 1; i < ids.size(); i++) {
            var before = ids.get(i - 1);
            var now = ids.get(i);
            assertThat(now.seq() > before.seq() || (now.seq() == before.seq() && now.sub() > before.sub()))
                    .as("%s comes after %s", now, before)
                    .isTrue();
        }
        assertThat(ids.getLast().seq()).isEqualTo(bed.session.state().version());
    }

    @Test
    void a_plain_answer() {
        bed.options = bed.options.withDeltas(false);

        bed.prompt(RunSettings.of(ScriptedModel.of(says("Hello!"))), "Hi");

        assertThat(heard()).containsExactly("started", "assistant_message_end", "finished");
        assertThat(bed.journal())
                .containsExactly(
                        "LoopStarted", "MessageEnded", "TurnStarted", "MessageEnded", "TurnEnded", "LoopEnded");
    }

    @Test
    void a_streamed_answer() {
        var model = ScriptedModel.ofLines(List.of(List.of(says("Hel"), says("lo!"))));

        bed.prompt(RunSettings.of(model), "Hi");

        assertThat(heard())
                .containsExactly("started", "assistant_delta", "assistant_delta", "assistant_message_end", "finished");
        assertThat(bed.journal()).doesNotContain("MessageDelta");
    }

    @Test
    void a_tool_round() {
        var model = ScriptedModel.of(asks("read", "a"), says("Done."));

        var outcome = bed.prompt(RunSettings.of(model).withTools(TestTool.answering("read")), "Go.");

        assertThat(heard())
                .containsExactly(
                        "started",
                        "assistant_message_end",
                        "tool_call",
                        "tool_result",
                        "assistant_delta",
                        "assistant_message_end",
                        "finished");
        assertThat(bed.journal())
                .containsExactly(
                        "LoopStarted",
                        "MessageEnded",
                        "TurnStarted",
                        "MessageEnded",
                        "ToolStarted",
                        "ToolFinished",
                        "TurnEnded",
                        "TurnStarted",
                        "MessageEnded",
                        "TurnEnded",
                        "LoopEnded");
        assertThat(outcome.toolUses()).extracting(use -> use.call().name()).containsExactly("read");
    }

    @Test
    void parallel_tool_calls_with_one_failure() {
        var broken = TestTool.named("broken", (_, _) -> {
            throw new IllegalStateException("no uplink");
        });
        var model = ScriptedModel.ofLines(
                List.of(List.of(asks("broken", "a"), asks("fine", "b")), List.of(says("Half done."))));

        var outcome = bed.prompt(RunSettings.of(model).withTools(broken, TestTool.answering("fine")), "Go.");

        assertThat(heard()).filteredOn("tool_call"::equals).hasSize(2);
        assertThat(heard()).filteredOn("tool_result"::equals).hasSize(2);
        assertThat(heard()).endsWith("assistant_delta", "assistant_message_end", "finished");
        assertThat(outcome.toolUses())
                .extracting(use -> use.result().isError())
                .as("in the order asked, whoever came first")
                .containsExactly(true, false);
    }

    @Test
    void a_limit_that_is_reached() {
        var settings = RunSettings.of(ScriptedModel.of(asks("t", "1"), asks("t", "2"), says("never")))
                .withTools(TestTool.answering("t"))
                .withLimits(Limits.standard().withTurnsMax(2));

        assertThatThrownBy(() -> bed.prompt(settings, "Go.")).isInstanceOf(LimitReached.class);

        assertThat(heard()).startsWith("started").endsWith("tool_result", "error");
        assertThat(bed.journal()).endsWith("TurnEnded", "LoopEnded");
    }

    @Test
    void a_run_that_is_cancelled_in_mid_stream() {
        var model = new Talking(fragments -> {
            fragments.accept(new ReplyFragment.Text("Once upon"));
            bed.cancellation.cancel("enough");
        });

        bed.prompt(RunSettings.of(model), "Tell me a story.");

        assertThat(heard()).containsExactly("started", "assistant_delta", "assistant_message_end", "finished");
        assertThat(bed.journal())
                .containsExactly("LoopStarted", "MessageEnded", "TurnStarted", "MessageEnded", "LoopEnded");
    }

    @Test
    void a_provider_that_fails_and_then_recovers() {
        bed.prompt(RunSettings.of(new Flaky(ScriptedModel.of(says("At last.")), 2, null)), "Hi");

        assertThat(heard())
                .containsExactly(
                        "started", "warning", "warning", "assistant_delta", "assistant_message_end", "finished");
        assertThat(bed.journal()).filteredOn("TurnStarted"::equals).hasSize(1);
    }

    @Test
    void what_waits_for_a_person_says_so_and_is_heard_again_when_it_goes_on() {
        var settings = RunSettings.of(ScriptedModel.of(asks("rm", "x"), says("Gone.")))
                .withTools(TestTool.answering("rm"))
                .withPermissions((_, _) -> new Permissions.Decision.Ask("it deletes"));

        bed.prompt(settings, "Clean up.");

        assertThat(heard()).containsExactly("started", "assistant_message_end", "approval_required", "finished");
        assertThat(bed.journal()).endsWith("MessageEnded", "ApprovalRequested");
    }

    @Test
    void a_tool_without_words_is_still_an_answer() {
        var quiet = TestTool.named("quiet", (_, _) -> new ToolOutcome.Answered(List.of(), null, null));

        bed.prompt(
                RunSettings.of(ScriptedModel.of(asks("quiet", "x"), says("Well.")))
                        .withTools(quiet),
                "Go.");

        assertThat(heard()).contains("tool_result").endsWith("finished");
    }

    private List<String> heard() {
        return bed.heard().stream().map(LiveJson::name).toList();
    }
}
