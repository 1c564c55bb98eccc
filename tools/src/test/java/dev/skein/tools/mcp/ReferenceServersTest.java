package dev.skein.tools.mcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.skein.cancellation.Cancellation;
import dev.skein.message.Part;
import dev.skein.session.LoopId;
import dev.skein.session.SessionId;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolRequest;
import dev.skein.tools.call.Calls;
import dev.skein.tools.mcp.config.McpConfig;
import dev.skein.tools.mcp.config.McpServer;
import dev.skein.tools.mcp.pool.McpFactory;
import dev.skein.tools.mcp.pool.PoolTerms;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The reference servers, as npm has them. Installed once, below `target`; skipped where npm or its registry is
/// missing.
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ReferenceServersTest {

    private static final Path PACKAGES = Path.of("target", "mcp-npm").toAbsolutePath();
    private static final String VERSION = "2026.8.31";

    @TempDir
    Path directory;

    private final List<McpTools> opened = new ArrayList<>();
    private final List<McpFactory> factories = new ArrayList<>();

    @BeforeAll
    static void install() throws Exception {
        if (Files.isDirectory(module("server-memory"))) {
            return;
        }
        Files.createDirectories(PACKAGES);
        assumeTrue(
                runs(
                        "npm",
                        "install",
                        "--no-audit",
                        "--no-fund",
                        "--no-save",
                        "--prefix",
                        PACKAGES.toString(),
                        name("server-everything"),
                        name("server-filesystem"),
                        name("server-memory")),
                "npm, or its registry, is not there: the reference servers are not tested");
    }

    @AfterEach
    void close() {
        opened.forEach(McpTools::close);
        factories.forEach(McpFactory::close);
    }

    @Test
    void everything_over_its_streams() throws Exception {
        var tools = tools(child("everything", "server-everything", Map.of("GIVEN", "yes")));

        assertThat(Calls.words(tools, "everything__echo", "message", "hi")).isEqualTo("Echo: hi");
        assertThat(Calls.words(tools, "everything__get-sum", "a", 2, "b", 3)).contains("5");
        assertThat(answered(tools, "everything__get-tiny-image").content())
                .anySatisfy(part -> assertThat(part).isInstanceOf(Part.Image.class));
        assertThat(answered(tools, "everything__get-structured-content", "location", "New York")
                        .data())
                .isNotNull();
        assertThat(Calls.words(tools, "everything__get-resource-links", "count", 2))
                .contains("demo://");
        assertThat(Calls.words(tools, "everything__get-roots-list"))
                .contains(directory.toUri().toString().replaceAll("/$", ""));
        assertThat(Calls.words(tools, "everything__get-env")).contains("GIVEN").doesNotContain("OPENAI");
        assertThat(Calls.words(tools, "everything__get-sum", "a", "x")).startsWith("failed: ");
    }

    @Test
    void everything_tells_how_far_it_has_come() throws Exception {
        var tools = tools(child("everything", "server-everything", Map.of()));
        var told = new CopyOnWriteArrayList<String>();
        var call = Calls.call("everything__trigger-long-running-operation", "duration", 1, "steps", 4);
        var request = new ToolRequest(
                call,
                SessionId.of("00000000-0000-4000-8000-000000000001"),
                new LoopId("loop"),
                told::add,
                ToolRequest.Child.NONE,
                List::of);

        var outcome = Calls.named(tools, call.name()).run(request, new Cancellation());

        assertThat(outcome).isInstanceOf(ToolOutcome.Answered.class);
        assertThat(told).isNotEmpty().last().asString().contains("of 4");
    }

    @Test
    void everything_over_http() throws Exception {
        int port;
        try (var free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        var builder = new ProcessBuilder("node", index("server-everything"), "streamableHttp")
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile());
        builder.environment().put("PORT", String.valueOf(port));
        var server = builder.start();
        try {
            Servers.await("the server", () -> isOpen(port) || !server.isAlive());
            var url = URI.create("http://localhost:" + port + "/mcp");
            var tools = tools(McpServer.of("web", new McpServer.Reach.Web(url, Map.of())));

            assertThat(Calls.words(tools, "web__echo", "message", "hi")).isEqualTo("Echo: hi");
            assertThat(answered(tools, "web__trigger-long-running-operation", "duration", 1, "steps", 2)
                            .content())
                    .isNotEmpty();
        } finally {
            server.destroyForcibly();
        }
    }

    @Test
    void the_file_system_as_far_as_it_may_go() throws Exception {
        Files.writeString(directory.resolve("note.txt"), "remember me");
        var tools = tools(child("files", "server-filesystem", Map.of(), directory.toString()));

        assertThat(Calls.words(
                        tools,
                        "files__read_text_file",
                        "path",
                        directory.resolve("note.txt").toString()))
                .contains("remember me");
        assertThat(Calls.words(tools, "files__read_text_file", "path", "/etc/passwd"))
                .startsWith("failed: ")
                .doesNotContain("root:");
    }

    @Test
    void a_memory_that_lives_longer_than_its_process() throws Exception {
        var file = Map.of("MEMORY_FILE_PATH", directory.resolve("memory.json").toString());
        var entities = List.of(Map.of("name", "Skein", "entityType", "program", "observations", List.of("keeps")));
        Calls.words(tools(child("memory", "server-memory", file)), "memory__create_entities", "entities", entities);
        close();

        assertThat(Calls.words(tools(child("memory", "server-memory", file)), "memory__read_graph"))
                .contains("Skein")
                .contains("keeps");
    }

    private static ToolOutcome.Answered answered(List<Tool> tools, String name, Object... arguments)
            throws InterruptedException {
        return (ToolOutcome.Answered) Calls.run(tools, name, arguments);
    }

    private static McpServer child(String name, String module, Map<String, String> env, String... args) {
        var all = new ArrayList<>(List.of(index(module)));
        all.addAll(List.of(args));
        return McpServer.of(name, new McpServer.Reach.Child("node", all, env, null))
                .withTimeouts(Duration.ofMinutes(1), Duration.ofMinutes(1));
    }

    private List<Tool> tools(McpServer server) {
        var factory = new McpFactory(Servers.terms(directory), PoolTerms.forOne(), Clock.systemUTC());
        factories.add(factory);
        var problems = new CopyOnWriteArrayList<String>();
        var tools = new McpTools(
                new McpConfig(Map.of(server.name(), server), List.of(), List.of()),
                factory,
                new McpTools.Terms(new Pins(directory.resolve(Pins.FILE)), Duration.ofMinutes(2), problems::add, null),
                Clock.systemUTC());
        opened.add(tools);
        var all = tools.tools();
        assertThat(problems).isEmpty();
        return all;
    }

    private static boolean isOpen(int port) {
        try (var _ = new Socket("localhost", port)) {
            return true;
        } catch (IOException _) {
            return false;
        }
    }

    private static Path module(String name) {
        return PACKAGES.resolve("node_modules/@modelcontextprotocol").resolve(name);
    }

    private static String index(String module) {
        return module(module).resolve("dist/index.js").toString();
    }

    private static String name(String module) {
        return "@modelcontextprotocol/" + module + "@" + VERSION;
    }

    private static boolean runs(String... command) throws InterruptedException {
        try {
            var process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(4, TimeUnit.MINUTES) && process.exitValue() == 0;
        } catch (IOException _) {
            return false;
        }
    }
}
