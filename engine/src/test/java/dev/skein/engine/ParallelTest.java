package dev.skein.engine;

import static dev.skein.testkit.ScriptedModel.asks;
import static dev.skein.testkit.ScriptedModel.says;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.engine.limit.Limits;
import dev.skein.live.Emitter;
import dev.skein.live.RunOutcome;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Usage;
import dev.skein.session.Continuation;
import dev.skein.session.Ids;
import dev.skein.session.LoopStatus;
import dev.skein.session.Scope;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.store.memory.MemorySessionStore;
import dev.skein.testkit.MutableClock;
import dev.skein.testkit.ScriptedModel;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ParallelTest {

    private final MutableClock clock = new MutableClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final MemorySessionStore store = new MemorySessionStore(clock, new Ids(clock, new Random(1)));
    private final SessionHandle session = store.create(NewSession.in(Scope.LOCAL));
    private final Engine engine = new Engine(store, Workings.of(clock, new Random(2), (_, _) -> {}));

    @Test
    void all_branches_are_kept_and_the_conversation_goes_on_from_the_chosen_one() {
        var outcome =
                parallel(new Choice.MostElaborate(), says("Short."), says("A much longer answer."), says("Mid one."));

        assertThat(outcome.selected()).isEqualTo(1);
        assertThat(texts()).containsExactly("Say it.", "A much longer answer.");
        var loaded = session.load();
        assertThat(loaded.loops()).hasSize(3).allMatch(loop -> loop.status() == LoopStatus.COMPLETED);
        assertThat(loaded.parallelSiblings(outcome.winner().loop())).hasSize(3);
        assertThat(loaded.loops()).allMatch(loop -> loop.continuation().kind() == Continuation.Kind.BRANCH);

        engine.run(
                context(ScriptedModel.of(says("x"), says("And on."))), RunRequest.Prompt.text("Go on."), Emitter.NONE);
        assertThat(texts()).containsExactly("Say it.", "A much longer answer.", "Go on.", "And on.");
    }

    @Test
    void the_first_is_the_first_in_order_that_completed() {
        var failing = RunSettings.of(ScriptedModel.of(asks("t", "x")))
                .withLimits(Limits.standard().withTurnsMax(1));
        var good = RunSettings.of(ScriptedModel.of(says("Here.")));

        var outcome = engine.parallel(
                context(ScriptedModel.of(says("unused"))),
                RunRequest.Prompt.text("Say it."),
                List.of(failing, good),
                new Choice.First(),
                Emitter.NONE);

        assertThat(outcome.selected()).isEqualTo(1);
        assertThat(outcome.branches())
                .extracting(RunOutcome::status)
                .containsExactly(LoopStatus.ABORTED, LoopStatus.COMPLETED);
        assertThat(texts()).containsExactly("Say it.", "Here.");
    }

    @Test
    void a_judge_reads_the_answers_and_its_tokens_are_counted() {
        var outcome = parallel(
                new Choice.Judge(ScriptedModel.of(says("Number 3, clearly."))), says("a"), says("b"), says("c"));

        assertThat(outcome.selected()).isEqualTo(2);
        assertThat(outcome.evaluationUsage()).isEqualTo(Usage.of(10, 5));
        assertThat(session.state().usage()).isEqualTo(Usage.of(40, 20));
    }

    @Test
    void the_caller_may_choose() {
        var outcome = parallel(new Choice.Transparent(List::size), says("a"), says("b"));
        assertThat(outcome.selected())
                .as("an index that is none chooses the first")
                .isZero();

        assertThat(parallel(new Choice.Transparent(_ -> 1), says("a"), says("b"))
                        .selected())
                .isOne();
    }

    @Test
    void an_exchange_taken_back_is_not_in_the_conversation_but_in_the_session() {
        engine.run(context(ScriptedModel.of(says("One."))), RunRequest.Prompt.text("first"), Emitter.NONE);
        engine.run(
                context(ScriptedModel.of(says("One."), says("Two."))), RunRequest.Prompt.text("second"), Emitter.NONE);

        engine.undo(session);

        assertThat(texts()).containsExactly("first", "One.");
        assertThat(session.load().loops()).hasSize(2);
    }

    private ParallelOutcome parallel(Choice choice, Part... lines) {
        var settings = Arrays.stream(lines)
                .map(line -> RunSettings.of(ScriptedModel.of(line, line)))
                .toList();
        return engine.parallel(
                context(ScriptedModel.of(lines)), RunRequest.Prompt.text("Say it."), settings, choice, Emitter.NONE);
    }

    private RequestContext context(ScriptedModel model) {
        return RequestContext.of("r", session, RunSettings.of(model));
    }

    private List<String> texts() {
        return session.context(100).messages().stream().map(Message::text).toList();
    }
}
