package dev.skein.engine.household;

import static dev.skein.engine.household.AgentBed.all;
import static dev.skein.engine.household.AgentBed.calls;
import static dev.skein.engine.household.AgentBed.firstId;
import static dev.skein.engine.household.AgentBed.says;
import static dev.skein.engine.household.AgentBed.spawns;
import static dev.skein.engine.household.AgentBed.texts;
import static dev.skein.engine.household.AgentBed.turn;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import dev.skein.cancellation.Cancellation;
import dev.skein.engine.Approvals;
import dev.skein.engine.RunRequest;
import dev.skein.engine.agent.AgentSpec;
import dev.skein.failure.ModelFailed;
import dev.skein.message.Part;
import dev.skein.message.ToolCallId;
import dev.skein.model.ModelName;
import dev.skein.model.ModelRequest;
import dev.skein.session.Entry;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopStatus;
import dev.skein.session.Trigger;
import dev.skein.store.SessionHandle;
import dev.skein.tool.ToolRequest;
import dev.skein.tool.ToolSpec;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AgentRuntimeTest {

    private final AgentBed bed = new AgentBed();

    @Test
    void siblings_work_at_the_same_time_each_with_its_own_tools_in_a_session_of_its_own() {
        var both = new CountDownLatch(2);
        for (var name : List.of("look", "count")) {
            bed.tool(name, ToolSpec.Effect.READS, (_, _) -> {
                both.countDown();
                assertThat(both.await(60, TimeUnit.SECONDS)).isTrue();
                return name + " done";
            });
        }
        bed.agent("looker", List.of("look"), List.of(), request -> using(request, "look"));
        bed.agent("counter", List.of("count"), List.of(), request -> using(request, "count"));
        bed.agent("boss", List.of(), List.of("looker", "counter"), request -> switch (turn(request)) {
            case 0 -> List.of(spawns("s1", "looker", "Look."), spawns("s2", "counter", "Count."));
            case 1 -> List.of(calls("c", "agent_collect"));
            default -> says(all(request).contains("look done") && all(request).contains("count done") ? "both" : "no");
        });
        var root = bed.session("boss");

        var outcome = bed.prompt(root, "Go.");

        assertThat(outcome.text()).isEqualTo("both");
        var loop = root.load().path().getFirst();
        assertThat(loop.childRefs()).hasSize(2);
        var child = bed.sessionsOf("looker").getFirst();
        var link = loop.childRefs().stream()
                .filter(ref -> ref.session().equals(child.id()))
                .findFirst()
                .orElseThrow();
        assertThat(child.load().path().getFirst().id()).isEqualTo(link.loop());
        assertThat(child.load().path().getFirst().trigger()).isEqualTo(Trigger.SUB_AGENT);
        assertThat(child.state().opened().spawn().session()).isEqualTo(root.id());
        assertThat(child.state().opened().spawn().loop()).isEqualTo(loop.id());
    }

    /// Calls the one tool it was offered, and then says what came of it.
    private static List<Part> using(ModelRequest request, String tool) {
        assertThat(request.tools().stream().map(ToolSpec::name)).containsExactly(tool);
        return turn(request) == 0
                ? List.of(calls("t", tool))
                : says(request.messages().getLast().text());
    }

    @Test
    void an_agent_that_would_rest_hears_first_what_those_it_started_have_to_say() {
        bed.agent("helper", List.of(), List.of(), _ -> says("forty-two"));
        bed.agent(
                "boss",
                List.of(),
                List.of("helper"),
                request -> turn(request) == 0
                        ? List.of(spawns("s1", "helper", "What is it?"))
                        : says(all(request).contains("forty-two") ? "It is forty-two." : "I wait."));
        var root = bed.session("boss");

        assertThat(bed.prompt(root, "Go.").text()).isEqualTo("It is forty-two.");
        assertThat(texts(root)).anyMatch(text -> text.contains("The sub-agent helper") && text.contains("forty-two"));
        assertThat(root.load().loops()).hasSize(1);
    }

    @Test
    void what_the_place_says_reaches_every_agent_that_works_there_and_once() {
        var told = new ConcurrentHashMap<String, String>();
        bed.workplace = system -> system + "\n\nUse tabs.";
        bed.agent("lead", List.of(), List.of("helper"), request -> {
            told.put("lead", String.valueOf(request.system()));
            return turn(request) == 0 ? List.of(spawns("one", "helper", "Go.")) : says("done");
        });
        bed.agent("helper", List.of(), List.of(), request -> {
            told.put("helper", String.valueOf(request.system()));
            return says("helped");
        });

        bed.prompt(bed.session("lead"), "Go.");

        assertThat(told)
                .containsOnly(
                        entry("lead", "You are lead.\n\nUse tabs."), entry("helper", "You are helper.\n\nUse tabs."));
    }

    @Test
    void those_beyond_the_limit_wait_for_their_turn() {
        bed.atOnce = 2;
        var now = new AtomicInteger();
        var most = new AtomicInteger();
        var twoAreThere = new CountDownLatch(2);
        bed.tool("work", ToolSpec.Effect.READS, (_, _) -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            twoAreThere.countDown();
            assertThat(twoAreThere.await(60, TimeUnit.SECONDS)).isTrue();
            now.decrementAndGet();
            return "worked";
        });
        bed.agent("helper", List.of("work"), List.of(), request -> using(request, "work"));
        bed.agent("boss", List.of(), List.of("helper"), request -> switch (turn(request)) {
            case 0 ->
                List.of(
                        spawns("s1", "helper", "1"),
                        spawns("s2", "helper", "2"),
                        spawns("s3", "helper", "3"),
                        spawns("s4", "helper", "4"),
                        spawns("s5", "helper", "5"));
            case 1 -> List.of(calls("c", "agent_collect"));
            default -> says("all");
        });

        assertThat(bed.prompt(bed.session("boss"), "Go.").text()).isEqualTo("all");

        assertThat(most.get()).isEqualTo(2);
        assertThat(bed.sessionsOf("helper"))
                .hasSize(5)
                .allMatch(session -> texts(session).contains("worked"));
    }

    @Test
    void of_those_started_at_once_only_as_many_are_let_in_as_there_are_places() {
        bed.family = 3;
        var open = new CountDownLatch(1);
        bed.tool("work", ToolSpec.Effect.READS, (_, _) -> {
            await(open);
            return "worked";
        });
        bed.agent("helper", List.of("work"), List.of(), request -> using(request, "work"));
        bed.agent("boss", List.of(), List.of("helper"), request -> switch (turn(request)) {
            case 0 ->
                IntStream.range(0, 8)
                        .mapToObj(i -> spawns("s" + i, "helper", "" + i))
                        .toList();
            case 1 -> {
                open.countDown();
                yield List.of(calls("c", "agent_collect"));
            }
            default -> says("all");
        });
        var root = bed.session("boss");

        assertThat(bed.prompt(root, "Go.").text()).isEqualTo("all");

        assertThat(texts(root))
                .filteredOn(text -> text.contains("there are 3 sub-agents at work already"))
                .hasSize(5);
        assertThat(root.load().path().getFirst().childRefs()).hasSize(3);
        assertThat(bed.sessionsOf("helper")).hasSize(3);
    }

    @Test
    void one_that_was_refused_is_not_started_later() {
        bed.family = 1;
        var open = new CountDownLatch(1);
        bed.tool("work", ToolSpec.Effect.READS, (_, _) -> {
            await(open);
            return "worked";
        });
        bed.agent("helper", List.of("work"), List.of(), request -> using(request, "work"));
        bed.agent("boss", List.of(), List.of("helper"), request -> switch (turn(request)) {
            case 0 -> List.of(spawns("s1", "helper", "1"));
            case 1 -> List.of(spawns("s2", "helper", "2"));
            case 2 -> {
                open.countDown();
                yield List.of(calls("c", "agent_collect"));
            }
            default -> {
                bed.cancellation.cancel("enough");
                yield List.of(calls("l", "agent_list"));
            }
        });
        var root = bed.session("boss");
        assertThat(bed.prompt(root, "Go.").status()).isEqualTo(LoopStatus.ABORTED);
        assertThat(texts(root)).anyMatch(text -> text.contains("there are 1 sub-agents at work already"));

        bed.cancellation = new Cancellation();
        bed.minds.put("boss", _ -> says("all"));

        assertThat(bed.run(root, new RunRequest.Continue()).text()).isEqualTo("all");
        assertThat(bed.sessionsOf("helper")).hasSize(1);
    }

    @Test
    void one_that_could_not_be_announced_takes_no_place() throws InterruptedException {
        bed.family = 1;
        bed.agent("helper", List.of(), List.of(), _ -> says("helped"));
        bed.agent("boss", List.of(), List.of("helper"), _ -> says("hello"));
        var root = bed.session("boss");
        bed.prompt(root, "Go.");
        var context = bed.context(root);
        var head = root.state().head();
        var spawn = context.settings().tools().stream()
                .filter(tool -> tool.spec().name().equals("agent_spawn"))
                .findFirst()
                .orElseThrow();
        var request = ToolRequest.of((Part.ToolCall) spawns("s1", "helper", "1"), root.id(), head.loop());

        try (var company = context.settings().companions().join(context, head, _ -> {}, new Cancellation())) {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> spawn.run(request, new Cancellation()))
                        .hasMessageContaining("no sub-agent can be started here");
            }
            assertThat(company.isAlone()).isTrue();
        }
        assertThat(bed.sessionsOf("helper")).isEmpty();
    }

    @Test
    void a_task_that_has_ended_is_not_done_again_because_others_spoke_to_the_sub_agent_since() {
        var worked = new AtomicInteger();
        var open = new CountDownLatch(1);
        bed.tool("work", ToolSpec.Effect.READS, (_, _) -> {
            await(open);
            return "worked " + worked.incrementAndGet();
        });
        bed.agent(
                "helper",
                List.of("work"),
                List.of(),
                request -> turn(request) == 0
                        ? List.of(calls("t", "work"))
                        : says("heard: " + request.messages().getLast().text()));
        bed.agent("boss", List.of(), List.of("helper"), request -> {
            if (turn(request) == 0) {
                return List.of(spawns("s1", "helper", "Do it."));
            }
            open.countDown();
            var child = bed.sessionsOf("helper").getFirst();
            awaitEnd(child);
            bed.prompt(child, "And now?");
            bed.cancellation.cancel("enough");
            return says("too late");
        });
        var root = bed.session("boss");
        assertThat(bed.prompt(root, "Go.").status()).isEqualTo(LoopStatus.ABORTED);

        bed.cancellation = new Cancellation();
        bed.minds.put("boss", request -> says(all(request).contains("has finished") ? "I know" : "I wait"));

        assertThat(bed.run(root, new RunRequest.Continue()).text()).isEqualTo("I know");
        assertThat(bed.sessionsOf("helper").getFirst().read(1))
                .filteredOn(entry -> entry.event() instanceof LoopEvent.LoopStarted)
                .hasSize(2);
        assertThat(worked.get()).isEqualTo(1);
    }

    @Test
    void an_earlier_task_of_a_sub_agent_ends_with_its_own_words() {
        var worked = new AtomicInteger();
        var open = new CountDownLatch(1);
        bed.tool("work", ToolSpec.Effect.READS, (_, _) -> {
            await(open);
            return "worked " + worked.incrementAndGet();
        });
        helperThatListens();
        bed.agent("boss", List.of(), List.of("helper"), request -> {
            if (turn(request) == 0) {
                return List.of(spawns("s1", "helper", "Do it."));
            }
            open.countDown();
            var child = bed.sessionsOf("helper").getFirst();
            awaitEnd(child);
            bed.run(child, new RunRequest.Task(bed.workings.ids().loop(), says("And now?")));
            bed.cancellation.cancel("enough");
            return says("too late");
        });
        var root = bed.session("boss");
        assertThat(bed.prompt(root, "Go.").status()).isEqualTo(LoopStatus.ABORTED);

        bed.cancellation = new Cancellation();
        bed.minds.put("boss", request -> says(all(request).contains("has finished") ? all(request) : "I wait"));

        assertThat(bed.run(root, new RunRequest.Continue()).text())
                .contains("heard: worked 1")
                .doesNotContain("heard: And now?");
        assertThat(worked.get()).isEqualTo(1);
    }

    private static void awaitEnd(SessionHandle session) {
        try (var watch = session.watch(1)) {
            Entry next;
            do {
                next = watch.next(Duration.ofMinutes(1)).orElseThrow();
            } while (!(next.event() instanceof LoopEvent.LoopEnded));
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void agents_work_for_agents_three_levels_deep_and_no_deeper() {
        bed.agent("nested", List.of(), List.of("nested"), request -> {
            var mayGoOn = request.tools().stream().anyMatch(tool -> tool.name().equals("agent_spawn"));
            if (!mayGoOn) {
                return says("the bottom");
            }
            return switch (turn(request)) {
                case 0 -> List.of(spawns("s", "nested", "Deeper."));
                case 1 -> List.of(calls("c", "agent_collect"));
                default -> says(all(request).contains("the bottom") ? "above the bottom" : "lost");
            };
        });

        assertThat(bed.prompt(bed.session("nested"), "Go.").text()).isEqualTo("above the bottom");

        assertThat(bed.sessionsOf("nested")).hasSize(4);
    }

    @Test
    void only_agents_that_are_named_can_be_started_and_what_is_wrong_is_told() {
        bed.agent("helper", List.of(), List.of(), _ -> says("hello"));
        bed.specs.computeIfPresent(
                "helper", (_, spec) -> spec.withVariables(new AgentSpec.Variable("language", "Which language?", null)));
        bed.agent(
                "boss",
                List.of(),
                List.of("helper"),
                request -> turn(request) == 0
                        ? List.of(
                                spawns("s1", "boss", "x"),
                                spawns("s2", "helper", "x"),
                                spawns("s3", "helper", ""),
                                calls("s4", "agent_check", "id", "00000000-0000-7000-8000-000000000000"),
                                calls("s5", "agent_message", "id", "nonsense", "text", "x"))
                        : says("done"));
        var root = bed.session("boss");

        bed.prompt(root, "Go.");

        assertThat(String.join("\n", texts(root)))
                .contains("there is no agent 'boss' for this; there are [helper]")
                .contains("needs to know 'language' (Which language?)")
                .contains("'task' is missing")
                .contains("works here; agent_list shows who does")
                .contains("'nonsense' is no id");
        assertThat(bed.sessionsOf("helper")).isEmpty();
    }

    @Test
    void an_agent_can_look_after_and_stop_one_it_started() {
        var began = new CountDownLatch(1);
        bed.tool("work", ToolSpec.Effect.READS, (_, _) -> {
            began.countDown();
            new CountDownLatch(1).await();
            return "never";
        });
        bed.agent("helper", List.of("work"), List.of(), request -> using(request, "work"));
        bed.agent("boss", List.of(), List.of("helper"), request -> switch (turn(request)) {
            case 0 -> List.of(spawns("s1", "helper", "1"));
            case 1 -> {
                await(began);
                yield List.of(calls("l", "agent_list"), calls("k", "agent_check", "id", firstId(request)));
            }
            case 2 -> List.of(calls("x", "agent_cancel", "id", firstId(request)));
            default -> says("stopped it");
        });
        var root = bed.session("boss");

        assertThat(bed.prompt(root, "Go.").text()).isEqualTo("stopped it");

        assertThat(texts(root)).filteredOn(text -> text.contains("is at work")).hasSize(2);
        assertThat(texts(root)).anyMatch(text -> text.contains("cancelled by the agent that started it"));
        assertThat(bed.sessionsOf("helper").getFirst().state().lastStatus()).isEqualTo(LoopStatus.ABORTED);
    }

    @Test
    void one_at_work_hears_what_it_is_told_and_one_that_has_finished_begins_again_with_it() {
        var told = new CountDownLatch(1);
        var working = new CountDownLatch(1);
        bed.tool("work", ToolSpec.Effect.READS, (_, _) -> {
            working.countDown();
            await(told);
            return "worked";
        });
        helperThatListens();
        bed.agent("boss", List.of(), List.of("helper"), request -> switch (turn(request)) {
            case 0 -> List.of(spawns("s1", "helper", "1"));
            case 1 -> tellsIt(request, working);
            case 2 -> {
                told.countDown();
                yield List.of(calls("c1", "agent_collect"));
            }
            case 3 -> List.of(calls("m2", "agent_message", "id", firstId(request), "text", "now in feet"));
            case 4 -> List.of(calls("c2", "agent_collect"));
            default -> says("thanks");
        });
        var root = bed.session("boss");

        assertThat(bed.prompt(root, "Go.").text()).isEqualTo("thanks");

        assertThat(texts(root))
                .anyMatch(text -> text.contains("heard: use metres"))
                .anyMatch(text -> text.contains("heard: now in feet"));
        assertThat(bed.sessionsOf("helper")).hasSize(1);
        assertThat(bed.sessionsOf("helper").getFirst().load().loops()).hasSize(2);
    }

    @Test
    void what_a_sub_agent_was_told_and_had_not_heard_when_the_tree_was_stopped_it_hears_later() throws Exception {
        var told = new CountDownLatch(1);
        var working = new CountDownLatch(1);
        bed.tool("work", ToolSpec.Effect.READS, (_, _) -> {
            working.countDown();
            new CountDownLatch(1).await();
            return "never";
        });
        helperThatListens();
        bed.agent("boss", List.of(), List.of("helper"), request -> switch (turn(request)) {
            case 0 -> List.of(spawns("s1", "helper", "1"));
            case 1 -> tellsIt(request, working);
            case 2 -> {
                told.countDown();
                yield List.of(calls("c1", "agent_collect"));
            }
            default -> says(request.messages().getLast().text());
        });
        var root = bed.session("boss");
        var running = CompletableFuture.supplyAsync(() -> bed.prompt(root, "Go."));
        await(told);
        bed.cancellation.cancel("enough");
        assertThat(running.get(60, TimeUnit.SECONDS).status()).isEqualTo(LoopStatus.ABORTED);

        bed.cancellation = new Cancellation();
        var outcome = bed.run(root, new RunRequest.Continue());

        assertThat(outcome.text()).contains("heard: use metres");
        assertThat(texts(bed.sessionsOf("helper").getFirst()))
                .filteredOn("use metres"::equals)
                .hasSize(1);
    }

    @Test
    void what_a_sub_agent_may_not_do_alone_is_asked_of_the_person_at_the_root() {
        var done = new CopyOnWriteArrayList<String>();
        bed.tool("act", ToolSpec.Effect.ACTS, (request, _) -> {
            done.add(request.call().id().text());
            return "acted";
        });
        bed.agent("hand", List.of("act"), List.of(), request -> using(request, "act"));
        bed.agent("arm", List.of(), List.of("hand"), request -> delegating(request, "hand"));
        bed.agent("head", List.of(), List.of("arm"), request -> delegating(request, "arm"));
        var root = bed.session("head");

        var first = bed.prompt(root, "Go.");

        assertThat(first.status()).isEqualTo(LoopStatus.WAITING);
        assertThat(done).isEmpty();
        var waiting = Approvals.waiting(root);
        assertThat(waiting).hasSize(1);
        assertThat(waiting.getFirst().name()).isEqualTo("act");
        assertThat(waiting.getFirst().reason()).contains("the sub-agent 'arm' asks: the sub-agent 'hand' asks");

        bed.engine.decide(root, waiting.getFirst().call(), true, "Ann", null);
        var second = bed.run(root, new RunRequest.Continue());

        assertThat(second.status()).isEqualTo(LoopStatus.COMPLETED);
        assertThat(second.text()).contains("acted");
        assertThat(done).hasSize(1);
        assertThat(bed.sessionsOf("hand")).hasSize(1);
        assertThat(bed.sessionsOf("arm")).hasSize(1);
    }

    @Test
    void a_no_at_the_root_reaches_the_sub_agent_also_when_the_root_was_about_to_rest() {
        bed.tool("act", ToolSpec.Effect.ACTS, (_, _) -> "acted");
        bed.agent(
                "hand",
                List.of("act"),
                List.of(),
                request -> turn(request) == 0 ? List.of(calls("t", "act")) : says(all(request)));
        bed.agent(
                "head",
                List.of(),
                List.of("hand"),
                request -> turn(request) == 0
                        ? List.of(spawns("s1", "hand", "1"), spawns("s2", "hand", "2"))
                        : says(all(request).contains("Not allowed") ? "it was refused" : "I wait"));
        var root = bed.session("head");

        assertThat(bed.prompt(root, "Go.").status()).isEqualTo(LoopStatus.WAITING);
        var waiting = Approvals.waiting(root);
        assertThat(waiting).hasSize(2);
        waiting.forEach(each -> bed.engine.decide(root, each.call(), false, "Ann", "not today"));
        var outcome = bed.run(root, new RunRequest.Continue());

        assertThat(outcome.text()).isEqualTo("it was refused");
        assertThat(bed.sessionsOf("hand")).allMatch(session -> session.state().lastStatus() == LoopStatus.COMPLETED);
        assertThat(String.join("\n", texts(root))).contains("Ann said no: not today");
    }

    /// Spawns once, collects, and says what came of it.
    private static List<Part> delegating(ModelRequest request, String to) {
        return switch (turn(request)) {
            case 0 -> List.of(spawns("s", to, "Do it."));
            case 1 -> List.of(calls("c", "agent_collect"));
            default -> says(request.messages().getLast().text());
        };
    }

    @Test
    void stopping_the_root_stops_the_whole_tree_and_continuing_it_takes_the_tree_further() throws Exception {
        var began = new CountDownLatch(1);
        var open = new CountDownLatch(1);
        var quick = new AtomicInteger();
        bed.tool("slow", ToolSpec.Effect.READS, (_, _) -> {
            began.countDown();
            await(open);
            return "slow done";
        });
        bed.tool("quick", ToolSpec.Effect.READS, (_, _) -> "quick done " + quick.incrementAndGet());
        bed.agent("quickly", List.of("quick"), List.of(), request -> using(request, "quick"));
        bed.agent(
                "slowly",
                List.of("slow"),
                List.of(),
                request -> turn(request) == 0
                        ? List.of(calls("t" + request.messages().size(), "slow"))
                        : says(request.messages().getLast().text()));
        bed.agent("arm", List.of(), List.of("slowly"), request -> delegating(request, "slowly"));
        bed.agent("head", List.of(), List.of("arm", "quickly"), request -> switch (turn(request)) {
            case 0 -> List.of(spawns("s1", "quickly", "1"));
            case 1 -> List.of(calls("c1", "agent_collect"));
            case 2 -> List.of(spawns("s2", "arm", "2"));
            case 3 -> List.of(calls("c2", "agent_collect"));
            default -> says("all done");
        });
        var root = bed.session("head");
        var running = CompletableFuture.supplyAsync(() -> bed.prompt(root, "Go."));
        await(began);

        bed.cancellation.cancel("enough");

        assertThat(running.get(60, TimeUnit.SECONDS).status()).isEqualTo(LoopStatus.ABORTED);
        assertThat(bed.sessionsOf("arm").getFirst().state().lastStatus()).isEqualTo(LoopStatus.ABORTED);
        assertThat(bed.sessionsOf("slowly").getFirst().state().lastStatus()).isEqualTo(LoopStatus.ABORTED);

        bed.cancellation = new Cancellation();
        open.countDown();
        var outcome = bed.run(root, new RunRequest.Continue());

        assertThat(outcome.text()).isEqualTo("all done");
        assertThat(bed.sessionsOf("quickly")).hasSize(1);
        assertThat(bed.sessionsOf("arm")).hasSize(1);
        assertThat(bed.sessionsOf("slowly")).hasSize(1);
        assertThat(quick.get()).as("who had finished does not work again").isEqualTo(1);
    }

    @Test
    void a_result_that_was_told_before_the_tree_was_stopped_can_be_read_again_afterwards() throws Exception {
        var began = new CountDownLatch(1);
        var open = new CountDownLatch(1);
        bed.tool("slow", ToolSpec.Effect.READS, (_, _) -> {
            began.countDown();
            await(open);
            return "slow done";
        });
        bed.agent("quick", List.of(), List.of(), _ -> says("quickly"));
        bed.agent("slow", List.of("slow"), List.of(), request -> using(request, "slow"));
        bed.agent("boss", List.of(), List.of("quick", "slow"), request -> switch (turn(request)) {
            case 0 -> List.of(spawns("s1", "quick", "1"));
            case 1 -> List.of(calls("c1", "agent_collect"));
            case 2 -> List.of(spawns("s2", "slow", "2"));
            case 3 -> List.of(calls("k", "agent_check", "id", firstId(request)), calls("c2", "agent_collect"));
            case 4 -> List.of(calls("l", "agent_list"));
            default -> says(request.messages().getLast().text());
        });
        var root = bed.session("boss");
        var running = CompletableFuture.supplyAsync(() -> bed.prompt(root, "Go."));
        await(began);
        bed.cancellation.cancel("enough");
        assertThat(running.get(60, TimeUnit.SECONDS).status()).isEqualTo(LoopStatus.ABORTED);

        bed.cancellation = new Cancellation();
        open.countDown();

        assertThat(bed.run(root, new RunRequest.Continue()).text())
                .contains("The sub-agent quick")
                .contains("quickly")
                .contains("The sub-agent slow");
        assertThat(bed.sessionsOf("quick").getFirst().load().loops()).hasSize(1);
    }

    @Test
    void a_sub_agent_that_fails_does_not_take_the_others_with_it() {
        bed.agent("broken", List.of(), List.of(), _ -> {
            throw ModelFailed.refused(new ModelName("test", "broken"), "no", null);
        });
        bed.agent("helper", List.of(), List.of(), _ -> says("fine"));
        bed.agent("boss", List.of(), List.of("broken", "helper"), request -> switch (turn(request)) {
            case 0 -> List.of(spawns("s1", "broken", "1"), spawns("s2", "helper", "2"));
            case 1 -> List.of(calls("c", "agent_collect"));
            default -> says("went on");
        });
        var root = bed.session("boss");

        assertThat(bed.prompt(root, "Go.").text()).isEqualTo("went on");
        assertThat(String.join("\n", texts(root))).contains("did not finish").contains("fine");
    }

    @Test
    void calls_of_different_sub_agents_with_the_same_id_are_told_apart() {
        var asked = new CopyOnWriteArrayList<ToolCallId>();
        bed.tool("act", ToolSpec.Effect.ACTS, (_, _) -> "acted");
        bed.agent("hand", List.of("act"), List.of(), request -> using(request, "act"));
        bed.agent("head", List.of(), List.of("hand"), request -> switch (turn(request)) {
            case 0 -> List.of(spawns("s1", "hand", "1"), spawns("s2", "hand", "2"));
            case 1 -> List.of(calls("c", "agent_collect"));
            default -> says(request.messages().getLast().text());
        });
        var root = bed.session("head");

        bed.prompt(root, "Go.");
        Approvals.waiting(root).forEach(each -> asked.add(each.call()));
        bed.engine.decide(root, asked.getFirst(), true, null, null);
        var between = bed.run(root, new RunRequest.Continue());
        assertThat(between.status()).isEqualTo(LoopStatus.WAITING);
        bed.engine.decide(root, asked.getLast(), false, null, null);
        var outcome = bed.run(root, new RunRequest.Continue());

        assertThat(asked).hasSize(2).doesNotHaveDuplicates();
        assertThat(outcome.text()).contains("acted").contains("Not allowed");
    }

    /// Works, and then says what it heard last.
    private void helperThatListens() {
        bed.agent(
                "helper",
                List.of("work"),
                List.of(),
                request -> turn(request) == 0
                        ? List.of(calls("t", "work"))
                        : says("heard: " + request.messages().getLast().text()));
    }

    /// Tells the helper something once it is at work.
    private static List<Part> tellsIt(ModelRequest request, CountDownLatch working) {
        await(working);
        return List.of(calls("m1", "agent_message", "id", firstId(request), "text", "use metres"));
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
