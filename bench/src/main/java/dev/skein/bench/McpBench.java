package dev.skein.bench;

import dev.skein.bench.Report.Bound;
import dev.skein.bench.Report.Unit;
import dev.skein.cancellation.Cancellation;
import dev.skein.message.Part;
import dev.skein.message.ToolCallId;
import dev.skein.session.LoopId;
import dev.skein.session.SessionId;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolRequest;
import dev.skein.tools.mcp.McpTools;
import dev.skein.tools.mcp.Pins;
import dev.skein.tools.mcp.client.ClientTerms;
import dev.skein.tools.mcp.client.McpClient;
import dev.skein.tools.mcp.client.McpToolInfo;
import dev.skein.tools.mcp.config.McpConfig;
import dev.skein.tools.mcp.config.McpServer;
import dev.skein.tools.mcp.pool.McpFactory;
import dev.skein.tools.mcp.pool.PoolTerms;
import dev.skein.tools.process.ChildEnvironment;
import dev.skein.wire.Json;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.client.transport.StdioClientTransport;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.spec.McpSchema;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/// What does a call of an MCP tool cost that takes its server from the pool, beside one by somebody who holds it?
///
/// The servers are all alike: [EchoProgram], over standard input and output. Our own client is measured on the very
/// server that is taken from the pool, because two processes of one program are not equally fast.
final class McpBench implements Bench {

    private static final int WARM_UP = 4_000;
    private static final int ROUNDS = 10_000;
    private static final double BOUND = 1.05;
    private static final String TEXT = Lab.text(1);

    @Override
    public String name() {
        return "mcp";
    }

    @Override
    public String question() {
        return "calls of MCP tools";
    }

    @Override
    public void run(Lab lab, Report report) throws IOException {
        var directory = lab.newDirectory();
        var terms = ClientTerms.of(directory, ChildEnvironment.of(System.getenv(), Set.of()));
        try (var sdk = sdk();
                var factory = new McpFactory(terms, PoolTerms.forMany(), Clock.systemUTC());
                var tools = tools(factory, directory);
                var holds = factory.acquire(server("held"), new Cancellation())) {
            var held = holds.client();
            var info = info(held);
            var idle = server("idle");
            var run = tools.tools().getFirst();
            var kept = run.keeper().orElseThrow().keep();
            var samples = Samples.interleaved(
                    WARM_UP,
                    ROUNDS,
                    List.of(
                            Samples.timed(() -> acquired(factory, held.server(), info)),
                            Samples.timed(() -> sdk.callTool(McpSchema.CallToolRequest.builder(EchoProgram.TOOL)
                                    .arguments(Map.of("text", TEXT))
                                    .build())),
                            Samples.timed(() -> call(held, info)),
                            Samples.timed(() -> runs(run)),
                            Samples.timed(() -> acquired(factory, idle, info))));
            kept.close();
            var medians = samples.stream().mapToDouble(Samples::median).toArray();
            report(report, medians);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static void report(Report report, double[] medians) {
        report.compared(
                "a call, its server taken warm from the pool (control: the MCP SDK, its server held)",
                Unit.NANOS,
                medians[0],
                medians[1],
                Bound.atMost(BOUND));
        report.compared(
                "the same (control: our client, its server held)",
                Unit.NANOS,
                medians[0],
                medians[2],
                Bound.atMost(BOUND));
        report.compared(
                "a call as a run makes it (control: the MCP SDK, its server held)",
                Unit.NANOS,
                medians[3],
                medians[1],
                Bound.atMost(BOUND));
        report.compared(
                "a call after nobody held the server (control: the MCP SDK, its server held)",
                Unit.NANOS,
                medians[4],
                medians[1]);
    }

    private static McpTools tools(McpFactory factory, Path directory) {
        var server = server("run");
        var config = new McpConfig(Map.of(server.name(), server), List.of(), List.of());
        var pins = new Pins(directory.resolve(Pins.FILE));
        return new McpTools(
                config, factory, new McpTools.Terms(pins, Duration.ofMinutes(1), _ -> {}, null), Clock.systemUTC());
    }

    private static McpServer server(String name) {
        var command = command();
        return McpServer.of(
                name,
                new McpServer.Reach.Child(command.getFirst(), command.subList(1, command.size()), Map.of(), null));
    }

    private static List<String> command() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                EchoProgram.class.getName());
    }

    private static McpSyncClient sdk() {
        var command = command();
        var parameters = ServerParameters.builder(command.getFirst())
                .args(command.subList(1, command.size()))
                .build();
        var client = io.modelcontextprotocol.client.McpClient.sync(
                        new StdioClientTransport(parameters, McpJsonDefaults.getMapper()))
                .requestTimeout(Duration.ofMinutes(1))
                .build();
        client.initialize();
        return client;
    }

    private static McpToolInfo info(McpClient client) throws InterruptedException {
        return client.tools(new Cancellation()).tools().getFirst();
    }

    private static ObjectNode arguments() {
        return Json.MAPPER.createObjectNode().put("text", TEXT);
    }

    private static void acquired(McpFactory factory, McpServer server, McpToolInfo info) throws IOException {
        try (var lease = factory.acquire(server, new Cancellation())) {
            call(lease.client(), info);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static void call(McpClient client, McpToolInfo info) throws IOException {
        try {
            var said = client.call(info, arguments(), _ -> {}, new Cancellation());
            check(said.path("content").path(0).path("text").asString("").equals(TEXT), "the server did not answer");
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static void runs(Tool tool) throws IOException {
        var call = new Part.ToolCall(new ToolCallId("call-1"), tool.spec().name(), arguments(), null);
        var request = ToolRequest.of(call, SessionId.of("00000000-0000-4000-8000-000000000001"), new LoopId("loop-1"));
        try {
            var outcome = tool.run(request, new Cancellation());
            check(outcome.equals(ToolOutcome.Answered.text(TEXT)), "the server did not answer");
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private static void check(boolean holds, String otherwise) throws IOException {
        if (!holds) {
            throw new IOException(otherwise);
        }
    }
}
