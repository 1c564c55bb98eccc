package dev.skein.cli.program;

import dev.skein.cli.secret.Interpolation;
import dev.skein.cli.secret.Vault;
import dev.skein.cli.settings.AgentFiles;
import dev.skein.cli.settings.RoleFiles;
import dev.skein.cli.settings.SavePolicy;
import dev.skein.cli.settings.Settings;
import dev.skein.cli.terminal.Style;
import dev.skein.cli.terminal.Terminal;
import dev.skein.cli.workspace.WorkspaceInstructions;
import dev.skein.engine.AppState;
import dev.skein.engine.Engine;
import dev.skein.engine.Workings;
import dev.skein.engine.Workplace;
import dev.skein.engine.household.AgentRuntime;
import dev.skein.failure.InvalidRequest;
import dev.skein.failure.SkeinException;
import dev.skein.failure.StorageFailed;
import dev.skein.model.ModelName;
import dev.skein.provider.ProviderRegistry;
import dev.skein.provider.catalog.ModelCatalog;
import dev.skein.redaction.Redaction;
import dev.skein.session.Ids;
import dev.skein.store.SessionStore;
import dev.skein.tool.Tool;
import dev.skein.tools.BuiltInTools;
import dev.skein.tools.ToolOptions;
import dev.skein.tools.files.Workspace;
import dev.skein.tools.rag.Rags;
import dev.skein.tools.rag.embedding.Embedders;
import dev.skein.tools.rag.embedding.HttpEmbedder;
import dev.skein.tools.rag.embedding.LocalEmbedder;
import dev.skein.tools.web.FetchTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/// The models, the tools, and the engine that drives them. The only class that knows how these are made.
///
/// @param fetch gets pages that a person names, wherever they are
/// @param saving what becomes of sessions that nobody names
/// @param mcp the servers whose tools are used beside ours
/// @param documents the agents, with what they answer from
public record Ai(
        AppState app,
        Engine engine,
        Ids ids,
        ProviderRegistry models,
        Rags rags,
        Tool fetch,
        SavePolicy saving,
        Mcp mcp,
        AgentDocuments documents)
        implements AutoCloseable {

    private static final Duration FETCH_TIME = Duration.ofSeconds(30);
    private static final int FETCH_BYTES = 5_000_000;
    private static final int FETCH_CHARS = 200_000;
    private static final String LOCAL = "local";

    private static final Pattern SECRET = Pattern.compile("(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS)$");
    private static final int SECRET_LENGTH_MIN = 8;

    static Ai open(
            Path home,
            Map<String, String> env,
            Interpolation secrets,
            Vault vault,
            SessionStore store,
            Terminal terminal,
            Clock clock,
            Audience audience) {
        var settings = Settings.read(home.resolve("config.yaml"), secrets);
        var named = new HashMap<String, String>();
        var tools = BuiltInTools.in(
                workspace(), toolOptions(home, env, settings, audience).withSecrets(secrets.noting(named::put)::fill));
        named.putAll(tools.variables());
        settings.problems().forEach(problem -> warn(terminal, problem));
        tools.problems().forEach(problem -> warn(terminal, problem.file() + ": " + problem.reason()));
        var catalog = ModelCatalog.builtIn().withOverrides(home);
        catalog.problems().forEach(problem -> warn(terminal, problem.toString()));
        var kept = secretsOf(vault, terminal);
        var models = new ProviderRegistry(withSecrets(env, vault, kept), catalog.catalog(), settings.providers());
        var rags = new Rags(home, embedders(home, models), clock);
        var workings = Workings.real();
        var mcp = Mcp.open(
                home,
                env,
                secrets,
                kept,
                settings,
                audience,
                new ModelSampler(models, settings.model(), workings.ids(), workings.clock()),
                clock,
                problem -> warn(terminal, problem));
        var unspeakable = unspeakable(models, env);
        unspeakable.putAll(mcp.secrets());
        unspeakable.putAll(kept);
        var redaction = Redaction.of(unspeakable);
        // One of the vault may have the same name.
        redaction.learn(Mcp.longEnough(named));
        mcp.redactedBy(redaction);
        var engine = new Engine(store, workings);
        var documents = new AgentDocuments(
                AgentFiles.in(home, settings, env), rags, note -> terminal.note(terminal.stored(note)));
        var app = new AppState(
                store,
                models,
                tools.tools(),
                mcp,
                RoleFiles.in(home, env, workings.clock()),
                documents,
                AgentRuntime.standard(engine, workings.ids(), workings.clock()),
                rags,
                settings.engine(redaction).at(workplace(settings, audience)));
        return new Ai(app, engine, workings.ids(), models, rags, fetchEverywhere(), settings.saving(), mcp, documents);
    }

    /// `local:` models run on this machine, all others are a provider's.
    private static Embedders embedders(Path home, ProviderRegistry models) {
        return name -> {
            if (name.equals(LocalEmbedder.NAME)) {
                return new LocalEmbedder(Rags.libraries(home));
            }
            var model = ModelName.parse(name);
            if (model.provider().equals(LOCAL)) {
                throw new InvalidRequest("there is no embedding model '" + name + "'; on this machine there is "
                        + LocalEmbedder.NAME + ", others are named provider:model");
            }
            var endpoint = models.openAiEndpoint(model);
            return new HttpEmbedder(
                    name, endpoint.baseUrl(), model.model(), endpoint.key().reveal(), HttpEmbedder.Terms.STANDARD);
        };
    }

    /// For whom it works. What one person keeps for themselves is not for others.
    enum Audience {
        /// A person at a terminal.
        ONE,
        /// A program of one person, which asks again and again.
        CLIENT,
        MANY
    }

    private static ToolOptions toolOptions(Path home, Map<String, String> env, Settings settings, Audience audience) {
        var functions = home.resolve("functions");
        var all =
                ToolOptions.defaults(env).withVariables(settings.environment()).withSkills(home.resolve("skills"));
        var options = audience != Audience.MANY ? all.withMemory(home.resolve("memory")) : all;
        return Files.isDirectory(functions) ? options.withFunctions(functions) : options;
    }

    /// Whoever works for many does so where none of them is.
    private static Workplace workplace(Settings settings, Audience audience) {
        return audience != Audience.MANY && settings.workspaceInstructions()
                ? system -> WorkspaceInstructions.of(Path.of("")).behind(system)
                : Workplace.SILENT;
    }

    private static Workspace workspace() {
        try {
            return Workspace.at(Path.of("").toAbsolutePath());
        } catch (IOException e) {
            throw StorageFailed.io("open the working directory", e);
        }
    }

    private static Tool fetchEverywhere() {
        return FetchTool.with(new FetchTool.Terms(FetchTool.Reach.EVERYWHERE, FETCH_TIME, FETCH_BYTES, FETCH_CHARS));
    }

    /// The keys of providers, and whatever else in the environment is called a secret.
    private static Map<String, String> unspeakable(ProviderRegistry models, Map<String, String> env) {
        var secrets = new HashMap<>(models.secrets());
        env.forEach((name, value) -> {
            if (SECRET.matcher(name).find() && value.length() >= SECRET_LENGTH_MIN) {
                secrets.put(name, value);
            }
        });
        return secrets;
    }

    /// Without its key a vault is of no use, and the rest is.
    static Map<String, String> secretsOf(Vault vault, Terminal terminal) {
        try {
            return vault.unspeakable();
        } catch (SkeinException e) {
            warn(terminal, String.valueOf(e.getMessage()));
            return Map.of();
        }
    }

    /// A provider's key may be a secret that is called like its variable. The environment counts first.
    private static Map<String, String> withSecrets(Map<String, String> env, Vault vault, Map<String, String> kept) {
        var all = new HashMap<>(env);
        if (!kept.isEmpty()) {
            vault.list().forEach(secret -> all.putIfAbsent(secret.name(), vault.get(secret.name())));
        }
        return all;
    }

    private static void warn(Terminal terminal, String problem) {
        terminal.note(terminal.paint(Style.YELLOW, "warning:") + " " + terminal.stored(problem));
    }

    @Override
    public void close() {
        engine.close();
        mcp.close();
    }
}
