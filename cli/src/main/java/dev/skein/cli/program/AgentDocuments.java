package dev.skein.cli.program;

import dev.skein.cancellation.Cancellation;
import dev.skein.cli.settings.AgentFiles;
import dev.skein.engine.agent.AgentSpec;
import dev.skein.engine.agent.Agents;
import dev.skein.failure.InvalidRequest;
import dev.skein.failure.RagFailed;
import dev.skein.retrieval.RagKey;
import dev.skein.tools.rag.BuildReport;
import dev.skein.tools.rag.Progress;
import dev.skein.tools.rag.Rags;
import dev.skein.tools.rag.source.Sources;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// Agents with their documents: those that were never read are read before the agent answers for the first time.
///
/// @param notes hears when that begins, for it may take a while
public record AgentDocuments(AgentFiles files, Rags rags, Consumer<String> notes) implements Agents {

    @Override
    public Optional<AgentSpec> find(String name) {
        return files.find(name);
    }

    @Override
    public List<String> names() {
        return files.names();
    }

    @Override
    public String ask(AgentSpec agent, Map<String, String> variables) {
        return files.ask(agent, variables);
    }

    @Override
    public void prepare(AgentSpec agent, Cancellation cancellation) {
        var key = new RagKey.Agent(agent.name());
        if (agent.documents().isEmpty() || rags.has(key)) {
            return;
        }
        notes.accept("reading the documents of the agent '" + agent.name() + "'");
        try {
            rags.create(key, sources(agent), null, Progress.SILENT, cancellation);
        } catch (RagFailed e) {
            if (!rags.has(key)) {
                throw e;
            }
            // Another process was faster.
        }
    }

    /// Reads again what is new or changed, all of it if the agent names other documents than before.
    public BuildReport build(AgentSpec agent, Progress progress, Cancellation cancellation) {
        var key = new RagKey.Agent(agent.name());
        var sources = sources(agent);
        if (sources.isEmpty()) {
            throw new InvalidRequest("the agent '" + agent.name() + "' has no documents; name some in "
                    + files.of(agent.name()).resolve(AgentFiles.CONFIG));
        }
        if (rags.has(key) && !rags.manifest(key).sources().equals(sources)) {
            rags.delete(key);
        }
        return rags.has(key)
                ? rags.rebuild(key, progress, cancellation)
                : rags.create(key, sources, null, progress, cancellation);
    }

    private List<String> sources(AgentSpec agent) {
        return agent.documents().stream()
                .map(document -> Sources.normal(document, files.of(agent.name())))
                .toList();
    }
}
