package dev.skein.cli.chat;

import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.settings.Prelude;
import dev.skein.cli.settings.SavePolicy;
import dev.skein.engine.Overrides;
import dev.skein.model.ModelName;
import dev.skein.session.OutputShape;
import dev.skein.session.SessionSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// What can be said about a prompt on the command line.
public final class ChatOptions {

    /// How it is spelled.
    public static final String SAVE_SESSION = "--save-session";

    private static final String PICK = "";

    @Parameters(arity = "0..*", paramLabel = "PROMPT", description = "What to say. Without one, on a terminal: talk.")
    private List<String> words = List.of();

    @ArgGroup
    private @Nullable Where where;

    /// Which session it is said in.
    static final class Where {
        @Option(
                names = {"-s", "--session"},
                paramLabel = "NAME",
                arity = "0..1",
                fallbackValue = PICK,
                description = "Say it in this session: a name, made if there is none, or a UUID. Without one: choose.")
        private @Nullable String session;

        @Option(
                names = {"-c", "--continue"},
                description = "Say it in the session used last.")
        private boolean last;

        @Option(names = "--no-session", description = "Keep nothing.")
        private boolean none;
    }

    @Option(
            names = {"-m", "--model"},
            paramLabel = "MODEL",
            description = "Ask this model, named provider:model.")
    private @Nullable String model;

    @Option(
            names = {"-r", "--role"},
            paramLabel = "ROLE",
            description = "Answer in this role, a file roles/ROLE.md in home ('skein roles' lists them).")
    private @Nullable String role;

    @Option(
            names = "--agent-variable",
            paramLabel = "NAME=VALUE",
            description = "What the agent (-a) has to know. Can be repeated.")
    private Map<String, String> agentVariables = Map.of();

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description = "Add a file, a picture, a page (http, https), or standard input (-). Can be repeated.")
    private List<String> files = List.of();

    @Option(names = "--system", paramLabel = "TEXT", description = "What the model is told about its task.")
    private @Nullable String system;

    @Option(
            names = "--tools",
            paramLabel = "NAMES",
            split = ",",
            description = "Offer only these tools; 'none' offers none (default: all).")
    private @Nullable List<String> tools;

    @Option(
            names = SAVE_SESSION,
            paramLabel = "true|false|ask",
            arity = "0..1",
            fallbackValue = "true",
            description =
                    "What becomes of a session without a name, this time (default: as in config.yaml, else true).")
    private @Nullable String saving;

    @Option(names = "--code", description = "Answer with nothing but the code blocks of the answer.")
    private boolean code;

    @Option(
            names = "--schema",
            paramLabel = "FILE",
            description = "Answer with nothing but JSON that fits the JSON Schema in this file.")
    private @Nullable Path schema;

    @Option(
            names = "--rag",
            paramLabel = "NAME",
            description = "Answer from these documents (see 'skein rag'); 'none' from none.")
    private @Nullable String rag;

    @Option(
            names = "--macro",
            paramLabel = "MACRO",
            description =
                    "Do what a macro says, a file macros/MACRO.yaml in home; what would be the prompt is given to it.")
    private @Nullable String macro;

    @Option(names = "--empty-session", description = "Begin the session's conversation afresh; the old one stays kept.")
    private boolean empty;

    @Option(names = "--no-stream", description = "Show the answer when it is complete.")
    private boolean noStream;

    @Option(names = "--dry-run", description = "Show what the model would be asked, and ask nothing.")
    private boolean dryRun;

    @Option(names = "--json", description = "Answer with the events of the run, one JSON object a line.")
    private boolean json;

    private @Nullable OutputShape shape;

    /// Begins as the settings say, unless the command line says anything about how to begin.
    public void begin(Prelude prelude) {
        if (where == null && role == null && system == null && rag == null && macro == null) {
            role = prelude.role();
            if (prelude.session() != null) {
                where = new Where();
                where.session = prelude.session();
            }
        }
    }

    /// Whether somebody who says nothing yet wants to talk.
    public boolean isOpenEnded() {
        return words.isEmpty() && files.isEmpty() && macro == null && !dryRun && !json && !code && schema == null;
    }

    /// Whether the command line says anything that is for a model.
    public boolean isUsed() {
        return !words.isEmpty() || where != null || !files.isEmpty() || dryRun || schema != null;
    }

    /// The macro to run instead of saying something.
    public Optional<String> macro() {
        return Optional.ofNullable(macro);
    }

    public List<String> words() {
        return words;
    }

    /// The session that is named.
    public Optional<String> session() {
        return Optional.ofNullable(where).map(chosen -> chosen.session).filter(name -> !name.equals(PICK));
    }

    /// Whether the person wants to choose one.
    public boolean picks() {
        return where != null && PICK.equals(where.session);
    }

    /// What becomes of a session without a name, if the command line says so.
    public Optional<SavePolicy> saving() {
        try {
            return Optional.ofNullable(saving).map(SavePolicy::parse);
        } catch (IllegalArgumentException e) {
            throw CommandFailure.usage("--save-session: " + e.getMessage());
        }
    }

    public boolean continuesLast() {
        return where != null && where.last;
    }

    public boolean keepsNothing() {
        return where != null && where.none;
    }

    public Optional<ModelName> model() {
        return Optional.ofNullable(model).map(ModelName::parse);
    }

    public Optional<String> role() {
        return Optional.ofNullable(role);
    }

    /// What a session that is made now is made with: the model, the role and the documents stay with it.
    public SessionSettings settings() {
        var settings = SessionSettings.NONE.withRole(role).withRag(rag);
        return model().map(named -> settings.withModel(named.provider(), named.model()))
                .orElse(settings);
    }

    /// What this request wants otherwise than its session.
    public Overrides overrides() {
        return Overrides.NONE
                .withModel(model().orElse(null))
                .withRole(role)
                .withSystem(system)
                .withTools(tools())
                .withRag(rag)
                .withAgentVariables(agentVariables)
                .withShape(shape());
    }

    private @Nullable OutputShape shape() {
        if (shape == null && schema != null) {
            shape = SchemaFile.read(schema);
        }
        return shape;
    }

    public Map<String, String> agentVariables() {
        return agentVariables;
    }

    List<String> files() {
        return files;
    }

    public @Nullable String system() {
        return system;
    }

    public @Nullable List<String> tools() {
        return List.of("none").equals(tools) ? List.of() : tools;
    }

    public @Nullable String rag() {
        return rag;
    }

    public boolean empties() {
        return empty;
    }

    public boolean streams() {
        return !noStream;
    }

    boolean dryRun() {
        return dryRun;
    }

    /// What the answer is to look like.
    Conversation.Form form() {
        if (json && code) {
            throw CommandFailure.usage("--json and --code exclude each other; leave one out");
        }
        if (code && schema != null) {
            throw CommandFailure.usage("--schema and --code exclude each other; leave one out");
        }
        if (schema != null && !json) {
            return Conversation.Form.VALUE;
        }
        return json ? Conversation.Form.EVENTS : code ? Conversation.Form.CODE : Conversation.Form.PROSE;
    }
}
