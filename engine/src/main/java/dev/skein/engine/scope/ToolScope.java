package dev.skein.engine.scope;

import dev.skein.failure.InvalidRequest;
import dev.skein.tool.Tool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Which tools are offered, by their names, and those of which MCP servers.
///
/// Without names all tools are, and without servers those of all of them. Servers that are named give all they have,
/// beside the tools that are named.
///
/// A scope is a value: to change it is to make another, so nobody ever sees half a change, and scopes that are in use
/// at the same time have nothing in common that one could take from the other. What both have is had once.
public record ToolScope(
        @Nullable List<String> tools, @Nullable List<String> servers) {

    /// Everything.
    public static final ToolScope ALL = new ToolScope(null, null);

    public ToolScope {
        tools = tools == null ? null : List.copyOf(tools);
        servers = servers == null ? null : List.copyOf(servers);
    }

    /// Of each, the first that says something: the request's wish, the agent, the session, the role, the settings.
    public static ToolScope first(List<ToolScope> candidates) {
        return new ToolScope(
                candidates.stream()
                        .flatMap(scope -> Stream.ofNullable(scope.tools))
                        .findFirst()
                        .orElse(null),
                candidates.stream()
                        .flatMap(scope -> Stream.ofNullable(scope.servers))
                        .findFirst()
                        .orElse(null));
    }

    /// The tools themselves, in the order of their names here.
    ///
    /// @param own those that are there without asking anybody
    /// @throws InvalidRequest if a tool or a server is named that is not there
    public List<Tool> of(List<Tool> own, ToolSource more) {
        return of(own, more, _ -> {});
    }

    /// The same, and `warnings` hears of the servers that are not to be had.
    public List<Tool> of(List<Tool> own, ToolSource more, Consumer<String> warnings) {
        if (tools == null) {
            return Stream.concat(own.stream(), others(more, warnings)).toList();
        }
        var byName = byName(own);
        var found = new LinkedHashMap<String, Tool>();
        List<Tool> served = null;
        for (var name : tools) {
            var tool = byName.get(name);
            if (tool == null) {
                // Only now somebody else has to be asked.
                served = served == null ? more.tools(servers, warnings) : served;
                tool = Optional.ofNullable(byName(served).get(name)).orElseThrow(unknown(name, own, served));
            }
            found.put(name, tool);
        }
        if (servers != null) {
            (served == null ? others(more, warnings) : served.stream())
                    .forEach(tool -> found.putIfAbsent(tool.spec().name(), tool));
        }
        return List.copyOf(found.values());
    }

    private Stream<Tool> others(ToolSource more, Consumer<String> warnings) {
        return servers != null && servers.isEmpty() ? Stream.of() : more.tools(servers, warnings).stream();
    }

    private static Supplier<InvalidRequest> unknown(String name, List<Tool> own, List<Tool> served) {
        return () -> {
            var all = new ArrayList<>(own);
            all.addAll(served);
            return new InvalidRequest("there is no tool '" + name + "'; there are "
                    + all.stream().map(tool -> tool.spec().name()).toList());
        };
    }

    private static Map<String, Tool> byName(List<Tool> tools) {
        var byName = new HashMap<String, Tool>();
        tools.forEach(tool -> byName.putIfAbsent(tool.spec().name(), tool));
        return byName;
    }
}
