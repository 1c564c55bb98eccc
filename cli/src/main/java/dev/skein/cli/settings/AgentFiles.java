package dev.skein.cli.settings;

import dev.skein.cli.secret.Interpolation;
import dev.skein.engine.AppState;
import dev.skein.engine.agent.AgentSpec;
import dev.skein.engine.agent.AgentSpec.AutoContinue;
import dev.skein.engine.agent.AgentSpec.Instructions;
import dev.skein.engine.agent.AgentSpec.Variable;
import dev.skein.engine.agent.Agents;
import dev.skein.engine.limit.Limits;
import dev.skein.engine.permission.PermissionRules;
import dev.skein.engine.permission.Rule;
import dev.skein.engine.scope.ToolScope;
import dev.skein.failure.InvalidRequest;
import dev.skein.failure.StorageFailed;
import dev.skein.model.ModelName;
import dev.skein.retrieval.RagKey;
import dev.skein.tools.process.ChildEnvironment;
import dev.skein.tools.process.CommandOutput;
import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// The agents in a directory, each a directory with a `config.yaml`, read anew each time: whoever edits one need not
/// start again.
///
/// @param limits those of an agent that has no others
/// @param environment what the command of an agent's instructions gets to see
public record AgentFiles(Path directory, Limits limits, ChildEnvironment environment) implements Agents {

    public static final String CONFIG = "config.yaml";
    public static final String INSTRUCTIONS = "instructions.md";

    /// How a variable is called in the environment of a command.
    private static final String VARIABLE_PREFIX = "AGENT_VAR_";

    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,63}");
    private static final int BYTES_MAX = 1024 * 1024;
    private static final int TIMES_MAX = 1_000;

    /// Those of a home.
    public static AgentFiles in(Path home, Settings settings, Map<String, String> env) {
        return new AgentFiles(
                home.resolve("agents"), settings.limits(), ChildEnvironment.of(env, settings.environment()));
    }

    @Override
    public List<String> names() {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (var files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(AgentFiles::isName)
                    .filter(name -> Files.isRegularFile(directory.resolve(name).resolve(CONFIG)))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw StorageFailed.io("list the agents in " + directory, e);
        }
    }

    private static boolean isName(String name) {
        return RagKey.NAME.matcher(name).matches() && !name.equals(AppState.NOBODY);
    }

    @Override
    public Optional<AgentSpec> find(String name) {
        return isName(name) && Files.isRegularFile(directory.resolve(name).resolve(CONFIG))
                ? Optional.of(read(name))
                : Optional.empty();
    }

    /// Where the agent of this name is.
    public Path of(String name) {
        return directory.resolve(name);
    }

    /// All that is wrong with a file is told at once.
    private AgentSpec read(String name) {
        var file = SettingsFile.read(of(name).resolve(CONFIG), Interpolation.NONE);
        // Other tools write it, and to us it says nothing.
        var _ = file.text("version");
        var spec = spec(name, file);
        file.finish();
        if (!file.problems().isEmpty()) {
            throw new InvalidRequest(String.join("; ", file.problems()));
        }
        return spec;
    }

    private AgentSpec spec(String name, SettingsFile file) {
        var permissions = file.section("permissions");
        var rules = new PermissionRules(
                permissions.values("deny", Rule::parse),
                permissions.values("ask", Rule::parse),
                permissions.values("allow", Rule::parse));
        permissions.finish();
        return new AgentSpec(
                name,
                file.text("description").orElse(null),
                instructions(name, file),
                variables(file),
                file.texts("starters")
                        .or(() -> file.texts("conversation_starters"))
                        .orElse(List.of()),
                file.texts("documents").orElse(List.of()),
                file.value("model", ModelName::parse).orElse(null),
                file.number("temperature", 0, 2).orElse(null),
                file.number("top_p", 0, 1).orElse(null),
                new ToolScope(
                        file.texts("tools").or(() -> file.texts("global_tools")).orElse(null),
                        file.texts("mcp_servers").orElse(null)),
                file.values("agents", AgentFiles::agent),
                rules,
                file.has("limits") ? Settings.limits(file.section("limits"), limits) : null,
                new AutoContinue(
                        file.flag("auto_continue").orElse(false),
                        file.whole("max_auto_continues", 1, TIMES_MAX).orElse(AutoContinue.TIMES_MAX)));
    }

    private static String agent(String name) {
        if (!isName(name)) {
            throw new InvalidRequest("'" + name + "' cannot be the name of an agent");
        }
        return name;
    }

    private Instructions instructions(String name, SettingsFile file) {
        var inside = file.text("instructions");
        var beside = of(name).resolve(INSTRUCTIONS);
        if (inside.isPresent() && Files.exists(beside)) {
            file.problem("instructions", "stands here and in " + INSTRUCTIONS + "; keep one of them");
        }
        var text = inside.orElseGet(() -> Files.isRegularFile(beside) ? text(file, beside) : "");
        return new Instructions(text, file.text("instructions_command").orElse(null));
    }

    private static String text(SettingsFile file, Path beside) {
        try {
            if (Files.size(beside) <= BYTES_MAX) {
                return Files.readString(beside).strip();
            }
            file.problem("instructions", "in " + beside + " are longer than " + BYTES_MAX + " bytes");
        } catch (MalformedInputException _) {
            file.problem("instructions", "in " + beside + " are not UTF-8 text; save them as such");
        } catch (IOException e) {
            file.problem("instructions", "in " + beside + " cannot be read: " + e.getMessage());
        }
        return "";
    }

    private static List<Variable> variables(SettingsFile file) {
        return file.sections("variables").stream().map(AgentFiles::variable).toList();
    }

    private static Variable variable(SettingsFile section) {
        var name = section.value("name", AgentFiles::variableName).orElse("");
        if (name.isEmpty()) {
            section.problem("name", "is missing: a variable has a name of letters, digits and underscores");
        }
        var variable = new Variable(
                name,
                section.text("description").orElse(name),
                section.text("default").orElse(null));
        section.finish();
        return variable;
    }

    private static String variableName(String name) {
        if (!VARIABLE.matcher(name).matches()) {
            throw new InvalidRequest("'" + name + "' cannot be the name of a variable; use letters, digits and _");
        }
        return name;
    }

    @Override
    public String ask(AgentSpec agent, Map<String, String> variables) {
        var command = agent.instructions().command();
        if (command == null) {
            return "";
        }
        var visible = new HashMap<String, String>();
        variables.forEach((name, value) -> visible.put(VARIABLE_PREFIX + name.toUpperCase(Locale.ROOT), value));
        try {
            return new CommandOutput(of(agent.name()), environment.with(visible)).of(command);
        } catch (InvalidRequest e) {
            throw new InvalidRequest(of(agent.name()).resolve(CONFIG) + ": instructions_command: " + e.getMessage());
        }
    }
}
