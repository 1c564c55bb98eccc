package dev.skein.tools.openapi;

import dev.skein.failure.InvalidRequest;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolSpec;
import dev.skein.tools.call.LocalTool;
import dev.skein.tools.process.ScriptTools.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// The operations of all documents `NAME.openapi.json`, `.yaml` or `.yml` in a directory, as tools `NAME_operation`.
///
/// What is broken is reported and does not keep the others from loading.
///
/// @param variables of our environment, those that are sent along, with their values: nobody else is to see them
public record OpenApiTools(List<Tool> tools, List<Problem> problems, Map<String, String> variables) {

    /// What comes before the names of the formats.
    private static final String MARK = ".openapi";

    private static final int OPERATIONS_MAX = 200;
    private static final Set<String> METHODS = Set.of("get", "head", "post", "put", "patch", "delete");

    public OpenApiTools {
        tools = List.copyOf(tools);
        problems = List.copyOf(problems);
        variables = Map.copyOf(variables);
    }

    /// What headers may name of our environment and of our secrets, and how long and how much an answer may be.
    public record Terms(
            Map<String, String> environment, UnaryOperator<String> secrets, Duration timeout, int bytesMax) {}

    /// Loads what is in a directory; nothing if it is not there.
    public static OpenApiTools in(Path functions, Terms terms) {
        var tools = new ArrayList<Tool>();
        var problems = new ArrayList<Problem>();
        var variables = new HashMap<String, String>();
        for (var file : files(functions, problems)) {
            try {
                load(file, terms, variables, tools, problems);
            } catch (IOException | IllegalArgumentException | InvalidRequest e) {
                problems.add(new Problem(file, e.getMessage() == null ? e.toString() : e.getMessage()));
            }
        }
        return new OpenApiTools(tools, problems, variables);
    }

    private static List<Path> files(Path functions, List<Problem> problems) {
        if (!Files.exists(functions)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(functions)) {
            return files.filter(file -> isDocument(String.valueOf(file.getFileName())))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            problems.add(new Problem(functions, "cannot be listed: " + e.getMessage()));
            return List.of();
        }
    }

    /// Whether a file of this name is a document of a service.
    private static boolean isDocument(String name) {
        return DocumentFile.ENDINGS.stream().anyMatch(ending -> name.endsWith(MARK + ending));
    }

    private static void load(
            Path file, Terms terms, Map<String, String> variables, List<Tool> tools, List<Problem> problems)
            throws IOException {
        var document = DocumentFile.read(file);
        if (!document.path("openapi").asString("").startsWith("3.")) {
            throw new IllegalArgumentException("is not a document of OpenAPI 3; its field 'openapi' says otherwise");
        }
        var service = Service.of(document, terms, variables);
        var schemas = new Schemas(document);
        var name = String.valueOf(file.getFileName());
        var prefix = name.substring(0, name.lastIndexOf(MARK));
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
