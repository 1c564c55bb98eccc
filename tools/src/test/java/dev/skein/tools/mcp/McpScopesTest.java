package dev.skein.tools.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.cancellation.Cancellation;
import dev.skein.tool.Keeper;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tools.call.Calls;
import dev.skein.tools.mcp.config.McpConfig;
import dev.skein.tools.mcp.config.McpServer;
import dev.skein.tools.mcp.pool.McpCounters;
import dev.skein.tools.mcp.pool.McpFactory;
import dev.skein.tools.mcp.pool.PoolTerms;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs with different servers, beside and after each other.
class McpScopesTest {

    @TempDir
    Path directory;

    private final AtomicReference<Instant> now =
            new AtomicReference<>(Clock.systemUTC().instant());
    private final List<String> problems = new CopyOnWriteArrayList<>();
    private McpFactory factory;

    @BeforeEach
    void open() {
        factory = new McpFactory(Servers.terms(directory), PoolTerms.forOne(), now::get);
    }

    @AfterEach
    void close() {
        factory.close();
        assertThat(Servers.running(directory.toString())).isZero();
    }

    private McpServer good(String name) {
        return Servers.hostile(name, "good", directory, Map.of());
    }

    private static McpConfig config(McpServer... servers) {
        var all = new LinkedHashMap<String, McpServer>();
        for (var server : servers) {
            all.put(server.name(), server);
        }
        return new McpConfig(all, List.of(), List.of());
    }

    private McpTools tools(McpConfig config, Duration wait) {
        var terms = new McpTools.Terms(new Pins(directory.resolve(Pins.FILE)), wait, problems::add, null);
        return new McpTools(config, factory, terms, now::get);
    }

    private static List<Keeper.Kept> keep(List<Tool> tools) {
        return tools.stream()
                .map(Tool::keeper)
                .flatMap(Optional::stream)
                .distinct()
                .map(Keeper::keep)
                .toList();
    }

    private List<String> running() {
        return factory.counters().servers().stream()
                .map(McpCounters.Running::name)
                .toList();
    }

    private static void close(List<Keeper.Kept> kept) {
        kept.forEach(Keeper.Kept::close);
    }

    @Test
    void a_change_of_scope_ends_what_is_not_wanted_any_more_and_starts_only_what_is_missing() throws Exception {
        var tools = tools(config(good("a"), good("b"), good("c")), Duration.ofMinutes(1));
        var first = keep(tools.tools(Set.of("a", "b"), _ -> {}));
        now.set(now.get().plus(Duration.ofMinutes(2)));
        assertThat(running()).containsExactly("a", "b");

        var offered = tools.tools(Set.of("b", "c"), _ -> {});
        var second = keep(offered);
        close(first);

        assertThat(running()).containsExactly("b", "c");
        assertThat(factory.counters().spawned()).isEqualTo(3);
        assertThat(Calls.run(Calls.named(offered, "b__good"), new Cancellation()))
                .isEqualTo(ToolOutcome.Answered.text("fine"));
        now.set(now.get().plus(Duration.ofMinutes(2)));
        close(second);
        assertThat(running()).isEmpty();
    }

    @Test
    void scopes_beside_each_other_share_what_both_want_and_never_end_what_the_other_has() throws Exception {
        var tools = tools(config(good("a"), good("b")), Duration.ofMinutes(1));
        var one = tools.tools(Set.of("a", "b"), _ -> {});
        var other = tools.tools(Set.of("b"), _ -> {});
        var keptByOne = keep(one);
        var keptByOther = keep(other);
        now.set(now.get().plus(Duration.ofMinutes(2)));

        close(keptByOther);

        assertThat(running()).containsExactly("a", "b");
        assertThat(Calls.run(Calls.named(one, "b__good"), new Cancellation()))
                .isEqualTo(ToolOutcome.Answered.text("fine"));
        assertThat(factory.counters().spawned()).isEqualTo(2);
        assertThat(other).noneMatch(tool -> tool.spec().name().startsWith("a__"));
        close(keptByOne);
        assertThat(running()).isEmpty();
    }

    @Test
    void what_is_listed_and_never_used_ends_too() {
        var tools = tools(config(good("a")), Duration.ofMinutes(1));
        tools.tools();
        assertThat(running()).containsExactly("a");

        now.set(now.get().plus(Duration.ofMinutes(2)));
        factory.reap();

        assertThat(running()).isEmpty();
    }

    @Test
    void a_server_that_is_slow_to_start_is_gone_on_without_and_told_about() {
        var slow = McpServer.of(
                        "slow", new McpServer.Reach.Child("/bin/sh", List.of("-c", "sleep 600"), Map.of(), null))
                .withTimeouts(Duration.ofMinutes(1), Duration.ofMinutes(2));
        // The other one is there already, since how long that takes is not what this is about.
        var tools = tools(config(slow, good("good")), Duration.ofMillis(300));
        var kept = new ArrayList<Keeper.Kept>();
        try (var lease = acquired("good")) {
            var warnings = new ArrayList<String>();
            var offered = tools.tools(Set.of("slow", "good"), warnings::add);
            kept.addAll(keep(offered));

            assertThat(warnings)
                    .singleElement()
                    .asString()
                    .contains("'slow' is still starting")
                    .contains("without");
            assertThat(offered).anyMatch(tool -> tool.spec().name().equals("good__good"));
            tools.tools(Set.of("slow", "good"), warnings::add);
            assertThat(warnings).hasSize(2);
            assertThat(problems).hasSize(1);
            assertThat(lease.client().ended()).isEmpty();
        }
        close(kept);
    }

    private dev.skein.tools.mcp.pool.McpLease acquired(String name) {
        try {
            var lease = factory.acquire(good(name), new Cancellation());
            lease.client().tools(new Cancellation());
            return lease;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_run_that_began_before_a_reload_keeps_its_server_and_the_next_gets_the_new_one() throws Exception {
        var tools = tools(config(good("a")), Duration.ofMinutes(1));
        var before = tools.tools();
        var kept = keep(before);
        now.set(now.get().plus(Duration.ofMinutes(2)));

        tools.reload(config(Servers.hostile("a", "good", directory, Map.of("TOKEN", "another"))));
        assertThat(Calls.run(Calls.named(before, "a__good"), new Cancellation()))
                .isEqualTo(ToolOutcome.Answered.text("fine"));
        assertThat(factory.counters().spawned()).isEqualTo(1);
        var after = keep(tools.tools());

        assertThat(factory.counters().spawned()).isEqualTo(2);
        assertThat(running()).containsExactly("a", "a");
        close(kept);
        assertThat(running()).containsExactly("a");
        close(after);
    }
}
