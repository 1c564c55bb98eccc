package dev.skein.tools.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.skein.cancellation.Cancellation;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolRequest;
import dev.skein.tool.ToolSpec;
import dev.skein.tools.call.LocalTool;
import dev.skein.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Tools that a person wrote as programs: `NAME`, executable, and beside it `NAME.json`, which holds `name`,
/// `description`, `parameters` (a JSON schema) and perhaps `repeat` (safe or unsafe) and `effect` (reads or acts).
///
/// The program gets the arguments as JSON on its standard input, and no shell sees them. What it prints is the result.
/// If its exit code is not 0, the end of what it printed as an error is the reason of the failure. What is broken is
/// reported and does not keep the others from loading.
public record ScriptTools(List<Tool> tools, List<Problem> problems) {

    /// Documents of services make tools of their own.
    private static final Pattern SERVICE = Pattern.compile("[.]openapi[.](json|ya?ml)$");

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final long SCHEMA_BYTES_MAX = 256 * 1024;
    private static final int REASON_CHARS_MAX = 2000;

    public ScriptTools {
        tools = List.copyOf(tools);
        problems = List.copyOf(problems);
    }

    /// A file that makes no tool, and why.
    public record Problem(Path file, String reason) {}

    /// Where the programs run, what they see, and how long and how loud they may be.
    public record Terms(Path directory, ChildEnvironment environment, Duration timeout, int outputMax) {}

    /// Loads what is in a directory; nothing if it is not there.
    public static ScriptTools in(Path functions, Terms terms) {
        var tools = new ArrayList<Tool>();
        var problems = new ArrayList<Problem>();
        var owners = new HashMap<String, Path>();
        for (var file : files(functions, problems)) {
            try {
                load(file, terms, owners).ifPresent(tools::add);
            } catch (IOException | IllegalArgumentException | JacksonException e) {
                problems.add(new Problem(file, e.getMessage() == null ? e.toString() : e.getMessage()));
            }
        }
        return new ScriptTools(tools, problems);
    }

    private static List<Path> files(Path functions, List<Problem> problems) {
        if (!Files.exists(functions)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(functions)) {
            return files.sorted().toList();
        } catch (IOException e) {
            problems.add(new Problem(functions, "cannot be listed: " + e.getMessage()));
            return List.of();
        }
    }

    private static Optional<Tool> load(Path file, Terms terms, Map<String, Path> owners) throws IOException {
        var name = String.valueOf(file.getFileName());
        if (name.startsWith(".") || SERVICE.matcher(name).find() || Files.isDirectory(file)) {
            return Optional.empty();
        }
        if (!name.endsWith(".json")) {
            if (!Files.exists(file.resolveSibling(name + ".json"))) {
                throw new IllegalArgumentException("has no schema; put " + name + ".json beside it");
            }
            return Optional.empty();
        }
        var program = file.resolveSibling(name.substring(0, name.length() - ".json".length()));
        if (!Files.isRegularFile(program)) {
            throw new IllegalArgumentException("has no program; put " + program.getFileName() + " beside it");
        }
        if (!Files.isExecutable(program)) {
            throw new IllegalArgumentException("its program is not executable; run chmod +x on it");
        }
        var spec = spec(file);
        var owner = owners.putIfAbsent(spec.name(), file);
        if (owner != null) {
            throw new IllegalArgumentException("the name '" + spec.name() + "' is taken by " + owner.getFileName());
        }
        return Optional.of(
                new LocalTool(spec, (_, request, cancellation) -> run(program, terms, request, cancellation)));
    }

    private static ToolSpec spec(Path file) throws IOException {
        if (Files.size(file) > SCHEMA_BYTES_MAX) {
            throw new IllegalArgumentException("is larger than " + SCHEMA_BYTES_MAX + " bytes");
        }
        JsonNode json;
        try {
            json = Json.MAPPER.readTree(Files.readAllBytes(file));
        } catch (JacksonException e) {
            throw new IllegalArgumentException("is not JSON: " + e.getOriginalMessage(), e);
        }
        if (!(json.path("parameters") instanceof ObjectNode parameters)) {
            throw new IllegalArgumentException("has no parameters; give a JSON schema of type object");
        }
        if (!parameters.path("type").asString("").equals("object")) {
            throw new IllegalArgumentException("its parameters are not of type object; arguments always are");
        }
        var name = required(json, "name");
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("the name '" + name + "' is not made of letters, digits, _ and -");
        }
        return new ToolSpec(
                name,
                required(json, "description"),
                parameters,
                choice(json, "repeat", ToolSpec.Repeat.UNSAFE, ToolSpec.Repeat.values()),
                choice(json, "effect", ToolSpec.Effect.ACTS, ToolSpec.Effect.values()));
    }

    private static String required(JsonNode json, String field) {
        if (!json.path(field).isString() || json.path(field).stringValue().isBlank()) {
            throw new IllegalArgumentException("has no " + field + "; give it a text");
        }
        return json.path(field).stringValue();
    }

    private static <E extends Enum<E>> E choice(JsonNode json, String field, E otherwise, E[] values) {
        var value = json.path(field);
        if (value.isMissingNode()) {
            return otherwise;
        }
        return Stream.of(values)
                .filter(candidate -> candidate.name().toLowerCase(Locale.ROOT).equals(value.asString("")))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("its " + field + " is " + value + "; it can be "
                        + Stream.of(values)
                                .map(candidate -> candidate.name().toLowerCase(Locale.ROOT))
                                .toList()));
    }

    private static ToolOutcome run(Path program, Terms terms, ToolRequest request, Cancellation cancellation)
            throws IOException, InterruptedException {
        var input = request.call().arguments().toString().getBytes(UTF_8);
        var ended = new Execution(terms.directory(), terms.environment(), terms.timeout(), terms.outputMax())
                .run(List.of(program.toAbsolutePath().toString()), input, ChildProcess.Outputs.APART, cancellation);
        if (ended.code().isEmpty()) {
            return new ToolOutcome.TimedOut(terms.timeout());
        }
        var code = ended.code().getAsInt();
        return code == 0
                ? ToolOutcome.Answered.text(ended.output())
                : new ToolOutcome.Failed("exit code " + code + ": " + end(ended.errors()));
    }

    private static String end(String text) {
        return text.length() <= REASON_CHARS_MAX ? text : text.substring(text.length() - REASON_CHARS_MAX);
    }
}
