package dev.skein.engine;

import static dev.skein.testkit.ScriptedModel.asks;
import static dev.skein.testkit.ScriptedModel.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.cancellation.Cancellation;
import dev.skein.engine.output.Shapes;
import dev.skein.engine.permission.Permissions.Decision;
import dev.skein.failure.InvalidRequest;
import dev.skein.failure.OutputInvalid;
import dev.skein.live.Emitter;
import dev.skein.live.LiveEvent;
import dev.skein.live.LiveJson;
import dev.skein.live.RunOutcome;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.model.Model;
import dev.skein.model.ModelName;
import dev.skein.model.ModelReply;
import dev.skein.model.ModelRequest;
import dev.skein.model.ReplyFragment;
import dev.skein.model.Sampling;
import dev.skein.session.LoopConfigSnapshot;
import dev.skein.session.LoopStatus;
import dev.skein.session.OutputShape;
import dev.skein.session.Scope;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.testkit.ScriptedModel;
import dev.skein.wire.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A run whose answer has to look like something.
class StructuredOutputTest {

    private static final OutputShape PRICE = Shapes.of("price", Json.MAPPER.readTree("""
                    {"type":"object","properties":{"price":{"type":"number"}},"required":["price"]}"""));

    private final Bed bed = new Bed();

    @Test
    void an_answer_that_fits_ends_the_run() {
        var outcome = bed.prompt(priced(says("{\"price\":1.50}")), "What is it?");

        assertThat(outcome.status()).isEqualTo(LoopStatus.COMPLETED);
        assertThat(outcome.output()).hasToString("{\"price\":1.50}");
        assertThat(bed.head().outputShape()).isEqualTo(PRICE);
        assertThat(RunOutcome.of(bed.head()).output()).isEqualTo(outcome.output());
        assertThat(LiveJson.response("r", outcome).path("structured_output")).isEqualTo(outcome.output());
    }

    @Test
    void a_fence_is_no_part_of_the_value_but_stays_in_the_journal() {
        var outcome = bed.prompt(priced(says("```json\n{\"price\":2}\n```")), "What is it?");

        assertThat(outcome.output()).hasToString("{\"price\":2}");
        assertThat(outcome.text()).isEqualTo("```json\n{\"price\":2}\n```");
        assertThat(outcome.turns()).isEqualTo(1);
    }

    @Test
    void a_model_hears_what_is_wrong_and_answers_again() {
        var outcome = bed.prompt(
                priced(says("It costs 3."), says("{\"price\":\"3\"}"), says("{\"price\":3}")), "What is it?");

        assertThat(outcome.output()).hasToString("{\"price\":3}");
        assertThat(outcome.turns()).isEqualTo(3);
        assertThat(outcome.usage().totalTokens()).as("counted like any turn").isEqualTo(3 * 15);
        assertThat(bed.texts().get(2)).contains("not JSON", "Unrecognized token 'It'", "Answer again");
        assertThat(bed.texts().get(4)).contains("/price: string found, number expected");
        assertThat(bed.heard()).filteredOn(LiveEvent.Warning.class::isInstance).hasSize(2);
        assertThat(RunOutcome.of(bed.head())).isEqualTo(outcome);
    }

    @Test
    void a_model_that_will_not_is_given_up_on() {
        var settings = priced(says("no"), says("never"), says("{\"price\":null}"), says("{\"price\":4}"));

        assertThatThrownBy(() -> bed.prompt(settings, "What is it?"))
                .isInstanceOf(OutputInvalid.class)
                .hasMessageContaining("gave 3 answers")
                .hasMessageContaining("/price: null found, number expected");

        assertThat(bed.head().status()).isEqualTo(LoopStatus.ABORTED);
        assertThat(bed.texts()).as("what was said is kept").endsWith("{\"price\":null}");
        assertThat(bed.heard().getLast())
                .isInstanceOfSatisfying(
                        LiveEvent.Failed.class,
                        failed -> assertThat(failed.code()).isEqualTo("model.output_invalid"));
        assertThat(RunOutcome.of(bed.head()).usage().totalTokens()).isEqualTo(3 * 15);
        assertThat(RunOutcome.of(bed.head()).output()).isNull();
    }

    @Test
    void after_that_going_on_asks_for_the_same_again() {
        var model = ScriptedModel.of(says("no"), says("never"), says("not ever"), says("{\"price\":4}"));
        assertThatThrownBy(() -> bed.prompt(shaped(model), "What is it?")).isInstanceOf(OutputInvalid.class);

        var outcome = bed.run(RunSettings.of(model), new RunRequest.Continue());

        assertThat(outcome.output()).hasToString("{\"price\":4}");
        assertThat(bed.texts()).element(6).asString().contains("not JSON");
    }

    @Test
    void tools_run_before_the_answer_and_between_answers() {
        var look = TestTool.answering("look");
        var settings = priced(asks("look", "a"), says("hm"), asks("look", "b"), says("{\"price\":5}"))
                .withTools(look);

        assertThat(bed.prompt(settings, "What is it?").output()).hasToString("{\"price\":5}");
        assertThat(look.runs()).containsExactly("a", "b");
    }

    @Test
    void a_loop_that_waited_keeps_its_shape_and_counts_on() {
        var model = ScriptedModel.of(says("no"), asks("rm", "a"), says("never"), says("{\"price\":6}"));
        var settings = RunSettings.of(model)
                .withTools(TestTool.answering("rm"))
                .withPermissions((_, _) -> new Decision.Ask("it deletes"));
        assertThat(bed.prompt(settings.withShape(PRICE), "What is it?").status())
                .isEqualTo(LoopStatus.WAITING);
        var call = Approvals.waiting(bed.session).getFirst().call();
        bed.engine.decide(bed.session, call, true, "me", null);

        var outcome = bed.run(settings, new RunRequest.Continue());

        assertThat(outcome.output()).hasToString("{\"price\":6}");
        assertThat(bed.head().messages())
                .filteredOn(message -> message.metadata().containsKey(RunOutcome.OUTPUT_RETRY))
                .extracting(message ->
                        message.metadata().get(RunOutcome.OUTPUT_RETRY).intValue())
                .containsExactly(1, 2);
    }

    @Test
    void another_try_at_the_last_prompt_keeps_its_shape_and_the_next_prompt_has_none() {
        bed.prompt(priced(says("{\"price\":7}")), "What is it?");

        var again = bed.run(RunSettings.of(ScriptedModel.of(says("{\"price\":8}"))), new RunRequest.Regenerate());
        var next = bed.prompt(RunSettings.of(ScriptedModel.of(says("-"), says("You are welcome."))), "Thank you.");

        assertThat(again.output()).hasToString("{\"price\":8}");
        assertThat(next.output()).isNull();
        assertThat(next.text()).isEqualTo("You are welcome.");
    }

    @ParameterizedTest
    @EnumSource
    void a_crash_around_any_write_ends_in_the_same_value(DoomedHandle.Moment moment) {
        var model = ScriptedModel.of(asks("look", "a"), says("hm"), says("{\"price\":9}"));
        for (int append = 1; append <= 8; append++) {
            var session = bed.store.create(NewSession.in(Scope.LOCAL));
            var doomed = new DoomedHandle(session, append, moment);
            assertThatThrownBy(() -> run(doomed, shaped(model), RunRequest.Prompt.text("What is it?")))
                    .as("append %d, %s", append, moment)
                    .isInstanceOf(DoomedHandle.Crash.class);

            carryOn(session, model);

            assertThat(RunOutcome.of(session.load().path().getLast()).output())
                    .as("append %d, %s", append, moment)
                    .hasToString("{\"price\":9}");
            assertThat(session.context(100).messages())
                    .extracting(Message::text)
                    .filteredOn(text -> text.contains("not JSON"))
                    .hasSize(1);
        }
    }

    private void carryOn(SessionHandle session, Model model) {
        try {
            run(session, RunSettings.of(model).withTools(look()), new RunRequest.Continue());
        } catch (InvalidRequest e) {
            if (String.valueOf(e.getMessage()).contains("empty")) {
                run(session, shaped(model).withTools(look()), RunRequest.Prompt.text("What is it?"));
            } else {
                assertThat(e).hasMessageContaining("complete");
            }
        }
    }

    private RunOutcome run(SessionHandle session, RunSettings settings, RunRequest request) {
        return bed.engine.run(RequestContext.of("r", session, settings.withTools(look())), request, Emitter.NONE);
    }

    private static TestTool look() {
        return TestTool.answering("look").repeatable();
    }

    @Test
    void a_model_whose_provider_does_not_see_to_it_is_told() {
        var heard = new ArrayList<ModelRequest>();

        bed.prompt(
                RunSettings.of(new Listening(heard, false))
                        .withSystem("Be brief.")
                        .withShape(PRICE),
                "What is it?");

        assertThat(heard.getFirst().shape()).isNull();
        assertThat(heard.getFirst().system())
                .startsWith("Be brief.\n\n")
                .contains("JSON Schema", PRICE.schema().toString());
    }

    @Test
    void a_model_whose_provider_does_is_not() {
        var heard = new ArrayList<ModelRequest>();

        bed.prompt(RunSettings.of(new Listening(heard, true)).withShape(PRICE), "What is it?");

        assertThat(heard.getFirst().shape()).isEqualTo(PRICE);
        assertThat(heard.getFirst().system()).isNull();
    }

    /// Keeps what it is asked.
    private record Listening(List<ModelRequest> heard, boolean holds) implements Model {
        @Override
        public ModelName name() {
            return new ModelName("test", "listening");
        }

        @Override
        public LoopConfigSnapshot snapshot(Sampling sampling) {
            return LoopConfigSnapshot.of("test", "listening");
        }

        @Override
        public boolean holds(OutputShape shape, boolean withTools) {
            return holds;
        }

        @Override
        public ModelReply reply(ModelRequest request, Consumer<ReplyFragment> fragments, Cancellation cancellation) {
            heard.add(request);
            return ScriptedModel.of(says("{\"price\":1}")).reply(request, fragments, cancellation);
        }
    }

    private static RunSettings priced(Part... lines) {
        return shaped(ScriptedModel.of(lines));
    }

    private static RunSettings shaped(Model model) {
        return RunSettings.of(model).withShape(PRICE);
    }
}
