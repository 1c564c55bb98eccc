package dev.skein.cli.program;

import dev.skein.cancellation.Cancellation;
import dev.skein.cli.secret.Interpolation;
import dev.skein.cli.settings.Settings;
import dev.skein.engine.scope.ToolSource;
import dev.skein.failure.InvalidRequest;
import dev.skein.redaction.Redaction;
import dev.skein.tool.Tool;
import dev.skein.tools.mcp.McpTools;
import dev.skein.tools.mcp.Pins;
import dev.skein.tools.mcp.Sampler;
import dev.skein.tools.mcp.client.ClientTerms;
import dev.skein.tools.mcp.client.McpClient;
import dev.skein.tools.mcp.config.McpConfig;
import dev.skein.tools.mcp.config.McpConfigFile;
import dev.skein.tools.mcp.config.McpServer;
import dev.skein.tools.mcp.oauth.Consent;
import dev.skein.tools.mcp.oauth.OAuth;
import dev.skein.tools.mcp.oauth.TokenFile;
import dev.skein.tools.mcp.pool.McpCounters;
import dev.skein.tools.mcp.pool.McpFactory;
import dev.skein.tools.mcp.pool.McpLease;
import dev.skein.tools.mcp.pool.PoolTerms;
import dev.skein.tools.mcp.wire.Credentials;
import dev.skein.tools.process.ChildEnvironment;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The MCP servers of `mcp.json`. None runs before somebody asks for its tools, and none after this is closed.
public final class Mcp implements ToolSource, AutoCloseable {

    private static final int SECRET_LENGTH_MIN = 8;

    /// Longer than a person may take in the browser.
    private static final Duration LOGIN = Duration.ofMinutes(6);

    private final McpConfigFile file;
    private final Function<String, Optional<String>> variables;
    private final McpFactory factory;
    private final ClientTerms terms;
    private final McpTools tools;
    private final Pins pins;
    private final Learned learned;
    private final Ai.Audience audience;
    private final Clock clock;

    /// Where tokens are kept, and who takes them out of what is shown.
    private static final class Learned implements Consumer<Map<String, String>> {
        private final TokenFile tokens;
        private final List<Redaction> redactions = new CopyOnWriteArrayList<>();

        Learned(TokenFile tokens) {
            this.tokens = tokens;
        }

        @Override
        public void accept(Map<String, String> secrets) {
            redactions.forEach(redaction -> redaction.learn(secrets));
        }

        void hear(Redaction redaction) {
            redactions.add(redaction);
        }
    }

    private Mcp(
            McpConfigFile file,
            Function<String, Optional<String>> variables,
            McpFactory factory,
            ClientTerms terms,
            McpTools tools,
            Pins pins,
            Learned learned,
            Ai.Audience audience,
            Clock clock) {
        this.file = file;
        this.variables = variables;
        this.factory = factory;
        this.terms = terms;
        this.tools = tools;
        this.pins = pins;
        this.learned = learned;
        this.audience = audience;
        this.clock = clock;
    }

    /// @param problems hears once of each thing that is wrong
    static Mcp open(
            Path home,
            Map<String, String> env,
            Interpolation secrets,
            Map<String, String> unspeakable,
            Settings settings,
            Ai.Audience audience,
            @Nullable Sampler sampler,
            Clock clock,
            Consumer<String> problems) {
        var file = home.resolve(McpConfig.FILE);
        var values = secrets.values();
        var config = McpConfig.read(file, values);
        config.problems().forEach(problem -> problems.accept(problem.toString()));
        var tokens = new TokenFile(home.resolve(TokenFile.FILE));
        var learned = new Learned(tokens);
        var given = new HashMap<>(unspeakable);
        given.putAll(longEnough(config.secrets()));
        given.putAll(longEnough(tokens.secrets()));
        var redaction = Redaction.of(given);
        learned.hear(redaction);
        var terms = ClientTerms.of(Path.of("").toAbsolutePath(), ChildEnvironment.of(env, settings.environment()))
                .withElicitation()
                .withRedaction(redaction)
                .withCredentials(server -> credentials(server, tokens, null, clock, learned));
        var told = sampler == null ? terms : terms.withSampling();
        var usual = audience == Ai.Audience.ONE ? PoolTerms.forOne() : PoolTerms.forMany();
        var factory = new McpFactory(told, settings.mcpPool().over(usual), clock);
        var pins = new Pins(home.resolve(Pins.FILE));
        var tools = new McpTools(
                config, factory, new McpTools.Terms(pins, settings.mcpPool().startWait(), problems, sampler), clock);
        return new Mcp(new McpConfigFile(file), values, factory, told, tools, pins, learned, audience, clock);
    }

    /// What is wrong with what would be written about a server; empty if nothing is.
    public Optional<McpConfig.Problem> check(String name, JsonNode entry) {
        return McpConfig.check(name, entry, variables);
    }

    /// The file the servers are in.
    public McpConfigFile file() {
        return file;
    }

    public McpConfig config() {
        return tools.config();
    }

    /// What runs, and what happened so far.
    public McpCounters counters() {
        return factory.counters();
    }

    /// Reads the file again. Servers that changed or are gone end with the last run that uses them.
    public McpConfig reload() {
        var changed = McpConfig.read(file.file(), variables);
        learned.accept(secrets(changed));
        tools.reload(changed);
        return changed;
    }

    @Override
    public List<Tool> tools(@Nullable List<String> servers) {
        return tools(servers, _ -> {});
    }

    /// The tools of these servers, of all for null; starts those that do not run yet.
    @Override
    public List<Tool> tools(@Nullable List<String> servers, Consumer<String> warnings) {
        var there = config().servers().keySet();
        for (var name : servers == null ? List.<String>of() : servers) {
            if (!there.contains(name)) {
                throw new InvalidRequest("there is no MCP server '" + name + "' in " + McpConfig.FILE + "; there are "
                        + List.copyOf(there));
            }
        }
        var wanted = servers == null ? there : new LinkedHashSet<>(servers);
        Consumer<String> hears = audience == Ai.Audience.MANY ? warnings : _ -> {};
        return wanted.isEmpty() ? List.of() : tools.tools(wanted, hears);
    }

    @Override
    public List<Known> known() {
        var offered = tools.offered();
        return config().servers().keySet().stream()
                .map(name -> new Known(name, offered.containsKey(name), offered.getOrDefault(name, List.of())))
                .toList();
    }

    /// Starts one server, or joins those who use it.
    public McpLease acquire(McpServer server, Cancellation cancellation) throws InterruptedException {
        return factory.acquire(server, cancellation);
    }

    /// Has a person log in to a server, in a browser. Returns what the server says of itself.
    public String login(McpServer server, Consent consent) throws InterruptedException {
        var terms = this.terms.withCredentials(asked -> credentials(asked, learned.tokens, consent, clock, learned));
        var patient = server.withTimeouts(server.timeout(), LOGIN);
        try (var client = McpClient.open(patient, terms, new Cancellation())) {
            client.tools(new Cancellation());
            return client.title();
        }
    }

    /// Forgets what a server gave us; false if it gave nothing.
    public boolean logout(McpServer server) {
        return server.reach() instanceof McpServer.Reach.Web web
                && learned.tokens.forget(OAuth.key(server.name(), web.url()));
    }

    /// Who sends credentials of their own need not log in.
    private static Credentials credentials(
            McpServer server,
            TokenFile tokens,
            @Nullable Consent consent,
            Clock clock,
            Consumer<Map<String, String>> secrets) {
        return server.reach() instanceof McpServer.Reach.Web web && !web.isKnown()
                ? new OAuth(server.name(), web.url(), web.oauth(), tokens, consent, clock, secrets)
                : Credentials.NONE;
    }

    /// How many servers run, idle ones included.
    public int running() {
        return factory.counters().servers().size();
    }

    public Pins pins() {
        return pins;
    }

    /// What servers are given under a name and is long enough to be a secret.
    Map<String, String> secrets() {
        var secrets = secrets(config());
        secrets.putAll(longEnough(learned.tokens.secrets()));
        return secrets;
    }

    /// Takes what servers are given out of what is kept and shown, also after the file was read again.
    void redactedBy(Redaction known) {
        learned.hear(known);
    }

    private static Map<String, String> secrets(McpConfig config) {
        return longEnough(config.secrets());
    }

    static Map<String, String> longEnough(Map<String, String> found) {
        var secrets = new HashMap<>(found);
        secrets.values().removeIf(value -> value.length() < SECRET_LENGTH_MIN);
        return secrets;
    }

    @Override
    public void close() {
        tools.close();
        factory.close();
    }
}
