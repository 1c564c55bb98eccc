package dev.skein.engine;

import static dev.skein.testkit.ScriptedModel.asks;
import static dev.skein.testkit.ScriptedModel.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.cancellation.Cancellation;
import dev.skein.engine.TestModels.Endless;
import dev.skein.engine.TestModels.Flaky;
import dev.skein.engine.TestModels.Talking;
import dev.skein.engine.limit.Limits;
import dev.skein.engine.permission.Permissions.Decision;
import dev.skein.failure.InvalidRequest;
import dev.skein.failure.LimitReached;
import dev.skein.failure.ModelFailed;
import dev.skein.live.Emitter;
import dev.skein.live.LiveEvent;
import dev.skein.live.RunOutcome;
import dev.skein.message.Message;
import dev.skein.message.ToolCallId;
import dev.skein.message.Usage;
import dev.skein.model.ReplyFragment;
import dev.skein.session.Continuation;
import dev.skein.session.Ids;
import dev.skein.session.LoopRecord;
import dev.skein.session.LoopStatus;
import dev.skein.session.Scope;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.store.memory.MemorySessionStore;
import dev.skein.testkit.MutableClock;
import dev.skein.testkit.ScriptedModel;
import dev.skein.tool.ToolOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EngineTest {

    private final MutableClock clock = new MutableClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final MemorySessionStore store = new MemorySessionStore(clock, new Ids(clock, new Random(1)));
    private final SessionHandle session = store.create(NewSession.in(Scope.LOCAL));
    private final List<Duration> pauses = new ArrayList<>();
    private final Engine engine =
            new Engine(store, Workings.of(clock, new Random(2), (length, _) -> pauses.add(length)));
    private final List<LiveEvent.Body> heard = new ArrayList<>();
    private final Cancellation cancellation = new Cancellation();

    @Test
    void a_prompt_is_answered_and_both_are_kept() {
        var outcome = prompt(RunSettings.of(ScriptedModel.of(says("Hello!"))), "Hi");

        assertThat(outcome.status()).isEqualTo(LoopStatus.COMPLETED);
        assertThat(outcome.text()).isEqualTo("Hello!");
        assertThat(texts()).containsExactly("Hi", "Hello!");
        assertThat(session.state().usage()).isEqualTo(Usage.of(10, 5));
        assertThat(heard)
                .containsExactly(
                        new LiveEvent.Started(),
                        new LiveEvent.AssistantDelta("Hello!"),
                        new LiveEvent.AssistantMessageEnd("Hello!"),
                        new LiveEvent.Finished(outcome));
    }

    @Test
    void the_next_prompt_continues_the_conversation() {
        var settings = RunSettings.of(ScriptedModel.of(says("One."), says("Two.")));

        prompt(settings, "first");
        prompt(settings, "second");

        assertThat(texts()).containsExactly("first", "One.", "second", "Two.");
        assertThat(session.load().path())
                .extracting(loop -> loop.continuation().kind())
                .containsExactly(Continuation.Kind.INITIAL, Continuation.Kind.DEFAULT);
    }

    @Test
    void tools_run_and_their_results_go_back_in_the_order_asked() {
        var first = new CountDownLatch(1);
        var slow = TestTool.named("slow", (value, _) -> {
            first.await();
            return ToolOutcome.Answered.text("slow " + value);
        });
        var quick = TestTool.named("quick", (value, _) -> {
            first.countDown();
            return ToolOutcome.Answered.text("quick " + value);
        });
        var model =
                ScriptedModel.ofLines(List.of(List.of(asks("slow", "a"), asks("quick", "b")), List.of(says("Done."))));

        var outcome = prompt(RunSettings.of(model).withTools(slow, quick), "go");

        assertThat(outcome.turns()).isEqualTo(2);
        assertThat(texts()).containsExactly("go", "", "slow a", "quick b", "Done.");
        assertThat(head().turns()).hasSize(2);
    }

    @Test
    void a_failing_tool_is_reported_to_the_model_and_the_run_goes_on() {
        var broken = TestTool.named("weather", (_, _) -> {
            throw new IllegalStateException("no uplink");
        });

        var outcome = prompt(
                RunSettings.of(ScriptedModel.of(asks("weather", "x"), says("I cannot see the sky.")))
                        .withTools(broken),
                "Is it raining?");

        assertThat(outcome.status()).isEqualTo(LoopStatus.COMPLETED);
        assertThat(texts()).contains("The tool failed: no uplink");
    }

    @Test
    void a_tool_that_is_not_there_is_told_to_the_model() {
        prompt(RunSettings.of(ScriptedModel.of(asks("nothing", "x"), says("Sorry."))), "go");

        assertThat(texts()).anyMatch(text -> text.contains("there is no tool 'nothing'"));
    }

    @Test
    void a_tool_that_takes_too_long_is_ended_and_told() {
        var endless = TestTool.named("endless", (_, _) -> {
            new CountDownLatch(1).await();
            return ToolOutcome.Answered.text("never");
        });
        var limits = Limits.standard().withToolTimeMax(Duration.ofMillis(30));

        prompt(
                RunSettings.of(ScriptedModel.of(asks("endless", "x"), says("Too slow.")))
                        .withTools(endless)
                        .withLimits(limits),
                "go");

        assertThat(texts()).anyMatch(text -> text.startsWith("No answer within"));
    }

    @Test
    void a_long_result_is_cut_and_says_so() {
        var long_ = TestTool.named("long", (_, _) -> ToolOutcome.Answered.text("x".repeat(1_000)));

        prompt(
                RunSettings.of(ScriptedModel.of(asks("long", "x"), says("ok")))
                        .withTools(long_)
                        .withLimits(Limits.standard().withToolResultCharsMax(10)),
                "go");

        assertThat(texts()).contains("xxxxxxxxxx\n[cut: 1000 characters in all]");
    }

    @Test
    void sequential_tools_run_in_the_order_asked_and_never_overlap() {
        var running = new AtomicInteger();
        var most = new AtomicInteger();
        var ran = new ConcurrentLinkedQueue<String>();
        var tool = TestTool.named("t", (value, _) -> {
            ran.add(value);
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            running.decrementAndGet();
            return ToolOutcome.Answered.text(value);
        });
        var values = IntStream.range(0, 40).mapToObj(Integer::toString).toList();
        var model = ScriptedModel.ofLines(
                List.of(values.stream().map(value -> asks("t", value)).toList(), List.of(says("ok"))));

        prompt(RunSettings.of(model).withTools(tool).withToolOrder(new ToolOrder.Sequential()), "go");

        assertThat(most.get()).isEqualTo(1);
        assertThat(ran).containsExactlyElementsOf(values);
        assertThat(texts()).containsSubsequence(values);
    }

    @Test
    void a_call_that_needs_a_yes_waits_and_goes_on_after_it() {
        var tool = TestTool.answering("rm");
        var settings = RunSettings.of(ScriptedModel.of(asks("rm", "file"), says("Removed.")))
                .withTools(tool)
                .withPermissions((_, _) -> new Decision.Ask("it deletes"));

        var waiting = prompt(settings, "clean up");
        assertThat(waiting.status()).isEqualTo(LoopStatus.WAITING);
        assertThat(tool.runs()).isEmpty();
        assertThat(heard).anyMatch(LiveEvent.ApprovalRequired.class::isInstance);
        assertThatThrownBy(() -> prompt(settings, "hello?")).isInstanceOf(InvalidRequest.class);

        engine.decide(session, new ToolCallId("call-rm-file"), true, "ada", null);
        var outcome = run(settings, new RunRequest.Continue());

        assertThat(outcome.status()).isEqualTo(LoopStatus.COMPLETED);
        assertThat(outcome.loop()).isEqualTo(waiting.loop());
        assertThat(tool.runs()).containsExactly("file");
        assertThat(texts()).containsExactly("clean up", "", "rm of file", "Removed.");
    }

    @Test
    void a_no_goes_back_to_the_model() {
        var tool = TestTool.answering("rm");
        var settings = RunSettings.of(ScriptedModel.of(asks("rm", "file"), says("As you wish.")))
                .withTools(tool)
                .withPermissions((_, _) -> new Decision.Ask("it deletes"));
        prompt(settings, "clean up");

        engine.decide(session, new ToolCallId("call-rm-file"), false, "ada", "keep it");
        run(settings, new RunRequest.Continue());

        assertThat(tool.runs()).isEmpty();
        assertThat(texts()).containsExactly("clean up", "", "Not allowed: ada said no: keep it", "As you wish.");
    }

    @Test
    void a_rule_that_denies_is_told_to_the_model() {
        var tool = TestTool.answering("rm");

        prompt(
                RunSettings.of(ScriptedModel.of(asks("rm", "x"), says("Fine.")))
                        .withTools(tool)
                        .withPermissions((_, _) -> new Decision.Deny("no deletions here")),
                "go");

        assertThat(tool.runs()).isEmpty();
        assertThat(texts()).contains("Not allowed: no deletions here");
    }

    @Test
    void a_decision_about_nothing_is_refused() {
        assertThatThrownBy(() -> engine.decide(session, new ToolCallId("nope"), true, null, null))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("'nope'");
    }

    @Test
    void a_transient_failure_is_tried_again_after_a_growing_pause() {
        var failing = new Flaky(ScriptedModel.of(says("At last.")), 2, null);

        assertThat(prompt(RunSettings.of(failing), "hello").text()).isEqualTo("At last.");

        assertThat(pauses).hasSize(2);
        assertThat(pauses.get(1)).isGreaterThan(pauses.get(0));
    }

    @Test
    void the_provider_says_how_long_to_wait() {
        prompt(RunSettings.of(new Flaky(ScriptedModel.of(says("ok")), 1, Duration.ofSeconds(7))), "hello");

        assertThat(pauses).containsExactly(Duration.ofSeconds(7));
    }

    @Test
    void a_failure_for_good_ends_the_loop_and_the_next_run_continues_it() {
        assertThatThrownBy(() -> prompt(RunSettings.of(new Flaky(ScriptedModel.of(says("never")), 99, null)), "hello"))
                .isInstanceOf(ModelFailed.class);
        assertThat(head().status()).isEqualTo(LoopStatus.ABORTED);

        run(RunSettings.of(ScriptedModel.of(says("Here I am."))), new RunRequest.Continue());

        assertThat(texts()).containsExactly("hello", "Here I am.");
    }

    @Test
    void a_run_that_asks_for_tools_for_ever_is_stopped_at_the_limit() {
        var model = new Endless();
        var limits = Limits.standard().withTurnsMax(3).withSameCallMax(100);

        assertThatThrownBy(() -> prompt(
                        RunSettings.of(model).withTools(TestTool.answering("t")).withLimits(limits), "go"))
                .isInstanceOf(LimitReached.class)
                .hasMessageContaining("3 turns");

        assertThat(head().turns()).hasSize(3);
        assertThat(head().status()).isEqualTo(LoopStatus.ABORTED);
    }

    @Test
    void the_same_call_over_and_over_is_noticed() {
        assertThatThrownBy(() -> prompt(
                        RunSettings.of(new Endless())
                                .withTools(TestTool.answering("t"))
                                .withLimits(Limits.standard().withSameCallMax(2)),
                        "go"))
                .isInstanceOf(LimitReached.class)
                .hasMessageContaining("equal calls");
    }

    @Test
    void a_rejected_prompt_is_recorded_and_does_not_count() {
        var settings = RunSettings.of(ScriptedModel.of(says("ok")))
                .withFilters(_ -> new InputFilter.Verdict.Reject("not in this house"));

        var outcome = prompt(settings, "curse");

        assertThat(outcome.status()).isEqualTo(LoopStatus.REJECTED);
        assertThat(outcome.reason()).isEqualTo("not in this house");
        assertThat(texts()).isEmpty();
    }

    @Test
    void a_regenerated_answer_stands_beside_the_first() {
        var settings = RunSettings.of(ScriptedModel.of(says("One.")));
        prompt(settings, "say something");

        run(RunSettings.of(ScriptedModel.of(says("Two."))), new RunRequest.Regenerate());

        assertThat(texts()).containsExactly("say something", "Two.");
        assertThat(session.load().roots()).hasSize(2);
        assertThat(head().continuation().kind()).isEqualTo(Continuation.Kind.RERUN);
    }

    @Test
    void a_cancelled_run_keeps_what_was_said() {
        var model = new Talking(fragments -> {
            fragments.accept(new ReplyFragment.Text("Once upon"));
            cancellation.cancel("enough");
        });

        var outcome = prompt(RunSettings.of(model), "tell me a story");

        assertThat(outcome.status()).isEqualTo(LoopStatus.ABORTED);
        assertThat(outcome.reason()).contains("enough");
        assertThat(texts()).containsExactly("tell me a story", "Once upon");
    }

    @Test
    void cancelling_ends_a_running_tool_and_its_outcome_is_unknown_to_the_next_run() {
        var tool = TestTool.named("wait", (_, _) -> {
            cancellation.cancel("changed my mind");
            new CountDownLatch(1).await();
            return ToolOutcome.Answered.text("never");
        });
        var settings = RunSettings.of(ScriptedModel.of(asks("wait", "x"), says("I see.")))
                .withTools(tool);

        var cancelled = prompt(settings, "go");
        assertThat(cancelled.status()).isEqualTo(LoopStatus.ABORTED);
        var again = engine.run(RequestContext.of("r2", session, settings), new RunRequest.Continue(), Emitter.NONE);

        assertThat(again.status()).isEqualTo(LoopStatus.COMPLETED);
        assertThat(tool.runs()).hasSize(1);
        assertThat(texts()).anyMatch(text -> text.contains("may or may not have done its work"));
    }

    @Test
    void an_emitter_that_fails_costs_nothing_but_itself() {
        var context = RequestContext.of("r1", session, RunSettings.of(ScriptedModel.of(says("Hello!"))));
        Emitter failing = _ -> {
            throw new IllegalStateException("the client left");
        };

        assertThat(engine.run(context, RunRequest.Prompt.text("Hi"), failing).text())
                .isEqualTo("Hello!");
        assertThat(texts()).containsExactly("Hi", "Hello!");
    }

    @Test
    void there_is_nothing_to_continue_after_a_complete_answer() {
        var settings = RunSettings.of(ScriptedModel.of(says("ok")));
        assertThatThrownBy(() -> run(settings, new RunRequest.Continue())).hasMessageContaining("empty");
        prompt(settings, "hi");

        assertThatThrownBy(() -> run(settings, new RunRequest.Continue())).hasMessageContaining("complete");
    }

    private RunOutcome prompt(RunSettings settings, String text) {
        return run(settings, RunRequest.Prompt.text(text));
    }

    private RunOutcome run(RunSettings settings, RunRequest request) {
        Emitter collecting = event -> heard.add(event.body());
        return engine.run(RequestContext.of("r1", session, settings).with(cancellation), request, collecting);
    }

    private List<String> texts() {
        return session.context(100).messages().stream().map(Message::text).toList();
    }

    private LoopRecord head() {
        return session.load().path().getLast();
    }
}
