package dev.skein.engine;

import static dev.skein.testkit.ScriptedModel.asks;
import static dev.skein.testkit.ScriptedModel.says;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.engine.compaction.Compaction;
import dev.skein.engine.compaction.ExtractiveSummarizer;
import dev.skein.engine.compaction.ModelSummarizer;
import dev.skein.live.Emitter;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.session.Ids;
import dev.skein.session.Scope;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.store.memory.MemorySessionStore;
import dev.skein.testkit.MutableClock;
import dev.skein.testkit.ScriptedModel;
import dev.skein.tool.ToolOutcome;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

class EngineCompactionTest {

    private static final String SUMMARY = "[Summary of the conversation so far]\n";

    private final MutableClock clock = new MutableClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final MemorySessionStore store = new MemorySessionStore(clock, new Ids(clock, new Random(1)));
    private final SessionHandle session = store.create(NewSession.in(Scope.LOCAL));
    private final Engine engine = new Engine(store, Workings.of(clock, new Random(2), (_, _) -> {}));
    private final Compaction compaction = new Compaction(0, 1, 2, new ExtractiveSummarizer(1_000));

    @Test
    void first_and_last_turns_stay_and_what_lies_between_is_a_summary() {
        talk(5);

        var block = engine.compress(context(), compaction, Emitter.NONE);

        assertThat(block).isPresent();
        assertThat(texts())
                .containsExactly(
                        "q0",
                        "a0",
                        SUMMARY + "user: q1\nassistant: a1\nuser: q2\nassistant: a2",
                        "q3",
                        "a3",
                        "q4",
                        "a4");
        assertThat(session.load().loops()).hasSize(5);
    }

    @Test
    void removing_the_summary_brings_the_originals_back() {
        talk(5);
        var before = texts();
        var block = engine.compress(context(), compaction, Emitter.NONE).orElseThrow();

        engine.removeSummary(session, block.id());

        assertThat(texts()).isEqualTo(before);
    }

    @Test
    void a_second_summary_includes_the_first() {
        talk(5);
        engine.compress(context(), compaction, Emitter.NONE);
        talk(3);

        engine.compress(context(), compaction, Emitter.NONE);

        assertThat(texts()).hasSize(7);
        assertThat(texts().get(2)).contains("q1").contains("q4");
        assertThat(texts().getLast()).isEqualTo("a2");
    }

    @Test
    void a_short_conversation_is_left_alone() {
        talk(3);

        assertThat(engine.compress(context(), compaction, Emitter.NONE)).isEmpty();
        assertThat(texts()).hasSize(6);
    }

    @Test
    void tool_calls_stay_with_their_results() {
        var model = ScriptedModel.ofLines(List.of(
                List.of(asks("t", "1")), List.of(asks("t", "2")), List.of(asks("t", "3")), List.of(says("done"))));
        engine.run(
                RequestContext.of("r", session, RunSettings.of(model).withTools(TestTool.answering("t"))),
                RunRequest.Prompt.text("go"),
                Emitter.NONE);

        engine.compress(context(), new Compaction(0, 0, 2, new ExtractiveSummarizer(1_000)), Emitter.NONE);

        assertThat(texts()).containsExactly(SUMMARY + "user: go", "", "t of 3", "done");
    }

    @Test
    void a_conversation_that_grew_too_long_is_summarised_before_the_next_turn_by_a_model() {
        talk(4);
        var rule = new Compaction(2, 0, 1, ModelSummarizer.with(ScriptedModel.of(says("They counted."))));
        var settings =
                RunSettings.of(ScriptedModel.of(says("x"), says("Five."))).withCompaction(rule);

        engine.run(RequestContext.of("r", session, settings), RunRequest.Prompt.text("And then?"), Emitter.NONE);

        assertThat(texts()).containsExactly(SUMMARY + "They counted.", "q3", "a3", "And then?", "Five.");
    }

    @Test
    void the_todo_list_is_taken_over_word_for_word_by_every_summary() {
        var todo = TestTool.named(
                "todo",
                (_, _) -> new ToolOutcome.Answered(
                        List.of(says("1. [ ] buy milk")),
                        JsonNodeFactory.instance.objectNode().put("revision", 7),
                        null));
        engine.run(
                RequestContext.of(
                        "r",
                        session,
                        RunSettings.of(ScriptedModel.of(asks("todo", "x"), says("Noted.")))
                                .withTools(todo)),
                RunRequest.Prompt.text("Remember the milk."),
                Emitter.NONE);
        var all = new Compaction(0, 0, 1, new ExtractiveSummarizer(10));
        talk(2);
        engine.compress(context(), all, Emitter.NONE);
        talk(2);

        engine.compress(context(), all, Emitter.NONE);

        var summary = session.context(100).messages().getFirst();
        assertThat(summary.text()).endsWith("Todo list:\n1. [ ] buy milk");
        assertThat(summary.metadata().get("todo").path("data").path("revision").asInt())
                .isEqualTo(7);
    }

    private void talk(int exchanges) {
        for (int i = 0; i < exchanges; i++) {
            var spoken = (int) session.context(1_000).messages().stream()
                    .filter(message -> message.role() == Role.ASSISTANT)
                    .count();
            var lines = new ArrayList<Part>(Collections.nCopies(spoken, says("")));
            lines.add(says("a" + i));
            engine.run(context(lines.toArray(Part[]::new)), RunRequest.Prompt.text("q" + i), Emitter.NONE);
        }
    }

    private RequestContext context(Part... lines) {
        return RequestContext.of("r", session, RunSettings.of(ScriptedModel.of(lines)));
    }

    private List<String> texts() {
        return session.context(1_000).messages().stream().map(Message::text).toList();
    }
}
