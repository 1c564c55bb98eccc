package dev.skein.bench;

import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolSpec;
import dev.skein.tools.mcp.server.ServedTool;
import dev.skein.tools.mcp.server.ServerFacts;
import dev.skein.tools.mcp.server.StdioServer;
import dev.skein.wire.Json;
import java.time.Duration;
import java.util.List;

/// An MCP server with one tool, which says what it is told. It has nothing to wait for, so that what a client adds
/// shows.
public final class EchoProgram {

    /// The name of the tool, which takes a `text`.
    static final String TOOL = "echo";

    private EchoProgram() {}

    public static void main(String[] args) throws InterruptedException {
        var parameters = Json.MAPPER.createObjectNode().put("type", "object");
        parameters.putObject("properties").putObject("text").put("type", "string");
        var spec = new ToolSpec(TOOL, "Says what it is told.", parameters, ToolSpec.Repeat.SAFE, ToolSpec.Effect.READS);
        var tool = new ServedTool(spec, (given, _, _) -> ToolOutcome.Answered.text(given.text("text")));
        new StdioServer(new ServerFacts(TOOL, "1", "", List.of(tool)), System.out, System.err::println)
                .serve(System.in, Duration.ofSeconds(1));
    }
}
