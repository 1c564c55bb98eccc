package dev.skein.tools;

import dev.skein.tool.Tool;
import dev.skein.tools.ask.AskTools;
import dev.skein.tools.files.FileTools;
import dev.skein.tools.files.Workspace;
import dev.skein.tools.memory.MemoryTools;
import dev.skein.tools.openapi.OpenApiTools;
import dev.skein.tools.process.ChildEnvironment;
import dev.skein.tools.process.ScriptTools;
import dev.skein.tools.process.ShellTool;
import dev.skein.tools.search.SearchTools;
import dev.skein.tools.skill.SkillTool;
import dev.skein.tools.todo.TodoTool;
import dev.skein.tools.web.FetchTool;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Every tool that comes with Skein, and the script tools of a person.
///
/// @param problems script tools and skills that could not be loaded, and why
/// @param variables of our environment, those that tools send to services, with their values: nobody else is to see
/// them
public record BuiltInTools(List<Tool> tools, List<ScriptTools.Problem> problems, Map<String, String> variables) {

    public BuiltInTools {
        tools = List.copyOf(tools);
        problems = List.copyOf(problems);
        variables = Map.copyOf(variables);
    }

    public static BuiltInTools in(Workspace workspace, ToolOptions options) {
        var environment = ChildEnvironment.of(options.environment(), options.variables());
        var tools = new ArrayList<Tool>();
        tools.addAll(FileTools.in(workspace));
        tools.addAll(SearchTools.in(workspace, options.searchTimeout(), System::nanoTime));
        tools.add(ShellTool.in(workspace.root(), environment, options.outputMax()));
        tools.add(FetchTool.with(options.fetch()));
        tools.add(TodoTool.over(options.conversation()));
        tools.addAll(AskTools.all());
        var problems = new ArrayList<ScriptTools.Problem>();
        if (options.memory() != null) {
            tools.addAll(MemoryTools.in(options.memory()));
        }
        if (options.skills() != null) {
            var skills = SkillTool.in(options.skills());
            skills.tool().ifPresent(tools::add);
            skills.problems()
                    .forEach(problem -> problems.add(new ScriptTools.Problem(problem.file(), problem.reason())));
        }
        if (options.functions() == null) {
            return new BuiltInTools(tools, problems, Map.of());
        }
        var names = tools.stream().map(tool -> tool.spec().name()).collect(Collectors.toCollection(HashSet::new));
        var scripts = ScriptTools.in(
                options.functions(),
                new ScriptTools.Terms(workspace.root(), environment, options.scriptTimeout(), options.outputMax()));
        problems.addAll(scripts.problems());
        var services = OpenApiTools.in(
                options.functions(),
                new OpenApiTools.Terms(
                        options.environment(), options.secrets(), options.scriptTimeout(), options.outputMax()));
        problems.addAll(services.problems());
        for (var script : Stream.concat(scripts.tools().stream(), services.tools().stream())
                .toList()) {
            if (!names.add(script.spec().name())) {
                problems.add(new ScriptTools.Problem(
                        options.functions(),
                        "the name '" + script.spec().name() + "' is that of a built-in tool or of another; change it"));
            } else {
                tools.add(script);
            }
        }
        return new BuiltInTools(tools, problems, services.variables());
    }
}
