package dev.skein.tools.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.cancellation.Cancellation;
import dev.skein.tool.Caution;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolSpec;
import dev.skein.tools.call.Calls;
import dev.skein.tools.mcp.config.McpConfig;
import dev.skein.tools.mcp.config.McpServer;
import dev.skein.tools.mcp.pool.McpFactory;
import dev.skein.tools.mcp.pool.PoolTerms;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tools of servers as the engine sees them: named, pinned, and asked about.
class McpToolsTest {

    @TempDir
    Path directory;

    private final List<String> problems = new CopyOnWriteArrayList<>();
    private McpFactory factory;

    @BeforeEach
    void open() {
        factory = new McpFactory(Servers.terms(directory), PoolTerms.forOne(), Clock.systemUTC());
    }

    @AfterEach
    void close() {
        factory.close();
        assertThat(Servers.running(directory.toString())).isZero();
    }

    @Test
    void a_tool_is_named_after_its_server_and_always_counts_as_one_that_acts() throws Exception {
        try (var tools = tools(server("my server", "good"))) {
            var good = Calls.named(tools.tools(), "my_server__good");

            assertThat(good.spec().effect()).isEqualTo(ToolSpec.Effect.ACTS);
            assertThat(good.spec().repeat()).isEqualTo(ToolSpec.Repeat.UNSAFE);
            assertThat(run(good)).isEqualTo(ToolOutcome.Answered.text("fine"));
        }
    }

    @Test
    void no_server_starts_before_its_tools_are_asked_for() {
        try (var tools = tools(server("a", "good"))) {
            assertThat(factory.counters().spawned()).isZero();
            assertThat(tools.tools()).isNotEmpty();
            assertThat(tools.tools()).isNotEmpty();
            assertThat(factory.counters().spawned()).isEqualTo(1);
        }
    }

    @Test
    void a_server_that_does_not_come_up_is_told_about_once_and_the_others_work() {
        try (var tools = tools(server("bad", "exits"), server("good", "good"))) {
            assertThat(tools.tools()).extracting(tool -> tool.spec().name()).contains("good__good");
            tools.tools();

            assertThat(problems).singleElement().asString().contains("'bad'").contains("no license found");
        }
    }

    @Test
    void a_server_that_died_in_a_call_serves_the_next_one() throws Exception {
        try (var tools = tools(server("dies", "dies"))) {
            var all = tools.tools();

            assertThat(run(Calls.named(all, "dies__dies")))
                    .isInstanceOfSatisfying(
                            ToolOutcome.Failed.class,
                            failed -> assertThat(failed.reason()).contains("segmentation fault"));
            assertThat(run(Calls.named(all, "dies__good"))).isEqualTo(ToolOutcome.Answered.text("fine"));
        }
    }

    @Test
    void a_call_that_takes_too_long_ends_as_that() throws Exception {
        var hangs = server("hangs", "hangs").withTimeouts(java.time.Duration.ofMillis(300), McpServer.START_TIMEOUT);
        try (var tools = tools(hangs)) {
            assertThat(run(Calls.named(tools.tools(), "hangs__hangs")))
                    .isEqualTo(new ToolOutcome.TimedOut(java.time.Duration.ofMillis(300)));
        }
    }

    @Test
    void before_its_first_use_a_person_sees_what_a_tool_says_and_then_no_more() throws Exception {
        try (var tools = tools(server("a", "good"))) {
            var good = Calls.named(tools.tools(), "a__good");

            assertThat(good.caution()).hasValueSatisfying(caution -> {
                assertThat(caution.weight()).isEqualTo(Caution.Weight.SAID);
                assertThat(caution.words()).contains("never used").contains("Does what it says.");
            });
            run(good);

            assertThat(good.caution()).isEmpty();
        }
        try (var later = tools(server("a", "good"))) {
            assertThat(Calls.named(later.tools(), "a__good").caution()).isEmpty();
        }
    }

    @Test
    void a_tool_that_changed_since_it_was_approved_asks_again_and_shows_both() throws Exception {
        try (var tools = tools(server("s", "changes"))) {
            var approved = Calls.named(tools.tools(), "s__good");
            // As a run does it, so that nobody looks in between whether the server is well.
            try (var _ = approved.keeper().orElseThrow().keep()) {
                run(approved);
                run(Calls.named(tools.tools(), "s__change"));

                assertThat(run(approved)).isInstanceOf(ToolOutcome.Failed.class);
                var changed = Calls.named(tools.tools(), "s__good");

                assertThat(changed.caution()).hasValueSatisfying(caution -> {
                    assertThat(caution.weight()).isEqualTo(Caution.Weight.ASKS);
                    assertThat(caution.words()).contains("\"Adds.\"").contains("\"Adds, and sends it all to me.\"");
                });
                assertThat(run(changed)).isEqualTo(ToolOutcome.Answered.text("fine"));
                assertThat(changed.caution()).isEmpty();
            }
        }
    }

    @Test
    void a_yes_counts_only_for_what_the_person_saw() throws Exception {
        try (var tools = tools(server("s", "changes"))) {
            var seen = Calls.named(tools.tools(), "s__good");
            assertThat(seen.caution()).isPresent();
            run(Calls.named(tools.tools(), "s__change"));
            var changed = Calls.named(tools.tools(), "s__good");

            assertThat(run(changed))
                    .isInstanceOfSatisfying(
                            ToolOutcome.Failed.class,
                            failed -> assertThat(failed.reason()).contains("changed since a person was asked"));
        }
    }

    @Test
    void what_was_approved_is_forgotten_with_the_server() throws Exception {
        try (var tools = tools(server("a", "good"))) {
            var good = Calls.named(tools.tools(), "a__good");
            run(good);

            pins().forget("a");

            assertThat(good.caution()).isPresent();
            assertThat(Files.getPosixFilePermissions(directory.resolve(Pins.FILE)))
                    .hasSize(2);
        }
    }

    private McpServer server(String name, String mode) {
        return Servers.hostile(name, mode, directory, Map.of());
    }

    private Pins pins() {
        return new Pins(directory.resolve(Pins.FILE));
    }

    private McpTools tools(McpServer... servers) {
        var all = new LinkedHashMap<String, McpServer>();
        for (var server : servers) {
            all.put(server.name(), server);
        }
        var config = new McpConfig(all, List.of(), List.of());
        var terms = new McpTools.Terms(pins(), Duration.ofMinutes(1), problems::add, null);
        return new McpTools(config, factory, terms, Clock.systemUTC());
    }

    private static ToolOutcome run(Tool tool) throws InterruptedException {
        return Calls.run(tool, new Cancellation());
    }
}
