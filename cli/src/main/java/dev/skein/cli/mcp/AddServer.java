package dev.skein.cli.mcp;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.JsonOption;
import dev.skein.cli.program.Program;
import dev.skein.wire.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

/// `skein mcp add`
@Command(name = "add", description = "Add a server: a program after --, or an address with --url. Nothing is started.")
final class AddServer implements Runnable {

    private final Program program;

    @Parameters(index = "0", paramLabel = "NAME", description = "What its tools' names begin with.")
    private String name = "";

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "COMMAND", description = "The program and its arguments.")
    private List<String> command = List.of();

    @Option(names = "--url", paramLabel = "URL", description = "Where it is, if it is not a program here.")
    private @Nullable String url;

    @Option(names = "--env", paramLabel = "NAME=VALUE", description = "A variable for it; ${NAME} takes ours.")
    private Map<String, String> env = new LinkedHashMap<>();

    @Option(names = "--header", paramLabel = "NAME=VALUE", description = "A header for it; ${NAME} is filled in.")
    private Map<String, String> headers = new LinkedHashMap<>();

    @Option(names = "--cwd", paramLabel = "DIR", description = "Where it runs; the working directory if left out.")
    private @Nullable String cwd;

    @Mixin
    private final JsonOption json = new JsonOption();

    AddServer(Program program) {
        this.program = program;
    }

    @Override
    public void run() {
        var entry = entry();
        try (var mcp = program.mcp()) {
            if (mcp.file().has(name)) {
                throw CommandFailure.usage(
                        "there is an MCP server '" + name + "' already; 'skein mcp remove' it first");
            }
            mcp.check(name, entry).ifPresent(problem -> {
                throw CommandFailure.usage("the MCP server '" + name + "' cannot be added: " + problem.reason());
            });
            mcp.file().put(name, entry);
        }
        if (json.wanted()) {
            program.answer(Map.of("added", name));
        } else {
            program.terminal()
                    .line(program.terminal().stored("added '" + name + "'; 'skein mcp test " + name + "' tries it"));
        }
    }

    private ObjectNode entry() {
        if (command.isEmpty() == (url == null)) {
            throw CommandFailure.usage("give either a program after -- or an address with --url");
        }
        var entry = Json.MAPPER.createObjectNode();
        if (url != null) {
            entry.put("type", "http").put("url", url);
        } else {
            entry.put("command", command.getFirst());
            var args = entry.putArray("args");
            command.stream().skip(1).forEach(args::add);
        }
        putAll(entry, "env", env);
        putAll(entry, "headers", headers);
        if (cwd != null) {
            entry.put("cwd", cwd);
        }
        return entry;
    }

    private static void putAll(ObjectNode entry, String key, Map<String, String> values) {
        if (!values.isEmpty()) {
            var object = entry.putObject(key);
            values.forEach(object::put);
        }
    }
}
