package dev.skein.cli.mcp;

import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `skein mcp logout`
@Command(name = "logout", description = "Forget what a server gave us when you logged in.")
final class LogOut implements Runnable {

    private final Program program;

    @Parameters(paramLabel = "NAME", description = "The name of the server.")
    private String name = "";

    @Mixin
    private final JsonOption json = new JsonOption();

    LogOut(Program program) {
        this.program = program;
    }

    @Override
    public void run() {
        try (var mcp = program.mcp()) {
            var had = mcp.logout(Visit.named(mcp, name));
            if (json.wanted()) {
                program.answer(Map.of("name", name, "forgotten", had));
            } else {
                program.terminal()
                        .line(program.terminal()
                                .stored(had ? "forgotten" : "there was nothing to forget about '" + name + "'"));
            }
        }
    }
}
