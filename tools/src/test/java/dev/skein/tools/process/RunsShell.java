package dev.skein.tools.process;

import dev.skein.cancellation.Cancellation;
import dev.skein.tools.call.Calls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/// A program of its own that runs one command line through the shell tool, and writes what came of it to a file. Its
/// parent kills it, or looks at what its children can see.
final class RunsShell {

    private RunsShell() {}

    public static void main(String[] arguments) throws Exception {
        var directory = Path.of(arguments[0]);
        var shell = ShellTool.in(directory, ChildEnvironment.of(System.getenv(), Set.of("EXTRA")), 100_000);
        var outcome = Calls.run(shell, new Cancellation(), "command", arguments[1]);
        Files.writeString(directory.resolve("outcome"), Calls.words(outcome));
    }
}
