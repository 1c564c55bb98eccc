package dev.skein.engine.household;

import static dev.skein.engine.household.AgentBed.calls;
import static dev.skein.engine.household.AgentBed.says;
import static dev.skein.engine.household.AgentBed.turn;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.cancellation.Cancellation;
import dev.skein.engine.Overrides;
import dev.skein.engine.RunOptions;
import dev.skein.engine.RunRequest;
import dev.skein.engine.Steering;
import dev.skein.engine.agent.AgentSpec.AutoContinue;
import dev.skein.engine.scope.ToolScope;
import dev.skein.live.LiveEvent;
import dev.skein.live.LiveJson;
import dev.skein.live.RunOutcome;
import dev.skein.message.Part;
import dev.skein.session.LoopStatus;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolRequest;
import dev.skein.tool.ToolSpec;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

class AutoContinueTest {

    private final AgentBed bed = new AgentBed();

    AutoContinueTest() {
        bed.tools.add(new ListOfThings());
    }

    /// Answers as the real list does: with all things, of which so many are done.
    private record ListOfThings() implements Tool {
        @Override
        public ToolSpec spec() {
            return new ToolSpec(
                    "todo",
                    "For tests.",
                    JsonNodeFactory.instance.objectNode().put("type", "object"),
                    ToolSpec.Repeat.SAFE,
                    ToolSpec.Effect.READS);
        }

        @Override
        public ToolOutcome run(ToolRequest request, Cancellation cancellation) {
            var done = request.call().arguments().path("done").asString("0");
            var list = JsonNodeFactory.instance.objectNode().put("revision", 1 + Long.parseLong(done));
            var items = list.putArray("items");
            for (int i = 0; i < 3; i++) {
                items.addObject().put("text", "thing " + i).put("done", i < Integer.parseInt(done));
            }
            return new ToolOutcome.Answered(List.of(new Part.Text(done + " done")), list, null);
        }
    }

    /// Does one thing whenever it is asked, and says so.
    private void worker(AutoContinue rule) {
        bed.agent(
                "worker",
                List.of(),
                List.of(),
                request -> turn(request) % 2 == 0
                        ? List.of(calls("t" + turn(request), "todo", "done", turn(request) / 2))
                        : says("did something"));
        bed.specs.computeIfPresent("worker", (_, spec) -> spec.withAutoContinue(rule));
    }

    @Test
    void a_run_goes_on_by_itself_until_nothing_is_left_to_do() {
        worker(new AutoContinue(true, 10));
        var session = bed.session("worker");

        var outcome = bed.prompt(session, "Do three things.");

        assertThat(outcome.status()).isEqualTo(LoopStatus.COMPLETED);
        assertThat(outcome.autoContinued()).isTrue();
        assertThat(session.load().loops()).hasSize(1);
        assertThat(bed.heard.bodies().stream().filter(LiveEvent.AutoContinueTriggered.class::isInstance))
                .containsExactly(
                        new LiveEvent.AutoContinueTriggered(1),
                        new LiveEvent.AutoContinueTriggered(2),
                        new LiveEvent.AutoContinueTriggered(3));
        assertThat(AgentBed.texts(session))
                .filteredOn(text -> text.startsWith("There is something left to do:"))
                .hasSize(3)
                .last()
                .asString()
                .contains("- thing 2")
                .doesNotContain("thing 1");
        var record = session.load().path().getFirst();
        assertThat(RunOutcome.of(record)).as("the journal tells the same").isEqualTo(outcome);
        assertThat(LiveJson.response("r", outcome).path("auto_continued").asBoolean())
                .isTrue();
    }

    @Test
    void it_goes_on_so_often_and_no_more() {
        worker(new AutoContinue(true, 1));

        var outcome = bed.prompt(bed.session("worker"), "Do three things.");

        assertThat(outcome.status()).isEqualTo(LoopStatus.COMPLETED);
        assertThat(outcome.turns()).isEqualTo(4);
    }

    @Test
    void it_rests_where_nobody_wants_that_and_a_request_can_want_it() {
        worker(AutoContinue.OFF);
        bed.specs.computeIfPresent("worker", (_, spec) -> spec.withScope(new ToolScope(List.of("todo"), List.of())));
        var session = bed.session("worker");

        assertThat(bed.prompt(session, "Do three things.").autoContinued()).isFalse();

        var context = bed.app()
                .context(
                        "r",
                        session,
                        Overrides.NONE.withAutoContinue(true),
                        RunOptions.library(),
                        new Steering(),
                        new Cancellation());
        assertThat(bed.engine
                        .run(context, RunRequest.Prompt.text("Go on."), bed.heard)
                        .autoContinued())
                .isTrue();
    }
}
