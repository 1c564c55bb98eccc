package dev.skein.tools.process;

import dev.skein.cancellation.Cancellation;
import dev.skein.message.Part;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolSpec;
import dev.skein.tools.call.Arguments;
import dev.skein.tools.call.LocalTool;
import dev.skein.tools.call.Schema;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;

/// Runs a command line in the workspace.
///
/// It begins there but is not confined to it: a shell can do what its user can. What keeps it in check is the person
/// who is asked first.
public final class ShellTool {

    static final int SECONDS_DEFAULT = 120;
    static final int SECONDS_MAX = 600;

    private ShellTool() {}

    /// The tool for this directory.
    ///
    /// @param outputMax how many bytes of its output are kept, half from each end
    public static Tool in(Path directory, ChildEnvironment environment, int outputMax) {
        return new LocalTool(
                new ToolSpec(
                        "shell",
                        "Runs a command line with /bin/sh in the workspace and returns its output and exit code."
                                + " Nothing it starts in the background outlives it.",
                        Schema.requiring("command")
                                .text("command", "The command line.")
                                .number(
                                        "timeout_seconds",
                                        "When to kill it; " + SECONDS_DEFAULT + " if left out, at most " + SECONDS_MAX
                                                + ".")
                                .json(),
                        ToolSpec.Repeat.UNSAFE,
                        ToolSpec.Effect.ACTS),
                (arguments, _, cancellation) -> run(arguments, directory, environment, outputMax, cancellation));
    }

    private static ToolOutcome run(
            Arguments arguments, Path directory, ChildEnvironment environment, int outputMax, Cancellation cancellation)
            throws IOException, InterruptedException {
        var command = arguments.text("command");
        var seconds = arguments.number("timeout_seconds", SECONDS_DEFAULT, 1, SECONDS_MAX);
        var ended = new Execution(directory, environment, Duration.ofSeconds(seconds), outputMax)
                .run(List.of("/bin/sh", "-c", command), new byte[0], ChildProcess.Outputs.MERGED, cancellation);
        if (ended.code().isEmpty()) {
            return new ToolOutcome.Failed("no end within " + seconds
                    + " s, so it was killed with everything it started; its output so far:\n" + ended.output());
        }
        var code = ended.code().getAsInt();
        var text = ended.output() + (ended.output().isEmpty() || ended.output().endsWith("\n") ? "" : "\n")
                + "[exit code " + code + "]";
        return new ToolOutcome.Answered(
                List.of(new Part.Text(text)),
                JsonNodeFactory.instance.objectNode().put("exit_code", code),
                null);
    }
}
