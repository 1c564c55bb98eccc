package dev.skein.tools;

import dev.skein.message.Message;
import dev.skein.tool.ToolRequest;
import dev.skein.tools.web.FetchTool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// How the built-in tools behave.
///
/// @param functions where script tools are; null for none
/// @param environment our environment, of which programs see the allowed part
/// @param variables names that programs may see besides the usual ones
/// @param outputMax how many bytes of a program's output are kept
/// @param scriptTimeout how long a script tool may take
/// @param searchTimeout how long a search may take
/// @param fetch how far, how long and how much is fetched
/// @param conversation what was said before a call, for the list of things to do
/// @param skills where skills are; null for none
/// @param memory where notes are kept; null for nowhere
/// @param secrets fills in what the operator's documents name as `{{NAME}}`
public record ToolOptions(
        @Nullable Path functions,
        Map<String, String> environment,
        Set<String> variables,
        int outputMax,
        Duration scriptTimeout,
        Duration searchTimeout,
        FetchTool.Terms fetch,
        Function<ToolRequest, List<Message>> conversation,
        @Nullable Path skills,
        @Nullable Path memory,
        UnaryOperator<String> secrets) {

    public ToolOptions {
        environment = Map.copyOf(environment);
        variables = Set.copyOf(variables);
    }

    /// No script tools, the usual variables, public addresses only, and a list as durable as the conversation.
    public static ToolOptions defaults(Map<String, String> environment) {
        return new ToolOptions(
                null,
                environment,
                Set.of(),
                64 * 1024,
                Duration.ofSeconds(120),
                Duration.ofSeconds(20),
                new FetchTool.Terms(FetchTool.Reach.PUBLIC, Duration.ofSeconds(30), 5_000_000, 100_000),
                request -> request.conversation().get(),
                null,
                null,
                UnaryOperator.identity());
    }

    public ToolOptions withFunctions(Path directory) {
        return new ToolOptions(
                directory,
                environment,
                variables,
                outputMax,
                scriptTimeout,
                searchTimeout,
                fetch,
                conversation,
                skills,
                memory,
                secrets);
    }

    public ToolOptions withVariables(Set<String> names) {
        return new ToolOptions(
                functions,
                environment,
                names,
                outputMax,
                scriptTimeout,
                searchTimeout,
                fetch,
                conversation,
                skills,
                memory,
                secrets);
    }

    public ToolOptions withFetch(FetchTool.Terms terms) {
        return new ToolOptions(
                functions,
                environment,
                variables,
                outputMax,
                scriptTimeout,
                searchTimeout,
                terms,
                conversation,
                skills,
                memory,
                secrets);
    }

    public ToolOptions withConversation(Function<ToolRequest, List<Message>> source) {
        return new ToolOptions(
                functions,
                environment,
                variables,
                outputMax,
                scriptTimeout,
                searchTimeout,
                fetch,
                source,
                skills,
                memory,
                secrets);
    }

    public ToolOptions withSkills(Path directory) {
        return new ToolOptions(
                functions,
                environment,
                variables,
                outputMax,
                scriptTimeout,
                searchTimeout,
                fetch,
                conversation,
                directory,
                memory,
                secrets);
    }

    public ToolOptions withMemory(Path directory) {
        return new ToolOptions(
                functions,
                environment,
                variables,
                outputMax,
                scriptTimeout,
                searchTimeout,
                fetch,
                conversation,
                skills,
                directory,
                secrets);
    }

    public ToolOptions withSecrets(UnaryOperator<String> filling) {
        return new ToolOptions(
                functions,
                environment,
                variables,
                outputMax,
                scriptTimeout,
                searchTimeout,
                fetch,
                conversation,
                skills,
                memory,
                filling);
    }
}
