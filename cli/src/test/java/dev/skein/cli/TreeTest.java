package dev.skein.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.cli.terminal.TextWidth;
import dev.skein.message.Role;
import dev.skein.message.Usage;
import dev.skein.session.ChildLoopRef;
import dev.skein.session.Continuation;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopId;
import dev.skein.session.LoopStatus;
import dev.skein.session.Scope;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionId;
import dev.skein.session.Trigger;
import dev.skein.store.NewSession;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TreeTest {

    private static final Instant AT = Instant.parse("2026-11-01T12:00:00Z");

    @TempDir
    Path home;

    private Cli cli;

    @BeforeEach
    void start() {
        cli = new Cli(home);
    }

    @Test
    void a_conversation_without_branches_is_drawn_in_one_column_with_its_head_marked() {
        having(loop("a", null, Continuation.INITIAL, "Hello"), loop("b", "a", Continuation.DEFAULT, "More"));

        assertThat(cli.session("tree", "tree").out()).isEqualTo("""
                tree  2 loops, 2 turns
                ● completed · initial · 1 turn  "Hello"
                ● completed · default · 1 turn  "More"  ◀ head
                """);
    }

    @Test
    void branches_are_drawn_side_by_side() {
        having(
                loop("a", null, Continuation.INITIAL, "Hello"),
                loop("b", "a", Continuation.DEFAULT, "This way"),
                loop("c", "b", Continuation.DEFAULT, "And on"),
                loop("d", "a", Continuation.branch(AT), "That way"));

        assertThat(cli.session("tree", "tree").out()).isEqualTo("""
                tree  4 loops, 4 turns
                ● completed · initial · 1 turn  "Hello"
                ├─ ● completed · default · 1 turn  "This way"
                │  ● completed · default · 1 turn  "And on"
                └─ ● completed · branch · 1 turn  "That way"  ◀ head
                """);
    }

    @Test
    void a_terminal_without_unicode_gets_ascii() {
        cli.env.put("LC_ALL", "C");
        having(
                loop("a", null, Continuation.INITIAL, "Grüße"),
                loop("b", "a", Continuation.DEFAULT, "This way"),
                loop("d", "a", Continuation.branch(AT), "That way"));
        cli.env.put("NO_COLOR", "1");

        assertThat(cli.onTerminal().session("tree", "tree").out()).isEqualTo("""
                tree  3 loops, 3 turns
                * completed, initial, 1 turn  "Gr??e"
                |- * completed, default, 1 turn  "This way"
                `- * completed, branch, 1 turn  "That way"  <- head
                """);
    }

    @Test
    void parallel_loops_show_who_was_chosen_and_who_has_not_begun() {
        var members = List.of(new LoopId("b"), new LoopId("c"), new LoopId("d"));
        having(
                loop("a", null, Continuation.INITIAL, "Hello"),
                List.of(new SessionEvent.ParallelStarted(AT, members, null)),
                loop("b", "a", Continuation.branch(AT), "Try"),
                loop("c", "a", Continuation.branch(AT), "Try"),
                List.of(new SessionEvent.ParallelEnded(AT, members, new LoopId("c"), 1, Usage.NONE)));

        assertThat(cli.session("tree", "tree").out()).isEqualTo("""
                tree  4 loops, 3 turns
                ● completed · initial · 1 turn  "Hello"
                ├─ ● completed · branch · 1 turn · parallel 1/3  "Try"
                ├─ ● completed · branch · 1 turn · parallel 2/3  "Try"  ★ chosen  ◀ head
                └─ ◌ pending · initial · 0 turns · parallel 3/3
                """);
    }

    @Test
    void a_sub_agents_session_is_linked_and_links_back() {
        var child = cli.having(new Scope("local", "researcher"), "sub", "Look", "Found");
        var gone = SessionId.of("0198a3f2-7c1e-7000-8000-000000000000");
        having(
                loop("a", null, Continuation.INITIAL, "Hello"),
                List.of(
                        new LoopEvent.ChildSpawned(AT, new LoopId("a"), ref("1", child)),
                        new LoopEvent.ChildSpawned(AT, new LoopId("a"), ref("2", gone))));

        assertThat(cli.session("tree", "tree").out())
                .contains("   ↳ spawn: session " + child + " of agent researcher · completed\n")
                .contains("   ↳ spawn: session " + gone + " (deleted)\n");
    }

    @Test
    void loops_that_ended_badly_say_so() {
        having(
                loop("a", null, Continuation.INITIAL, "Hello", LoopStatus.ABORTED),
                loop("b", "a", Continuation.rerun(AT), "Hello", LoopStatus.REJECTED));

        assertThat(cli.session("tree", "tree").out())
                .contains("✗ aborted · initial")
                .contains("⊘ rejected · rerun");
    }

    @Test
    void the_tree_in_json_is_a_flat_list_linked_both_ways() {
        having(
                loop("a", null, Continuation.INITIAL, "Hello"),
                loop("b", "a", Continuation.DEFAULT, "This way"),
                loop("c", "a", Continuation.branch(AT), "That way"));

        var json = cli.session("tree", "tree", "--json").json();

        assertThat(json.get("head").asString()).isEqualTo("c");
        var loops = json.get("loops");
        assertThat(loops).hasSize(3);
        assertThat(loops.get(0).get("children").toString()).isEqualTo("[\"b\",\"c\"]");
        assertThat(loops.get(0).get("on_path").asBoolean()).isTrue();
        assertThat(loops.get(1).get("on_path").asBoolean()).isFalse();
        assertThat(loops.get(2).get("parent").asString()).isEqualTo("a");
        assertThat(loops.get(2).get("head").asBoolean()).isTrue();
        assertThat(loops.get(2).get("status").asString()).isEqualTo("completed");
        assertThat(loops.get(2).get("continuation").get("kind").asString()).isEqualTo("branch");
        assertThat(loops.get(2).get("first_message").asString()).isEqualTo("That way");
    }

    @Test
    void a_deep_tree_keeps_to_the_width() {
        var events = new ArrayList<SessionEvent>(loop("0", null, Continuation.INITIAL, "root"));
        for (int i = 1; i <= 300; i++) {
            events.addAll(loop("" + i, "" + (i - 1), Continuation.DEFAULT, "words ".repeat(50)));
            events.addAll(loop("side" + i, "" + (i - 1), Continuation.branch(AT), "words ".repeat(50)));
        }
        having(events);
        cli.env.put("COLUMNS", "100");

        assertThat(cli.session("tree", "tree").out().lines())
                .hasSize(602)
                .allSatisfy(line -> assertThat(TextWidth.of(line)).isLessThanOrEqualTo(100));
    }

    @SafeVarargs
    private void having(List<SessionEvent>... loops) {
        var events = new ArrayList<SessionEvent>();
        for (var loop : loops) {
            events.addAll(loop);
        }
        cli.withStore(
                store -> store.create(NewSession.in(Scope.LOCAL).named("tree").withEvents(events))
                        .close());
    }

    private static ChildLoopRef ref(String call, SessionId session) {
        return new ChildLoopRef(call, "spawn", new LoopId("x"), session);
    }

    private static List<SessionEvent> loop(String id, @Nullable String parent, Continuation how, String prompt) {
        return loop(id, parent, how, prompt, LoopStatus.COMPLETED);
    }

    private static List<SessionEvent> loop(
            String id, @Nullable String parent, Continuation how, String prompt, LoopStatus end) {
        var loop = new LoopId(id);
        var from = parent == null ? null : new LoopId(parent);
        return List.of(
                new LoopEvent.LoopStarted(AT, loop, from, null, how, Trigger.USER, null, null, Map.of()),
                new LoopEvent.TurnStarted(AT, loop, 0, Trigger.USER),
                new LoopEvent.MessageEnded(AT, loop, 0, Cli.message(Role.USER, prompt)),
                new LoopEvent.TurnEnded(AT, loop, 0, Usage.NONE, null),
                new LoopEvent.LoopEnded(AT, loop, end, null, null, null));
    }
}
