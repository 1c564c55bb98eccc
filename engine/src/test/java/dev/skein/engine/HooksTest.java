package dev.skein.engine;

import static dev.skein.testkit.ScriptedModel.asks;
import static dev.skein.testkit.ScriptedModel.says;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.live.LiveEvent;
import dev.skein.live.RunOutcome;
import dev.skein.message.Part;
import dev.skein.model.ModelReply;
import dev.skein.model.ModelRequest;
import dev.skein.session.LoopId;
import dev.skein.session.LoopStatus;
import dev.skein.testkit.ScriptedModel;
import dev.skein.tool.ToolOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class HooksTest {

    private final Bed bed = new Bed();
    private final TestTool tool = TestTool.answering("t");
    private final RunSettings settings =
            RunSettings.of(ScriptedModel.of(asks("t", "x"), says("Done."))).withTools(tool);

    @Test
    void hooks_are_called_at_every_joint_in_order() {
        var calls = new ArrayList<String>();

        bed.prompt(settings.withHooks(new Telling(calls)), "Go.");

        assertThat(calls)
                .containsExactly(
                        "before loop",
                        "before turn 0 with 1",
                        "after turn 0",
                        "before t",
                        "after t",
                        "before turn 1 with 3",
                        "after turn 1",
                        "after loop: completed");
    }

    @Test
    void a_hook_can_stop_a_loop_or_a_turn_and_says_why() {
        var outcome = bed.prompt(
                settings.withHooks(new Hooks() {
                    @Override
                    public Optional<String> beforeTurn(LoopId loop, int turn, ModelRequest request) {
                        return turn == 1 ? Optional.of("out of office hours") : Optional.empty();
                    }
                }),
                "Go.");

        assertThat(outcome.status()).isEqualTo(LoopStatus.ABORTED);
        assertThat(outcome.reason()).isEqualTo("out of office hours");
        assertThat(bed.texts()).containsExactly("Go.", "", "t of x");
        assertThat(bed.run(settings, new RunRequest.Continue()).text()).isEqualTo("Done.");
    }

    @Test
    void a_hook_can_stand_in_for_a_tool_and_change_what_one_answered() {
        var instead = new Hooks() {
            @Override
            public Optional<ToolOutcome> beforeTool(Part.ToolCall call) {
                return Optional.of(ToolOutcome.Answered.text("from the cache"));
            }
        };
        var louder = new Hooks() {
            @Override
            public ToolOutcome afterTool(Part.ToolCall call, ToolOutcome outcome) {
                return outcome instanceof ToolOutcome.Answered ? ToolOutcome.Answered.text("FROM THE CACHE") : outcome;
            }
        };

        bed.prompt(settings.withHooks(instead, louder), "Go.");

        assertThat(tool.runs()).isEmpty();
        assertThat(bed.texts()).contains("FROM THE CACHE");
    }

    @Test
    void a_hook_that_throws_is_passed_over_with_a_warning() {
        var outcome = bed.prompt(
                settings.withHooks(new Hooks() {
                    @Override
                    public Optional<String> beforeLoop(LoopId loop) {
                        throw new IllegalStateException("boom");
                    }

                    @Override
                    public void afterLoop(RunOutcome ended) {
                        throw new IllegalStateException("boom again");
                    }
                }),
                "Go.");

        assertThat(outcome.status()).isEqualTo(LoopStatus.COMPLETED);
        assertThat(bed.heard())
                .contains(
                        new LiveEvent.Warning("a hook failed and was passed over: boom"),
                        new LiveEvent.Warning("a hook failed and was passed over: boom again"));
    }

    private record Telling(List<String> calls) implements Hooks {
        @Override
        public Optional<String> beforeLoop(LoopId loop) {
            calls.add("before loop");
            return Optional.empty();
        }

        @Override
        public void afterLoop(RunOutcome outcome) {
            calls.add("after loop: " + outcome.status());
        }

        @Override
        public Optional<String> beforeTurn(LoopId loop, int turn, ModelRequest request) {
            calls.add("before turn " + turn + " with " + request.messages().size());
            return Optional.empty();
        }

        @Override
        public void afterTurn(LoopId loop, int turn, ModelReply reply) {
            calls.add("after turn " + turn);
        }

        @Override
        public Optional<ToolOutcome> beforeTool(Part.ToolCall call) {
            calls.add("before " + call.name());
            return Optional.empty();
        }

        @Override
        public ToolOutcome afterTool(Part.ToolCall call, ToolOutcome outcome) {
            calls.add("after " + call.name());
            return outcome;
        }
    }
}
