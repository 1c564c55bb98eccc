package dev.skein.cli.chat;

import dev.skein.cancellation.Cancellation;
import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.ExitCode;
import dev.skein.cli.program.Program;
import dev.skein.cli.session.Names;
import dev.skein.engine.Overrides;
import dev.skein.engine.RunRequest;
import dev.skein.message.Part;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionId;
import dev.skein.session.SessionSettings;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionStore;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One prompt, said in a session, and its answer.
public final class Chat {

    private static final int INPUT_MAX = 10 * 1024 * 1024;

    private final Program program;
    private final ChatOptions options;
    private @Nullable String piped;

    public Chat(Program program, ChatOptions options) {
        this.program = program;
        this.options = options;
    }

    /// Whether there is neither a prompt nor anything piped in.
    public boolean isNothing() {
        return options.words().isEmpty() && options.files().isEmpty() && piped().isBlank();
    }

    public ExitCode run() {
        var said = said();
        if (said.isEmpty() && options.session().isEmpty() && !options.continuesLast()) {
            throw CommandFailure.usage("there is nothing to say; give a prompt, a file (-f) or some input");
        }
        requireUsable();
        try (var store = leavesNothing() ? program.forgetfulStore() : null;
                var session = session(store == null ? program.store() : store)) {
            if (options.empties() && !options.dryRun()) {
                program.ai().engine().empty(session);
            }
            var request = said.isEmpty() ? new RunRequest.Continue() : new RunRequest.Prompt(said);
            return options.dryRun() ? preview(session, request) : conversation().run(session, request);
        }
    }

    /// A request that cannot be answered leaves no session behind.
    private void requireUsable() {
        var _ = program.ai().app().resolve(SessionSettings.NONE, overrides());
    }

    /// A dry run looks at a session that is there, and makes none.
    private boolean leavesNothing() {
        return options.keepsNothing() || (options.dryRun() && !isThere());
    }

    private boolean isThere() {
        return options.continuesLast()
                || options.session()
                        .map(name -> SessionId.parse(name).isPresent()
                                || program.store()
                                        .resolve(program.scope(), new SessionAlias(name))
                                        .isPresent())
                        .orElse(false);
    }

    /// What the person says: files and what was piped in first, then the prompt.
    private List<Part> said() {
        var parts = new ArrayList<Part>();
        var attachments = new Attachments(program.terminal(), program.ai().fetch());
        options.files().forEach(file -> parts.add(attachments.load(file)));
        if (!options.files().contains("-") && !piped().isBlank()) {
            parts.add(options.words().isEmpty() ? new Part.Text(piped()) : Attachments.text("standard input", piped()));
        }
        if (!options.words().isEmpty()) {
            parts.add(new Part.Text(String.join(" ", options.words())));
        }
        return parts;
    }

    private String piped() {
        if (piped == null) {
            piped = program.terminal().hasInput() ? program.terminal().input(INPUT_MAX) : "";
        }
        return piped;
    }

    private SessionHandle session(SessionStore store) {
        if (options.continuesLast()) {
            var last = store.last(program.scope())
                    .orElseThrow(() ->
                            CommandFailure.noSession("used last", "there is none yet: leave -c out, and one is made"));
            return store.open(program.scope(), last);
        }
        var name = options.session().orElse(null);
        if (name == null) {
            return store.create(fresh());
        }
        return SessionId.parse(name).isPresent()
                ? new Names(program).open(name)
                : store.openOrCreate(fresh().named(new SessionAlias(name)));
    }

    /// A session that is made with a model or with documents stays with them.
    private NewSession fresh() {
        var session = NewSession.in(program.scope());
        var settings = options.model()
                .map(model -> SessionSettings.NONE.withModel(model.provider(), model.model()))
                .orElse(SessionSettings.NONE)
                .withRag(options.rag());
        return settings.equals(SessionSettings.NONE)
                ? session
                : session.withEvents(List.of(new SessionEvent.SessionConfigured(program.now(), settings)));
    }

    private ExitCode preview(SessionHandle session, RunRequest request) {
        var context = conversation().context(session, new Cancellation());
        var asked = program.ai().engine().preview(context, request);
        program.answer(new DryRun(
                context.settings().model().name().toString(),
                asked.system(),
                asked.messages(),
                asked.tools(),
                asked.sampling()));
        return ExitCode.OK;
    }

    private Conversation conversation() {
        return new Conversation(program, overrides(), options.json(), options.streams(), !options.keepsNothing());
    }

    private Overrides overrides() {
        return new Overrides(options.model().orElse(null), options.system(), null, options.tools(), options.rag());
    }
}
