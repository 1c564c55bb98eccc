package dev.skein.cli.program;

import dev.skein.cli.secret.Interpolation;
import dev.skein.cli.secret.Vault;
import dev.skein.cli.settings.AgentFiles;
import dev.skein.cli.settings.MacroFiles;
import dev.skein.cli.settings.Prelude;
import dev.skein.cli.settings.RoleFiles;
import dev.skein.cli.settings.ScheduleFiles;
import dev.skein.cli.settings.Settings;
import dev.skein.cli.terminal.Ago;
import dev.skein.cli.terminal.Terminal;
import dev.skein.cli.workspace.WorkspaceInstructions;
import dev.skein.session.Ids;
import dev.skein.session.Scope;
import dev.skein.store.AdoptingStore;
import dev.skein.store.SessionStore;
import dev.skein.store.memory.MemorySessionStore;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One run of the program: what was asked of all commands alike, and the store, opened when first needed.
///
/// Not safe for use by several threads.
public final class Program implements AutoCloseable {

    private final GlobalOptions options;
    private final Terminal terminal;
    private final Map<String, String> env;
    private final Clock clock;
    private @Nullable Wiring wiring;
    private @Nullable Ai ai;
    private @Nullable Vault vault;
    private Optional<String> agent = Optional.empty();
    private boolean agentChanged;
    private Ai.Audience audience = Ai.Audience.ONE;

    public Program(GlobalOptions options, Terminal terminal, Map<String, String> env, Clock clock) {
        this.options = options;
        this.terminal = terminal;
        this.env = env;
        this.clock = clock;
    }

    public GlobalOptions options() {
        return options;
    }

    public Terminal terminal() {
        return terminal;
    }

    public Path home() {
        return Home.find(options.home(), env);
    }

    /// The variables of the environment.
    public Map<String, String> environment() {
        return env;
    }

    /// A variable of the environment; empty if it is not set or blank.
    public Optional<String> variable(String name) {
        return Optional.ofNullable(env.get(name)).filter(value -> !value.isBlank());
    }

    /// The owner of everything made on the command line.
    public String owner() {
        return Scope.LOCAL_OWNER;
    }

    /// Where names are looked up.
    public Scope scope() {
        return Scope.LOCAL.withAgent((agentChanged ? agent : options.agent()).orElse(null));
    }

    /// From now on names are looked up with this agent, or with none, whatever the command line said.
    public void liveWith(@Nullable String other) {
        agent = Optional.ofNullable(other);
        agentChanged = true;
    }

    /// The agents in home.
    public AgentFiles agents() {
        var settings = Settings.read(home().resolve("config.yaml"));
        return AgentFiles.in(home(), settings, env);
    }

    public Instant now() {
        return clock.instant();
    }

    public String ago(Instant then) {
        return Ago.of(then, clock);
    }

    public AdoptingStore store() {
        return wiring().store();
    }

    /// Another store than the one in use, which the caller closes.
    public AdoptingStore openStore(String place) {
        return Wiring.openStore(home(), place, settings().database(), clock);
    }

    /// A store that forgets everything when it is closed.
    public SessionStore forgetfulStore() {
        return new MemorySessionStore(clock, new Ids(clock, new SecureRandom()));
    }

    /// From now on it works for many people, not only for the one who started it.
    public void openToMany() {
        audience = Ai.Audience.MANY;
    }

    /// From now on it works for a program of the person who started it, until that goes away.
    public void openToClient() {
        audience = Ai.Audience.CLIENT;
    }

    /// What the directory one works in says to models, as of now.
    public WorkspaceInstructions workspace() {
        return settings().workspaceInstructions() ? WorkspaceInstructions.of(Path.of("")) : WorkspaceInstructions.NONE;
    }

    /// The models, the tools, and the engine that drives them.
    public Ai ai() {
        if (ai == null) {
            ai = Ai.open(home(), env, secrets(), vault(), store(), terminal, clock, audience);
        }
        return ai;
    }

    /// The secrets of this home.
    public Vault vault() {
        if (vault == null) {
            vault = new Vault(home(), env, clock);
        }
        return vault;
    }

    /// The macros of this home.
    public MacroFiles macros() {
        return new MacroFiles(home().resolve("macros"));
    }

    /// The roles of this home.
    public RoleFiles roles() {
        return RoleFiles.in(home(), env, clock);
    }

    /// The time zone of this machine.
    public ZoneId zone() {
        return clock.getZone();
    }

    /// The schedules of this home.
    public ScheduleFiles schedules() {
        return new ScheduleFiles(home().resolve("schedules"), clock.getZone());
    }

    /// `config.yaml`, with the secrets that it names.
    public Settings settings() {
        return Settings.read(home().resolve("config.yaml"), secrets());
    }

    /// What settings name as `{{NAME}}`: a variable of the environment, else a secret.
    private Interpolation secrets() {
        return new Interpolation(name -> Optional.ofNullable(env.get(name)).or(() -> vault().find(name)));
    }

    /// With what a conversation begins; at an agent's, as agents do.
    public Prelude prelude(Function<Prelude.All, Prelude> otherwise) {
        var preludes = settings().preludes();
        return options.agent().isPresent() ? preludes.agent() : otherwise.apply(preludes);
    }

    /// The MCP servers, for whoever does not need a model. To be closed by the caller.
    public Mcp mcp() {
        return Mcp.open(
                home(),
                env,
                secrets(),
                Ai.secretsOf(vault(), terminal),
                settings(),
                Ai.Audience.ONE,
                null,
                clock,
                _ -> {});
    }

    /// Lets Ctrl-C end what is being done, and keep it.
    public Interruption interruption() {
        return new Interruption();
    }

    /// Brings in what other tools left in home.
    public Migration migrateAll() {
        return wiring().migrateAll(owner());
    }

    /// Reads everything in home, whoever owns it.
    public Checkup check() {
        return Wiring.check(home());
    }

    /// Mends what can be mended.
    public Checkup repair() {
        return Wiring.repair(home());
    }

    /// Answers with a JSON value: one line for a program, several for a person.
    public void answer(Object value) {
        terminal.line(terminal.isInteractive() ? JsonText.pretty(value) : JsonText.compact(value));
    }

    /// Returns if a person says yes, or said so on the command line.
    public void confirm(Confirmation given, String what) {
        if (given == Confirmation.GIVEN) {
            return;
        }
        if (!terminal.isInteractive()) {
            throw CommandFailure.unconfirmed(what);
        }
        if (!terminal.confirms(what + "?")) {
            throw CommandFailure.declined();
        }
    }

    /// Whether `--yes` was on the command line.
    public enum Confirmation {
        GIVEN,
        NEEDED
    }

    @Override
    public void close() {
        if (ai != null) {
            ai.close();
            ai = null;
        }
        if (wiring != null) {
            wiring.close();
            wiring = null;
        }
    }

    /// `--store`, else `SKEIN_STORE`, else what the settings say, else files in home.
    private String storePlace() {
        return options.store()
                .or(() -> variable("SKEIN_STORE"))
                .or(() -> Optional.ofNullable(settings().store()).map(secrets()::fill))
                .orElse(Wiring.FILES);
    }

    private Wiring wiring() {
        if (wiring == null) {
            wiring = Wiring.open(home(), storePlace(), settings().database(), clock);
        }
        return wiring;
    }
}
