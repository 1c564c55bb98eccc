package dev.skein.engine.household;

import static dev.skein.testkit.ScriptedModel.asks;
import static dev.skein.testkit.ScriptedModel.says;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.cancellation.Cancellation;
import dev.skein.engine.Engine;
import dev.skein.engine.RequestContext;
import dev.skein.engine.RunRequest;
import dev.skein.engine.RunSettings;
import dev.skein.engine.Workings;
import dev.skein.live.Emitter;
import dev.skein.live.RunOutcome;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.ToolCallId;
import dev.skein.session.ChildLoopRef;
import dev.skein.session.Ids;
import dev.skein.session.LoopStatus;
import dev.skein.session.Scope;
import dev.skein.session.Session;
import dev.skein.session.Trigger;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.store.memory.MemorySessionStore;
import dev.skein.testkit.MutableClock;
import dev.skein.testkit.ScriptedModel;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolRequest;
import dev.skein.tool.ToolSpec;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

class SubAgentTest {

    private static final Scope HELPERS = new Scope(Scope.LOCAL_OWNER, "helper");

    private final MutableClock clock = new MutableClock(Instant.parse("2026-01-01T00:00:00Z"));
    private final Workings workings = Workings.of(clock, new Random(2), (_, _) -> {});
    private final MemorySessionStore store = new MemorySessionStore(clock, new Ids(clock, new Random(1)));
    private final Engine engine = new Engine(store, workings);
    private final SessionHandle parent = store.create(NewSession.in(Scope.LOCAL));
    private final Cancellation cancellation = new Cancellation();
    private final AtomicInteger counted = new AtomicInteger();

    @Test
    void a_sub_agent_works_in_a_session_of_its_own_linked_both_ways() {
        var outcome = run(new RunRequest.Prompt(List.of(new Part.Text("Delegate."))), new Cancellation(), _ -> {});

        assertThat(outcome.text()).isEqualTo("It says 42.");
        var loop = parent.load().path().getFirst();
        assertThat(loop.childRefs()).hasSize(1);
        var link = loop.childRefs().getFirst();
        var child = store.open(HELPERS, link.session()).load();
        assertThat(child.path().getFirst().id()).isEqualTo(link.loop());
        assertThat(child.path().getFirst().trigger()).isEqualTo(Trigger.SUB_AGENT);
        var spawn = child.state().opened().spawn();
        assertThat(spawn).isNotNull();
        assertThat(spawn.session()).isEqualTo(parent.id());
        assertThat(spawn.loop()).isEqualTo(loop.id());
        assertThat(spawn.toolCall()).isEqualTo("delegate-1");
        assertThat(texts(child)).containsExactly("What is the answer?", "", "counted", "42");
    }

    @Test
    void a_sub_agent_that_was_interrupted_is_taken_further_and_not_started_twice() {
        var first = run(
                new RunRequest.Prompt(List.of(new Part.Text("Delegate."))),
                cancellation,
                _ -> cancellation.cancel("the lights went out"));
        assertThat(first.status()).isEqualTo(LoopStatus.ABORTED);

        var outcome = run(new RunRequest.Continue(), new Cancellation(), _ -> {});

        assertThat(outcome.text()).isEqualTo("It says 42.");
        var refs = parent.load().loops().stream()
                .flatMap(loop -> loop.childRefs().stream())
                .distinct()
                .toList();
        assertThat(refs).as("one child, known to both loops").hasSize(1);
        var child = store.open(HELPERS, refs.getFirst().session()).load();
        assertThat(child.loops()).hasSize(2);
        assertThat(child.path().getLast().status()).isEqualTo(LoopStatus.COMPLETED);
        assertThat(counted.get())
                .as("its own tool, which may not be repeated, ran once")
                .isEqualTo(1);
    }

    @Test
    void a_sub_agent_that_had_finished_answers_again_without_working_again() {
        var call = new Part.ToolCall(
                new ToolCallId("delegate-1"),
                "delegate",
                JsonNodeFactory.instance.objectNode().put("task", "What is the answer?"),
                null);
        run(new RunRequest.Prompt(List.of(new Part.Text("Delegate."))), new Cancellation(), _ -> {});
        var link = parent.load().path().getFirst().childRefs().getFirst();
        var again = new ToolRequest(
                call,
                parent.id(),
                link.loop(),
                _ -> {},
                new ToolRequest.Child() {
                    @Override
                    public Optional<ChildLoopRef> started() {
                        return Optional.of(link);
                    }

                    @Override
                    public void start(ChildLoopRef ref) {
                        throw new AssertionError("it was started before");
                    }
                },
                List::of);

        var outcome = subAgent(new Counting(_ -> {})).run(again, new Cancellation());

        assertThat(((ToolOutcome.Answered) outcome).child()).isEqualTo(link);
        assertThat(counted.get()).isEqualTo(1);
    }

    @Test
    void a_task_without_words_is_refused() {
        var call = new Part.ToolCall(new ToolCallId("d"), "delegate", JsonNodeFactory.instance.objectNode(), null);

        var outcome = subAgent(new Counting(_ -> {}))
                .run(ToolRequest.of(call, parent.id(), workings.ids().loop()), new Cancellation());

        assertThat(outcome).isInstanceOf(ToolOutcome.Failed.class);
    }

    private RunOutcome run(RunRequest request, Cancellation stop, Consumer<String> whileCounting) {
        var delegate = new Part.ToolCall(
                new ToolCallId("delegate-1"),
                "delegate",
                JsonNodeFactory.instance.objectNode().put("task", "What is the answer?"),
                null);
        var settings = RunSettings.of(ScriptedModel.of(delegate, says("It says 42.")))
                .withTools(subAgent(new Counting(whileCounting)));
        return engine.run(RequestContext.of("r", parent, settings).with(stop), request, Emitter.NONE);
    }

    private SubAgent subAgent(Tool counting) {
        var settings =
                RunSettings.of(ScriptedModel.of(asks("count", "x"), says("42"))).withTools(counting);
        return new SubAgent(engine, store, workings.ids(), HELPERS, "delegate", "Has somebody else do it.", settings);
    }

    private static List<String> texts(Session session) {
        return session.context(100).messages().stream().map(Message::text).toList();
    }

    /// Counts how often it ran.
    private final class Counting implements Tool {
        private final Consumer<String> whileRunning;

        Counting(Consumer<String> whileRunning) {
            this.whileRunning = whileRunning;
        }

        @Override
        public ToolSpec spec() {
            return new ToolSpec(
                    "count",
                    "Counts.",
                    JsonNodeFactory.instance.objectNode(),
                    ToolSpec.Repeat.UNSAFE,
                    ToolSpec.Effect.READS);
        }

        @Override
        public ToolOutcome run(ToolRequest request, Cancellation stop) throws InterruptedException {
            counted.incrementAndGet();
            whileRunning.accept("counting");
            if (stop.isCancelled()) {
                throw new InterruptedException();
            }
            return ToolOutcome.Answered.text("counted");
        }
    }
}
