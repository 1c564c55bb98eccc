package dev.skein.tools.openapi;

import dev.skein.tool.Tool;
import dev.skein.tool.ToolSpec;
import dev.skein.tools.call.LocalTool;
import dev.skein.tools.process.ScriptTools.Problem;
import dev.skein.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// The operations of all documents `NAME.openapi.json` in a directory, as tools `NAME_operation`.
///
/// What is broken is reported and does not keep the others from loading.
public record OpenApiTools(List<Tool> tools, List<Problem> problems) {

    /// How the name of a document ends.
    public static final String SUFFIX = ".openapi.json";

    private static final long BYTES_MAX = 4L * 1024 * 1024;
    private static final int OPERATIONS_MAX = 200;
    private static final Set<String> METHODS = Set.of("get", "head", "post", "put", "patch", "delete");

    public OpenApiTools {
        tools = List.copyOf(tools);
        problems = List.copyOf(problems);
    }

    /// What headers may name of our environment, and how long and how much an answer may be.
    public record Terms(Map<String, String> environment, Duration timeout, int bytesMax) {}

    /// Loads what is in a directory; nothing if it is not there.
    public static OpenApiTools in(Path functions, Terms terms) {
        var tools = new ArrayList<Tool>();
        var problems = new ArrayList<Problem>();
        for (var file : files(functions, problems)) {
            try {
                load(file, terms, tools, problems);
            } catch (IOException | IllegalArgumentException | JacksonException e) {
                problems.add(new Problem(file, e.getMessage() == null ? e.toString() : e.getMessage()));
            }
        }
        return new OpenApiTools(tools, problems);
    }

    private static List<Path> files(Path functions, List<Problem> problems) {
        if (!Files.exists(functions)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(functions)) {
            return files.filter(file -> String.valueOf(file.getFileName()).endsWith(SUFFIX))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            problems.add(new Problem(functions, "cannot be listed: " + e.getMessage()));
            return List.of();
        }
    }

    private static void load(Path file, Terms terms, List<Tool> tools, List<Problem> problems) throws IOException {
        if (Files.size(file) > BYTES_MAX) {
            throw new IllegalArgumentException("is larger than " + BYTES_MAX + " bytes");
        }
        var document = read(file);
        if (!document.path("openapi").asString("").startsWith("3.")) {
            throw new IllegalArgumentException("is not a document of OpenAPI 3; its field 'openapi' says otherwise");
        }
        var service = Service.of(document, terms);
        var schemas = new Schemas(document);
        var prefix = String.valueOf(file.getFileName()).replace(SUFFIX, "");
        var names = new HashSet<String>();
        for (var path : document.path("paths").properties()) {
            for (var method : path.getValue().properties()) {
                if (!METHODS.contains(method.getKey())) {
                    continue;
                }
                try {
                    var operation =
                            Operation.of(path.getKey(), method.getKey(), path.getValue(), method.getValue(), schemas);
                    add(prefix, operation, service, names, tools);
                } catch (IllegalArgumentException e) {
                    problems.add(new Problem(file, method.getKey() + " " + path.getKey() + ": " + e.getMessage()));
                }
            }
        }
    }

    private static JsonNode read(Path file) throws IOException {
        try {
            return Json.MAPPER.readTree(Files.readAllBytes(file));
        } catch (JacksonException e) {
            throw new IllegalArgumentException("is not JSON: " + e.getOriginalMessage(), e);
        }
    }

    private static void add(String prefix, Operation operation, Service service, Set<String> names, List<Tool> tools) {
        var name = operation.name(prefix);
        if (names.size() >= OPERATIONS_MAX) {
            throw new IllegalArgumentException("is one too many: " + OPERATIONS_MAX + " are offered");
        }
        if (!names.add(name)) {
            throw new IllegalArgumentException("is left out: another is named " + name);
        }
        var spec = new ToolSpec(
                name, operation.description(), operation.parameters(), operation.repeat(), ToolSpec.Effect.ACTS);
        tools.add(new LocalTool(
                spec, (arguments, _, cancellation) -> service.call(operation.request(arguments.json()), cancellation)));
    }
}
