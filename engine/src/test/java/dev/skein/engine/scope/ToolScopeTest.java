package dev.skein.engine.scope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.InvalidRequest;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolRequest;
import dev.skein.tool.ToolSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

class ToolScopeTest {

    private final Servers servers = new Servers();
    private final List<Tool> own = List.of(new Named("read"), new Named("write"));

    @Test
    void of_each_the_first_that_says_something_counts() {
        var scope = ToolScope.first(List.of(
                ToolScope.ALL,
                new ToolScope(null, List.of("git")),
                new ToolScope(List.of(), List.of("web")),
                new ToolScope(List.of("read"), null)));

        assertThat(scope).isEqualTo(new ToolScope(List.of(), List.of("git")));
        assertThat(ToolScope.first(List.of(ToolScope.ALL))).isEqualTo(ToolScope.ALL);
    }

    @Test
    void names_choose_among_all_tools_and_servers_give_all_they_have() {
        assertThat(names(ToolScope.ALL)).containsExactly("read", "write", "git__log", "web__get");
        assertThat(names(new ToolScope(List.of("write"), null))).containsExactly("write");
        assertThat(names(new ToolScope(List.of("web__get", "read"), null))).containsExactly("web__get", "read");
        assertThat(names(new ToolScope(List.of("read"), List.of("git")))).containsExactly("read", "git__log");
        assertThat(names(new ToolScope(null, List.of()))).containsExactly("read", "write");
        assertThat(names(new ToolScope(List.of(), List.of()))).isEmpty();
    }

    @Test
    void what_is_not_there_is_named_with_what_is() {
        assertThatThrownBy(() -> names(new ToolScope(List.of("reed"), null)))
                .isInstanceOf(InvalidRequest.class)
                .hasMessage("there is no tool 'reed'; there are [read, write, git__log, web__get]");
        assertThatThrownBy(() -> names(new ToolScope(null, List.of("gti"))))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("gti");
    }

    @Test
    void a_change_starts_only_what_was_not_there_and_nobody_is_asked_in_vain() {
        names(new ToolScope(List.of("read"), null));
        assertThat(servers.started).isEmpty();

        names(new ToolScope(List.of("read"), List.of("git")));
        assertThat(servers.started).containsExactly(Map.entry("git", 1));

        names(new ToolScope(List.of("read"), List.of("git", "web")));
        assertThat(servers.started).containsOnly(Map.entry("git", 1), Map.entry("web", 1));
    }

    @Test
    void scopes_that_are_used_at_the_same_time_never_see_each_others_tools() throws Exception {
        var scopes = List.of(
                new ToolScope(List.of("read"), List.of("git")),
                new ToolScope(List.of("write"), List.of("web")),
                new ToolScope(List.of(), List.of()));
        var expected = scopes.stream().map(this::names).toList();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = new ArrayList<Future<List<String>>>();
            for (int i = 0; i < 300; i++) {
                var scope = scopes.get(i % scopes.size());
                running.add(threads.submit(() -> names(scope)));
            }
            for (int i = 0; i < running.size(); i++) {
                assertThat(running.get(i).get()).isEqualTo(expected.get(i % scopes.size()));
            }
        }
    }

    private List<String> names(ToolScope scope) {
        return scope.of(own, servers).stream().map(tool -> tool.spec().name()).toList();
    }

    /// Two servers, of which each starts when it is asked for the first time.
    private static final class Servers implements ToolSource {
        private final Map<String, String> tools = Map.of("git", "git__log", "web", "web__get");
        private final Map<String, Integer> started = new ConcurrentHashMap<>();

        @Override
        public List<Tool> tools(@Nullable List<String> wanted) {
            var found = new ArrayList<Tool>();
            for (var name : wanted == null ? List.of("git", "web") : wanted) {
                if (!tools.containsKey(name)) {
                    throw new InvalidRequest("there is no MCP server '" + name + "'");
                }
                started.putIfAbsent(name, 1);
                found.add(new Named(tools.get(name)));
            }
            return found;
        }
    }

    private record Named(String name) implements Tool {
        @Override
        public ToolSpec spec() {
            return new ToolSpec(
                    name,
                    "For tests.",
                    JsonNodeFactory.instance.objectNode(),
                    ToolSpec.Repeat.SAFE,
                    ToolSpec.Effect.READS);
        }

        @Override
        public ToolOutcome run(ToolRequest request, Cancellation cancellation) {
            return ToolOutcome.Answered.text(name);
        }
    }
}
