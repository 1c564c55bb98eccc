package dev.skein.engine;

import dev.skein.cancellation.Cancellation;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolRequest;
import dev.skein.tool.ToolSpec;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.node.JsonNodeFactory;

/// A tool that does what a test says, and remembers with which arguments it ran.
record TestTool(String name, ToolSpec.Repeat repeat, Work work, List<String> runs) implements Tool {

    interface Work {
        ToolOutcome run(String value, Cancellation cancellation) throws InterruptedException;
    }

    static TestTool named(String name, Work work) {
        return new TestTool(name, ToolSpec.Repeat.UNSAFE, work, new CopyOnWriteArrayList<>());
    }

    static TestTool answering(String name) {
        return named(name, (value, _) -> ToolOutcome.Answered.text(name + " of " + value));
    }

    TestTool repeatable() {
        return new TestTool(name, ToolSpec.Repeat.SAFE, work, runs);
    }

    @Override
    public ToolSpec spec() {
        return new ToolSpec(
                name,
                "For tests.",
                JsonNodeFactory.instance.objectNode().put("type", "object"),
                repeat,
                ToolSpec.Effect.ACTS);
    }

    @Override
    public ToolOutcome run(ToolRequest request, Cancellation cancellation) throws InterruptedException {
        var value = request.call().arguments().path("value").asString("");
        runs.add(value);
        return work.run(value, cancellation);
    }
}
