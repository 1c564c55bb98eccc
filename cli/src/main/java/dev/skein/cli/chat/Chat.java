package dev.skein.cli.chat;

import dev.skein.cancellation.Cancellation;
import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.ExitCode;
import dev.skein.cli.program.Program;
import dev.skein.cli.settings.Prelude;
import dev.skein.cli.settings.SavePolicy;
import dev.skein.engine.RunRequest;
import dev.skein.message.Part;
import dev.skein.provider.offline.OfflineModel;
import dev.skein.session.SessionEvent;
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
    private final Opening opening;
    private @Nullable String piped;
    private @Nullable SessionSettings settings;

    public Chat(Program program, ChatOptions options) {
        this.program = program;
        this.options = options;
        this.opening = new Opening(program, options);
    }

    /// Whether there is neither a prompt nor anything piped in.
    public boolean isNothing() {
        return options.words().isEmpty() && options.files().isEmpty() && piped().isBlank();
    }

    public ExitCode run() {
        if (options.picks()) {
            throw CommandFailure.usage("-s needs a name here: one can be chosen only on a terminal, without a prompt");
        }
        var said = said();
        if (!said.isEmpty()) {
            options.begin(program.prelude(Prelude.All::command));
        }
        if (said.isEmpty() && options.session().isEmpty() && !options.continuesLast()) {
            throw CommandFailure.usage("there is nothing to say; give a prompt, a file (-f) or some input");
        }
        requireUsable();
        try (var store = leavesNothing() ? program.forgetfulStore() : null;
                var session = session(store == null ? program.store() : store)) {
            requireLanguage(session.state().settings());
            if (options.empties() && !options.dryRun()) {
                program.ai().engine().empty(session);
            }
            var request = said.isEmpty() ? new RunRequest.Continue() : prompt(session, said);
            if (options.dryRun()) {
                return preview(session, request);
            }
            var conversation = conversation();
            var code = conversation.run(session, request);
            if (saving() == SavePolicy.ASK && !leavesNothing() && !isNamed()) {
                askWhetherToKeep(session, conversation.work());
            }
            return code;
        }
    }

    /// Everything but a clear no keeps it.
    private void askWhetherToKeep(SessionHandle session, OwnWork work) {
        var terminal = program.terminal();
        if (terminal.isInteractive() && terminal.asksLetter("keep this session? [Y/n]") == 'n') {
            work.forget(program.store(), session, OwnWork.Names.DO_NOT_MATTER)
                    .ifPresent(why -> terminal.note("the session is kept: " + why));
        }
    }

    private SavePolicy saving() {
        return options.saving().orElse(program.ai().saving());
    }

    private boolean isNamed() {
        return options.continuesLast() || options.session().isPresent();
    }

    /// A request that cannot be answered leaves no session behind.
    private void requireUsable() {
        if (program.scope().agent() == null && !options.agentVariables().isEmpty()) {
            throw CommandFailure.usage("--agent-variable tells an agent something; name the agent with -a");
        }
        if (opening.isThere()) {
            return;
        }
        requireLanguage(settings());
        var _ = program.ai().app().resolve(program.scope().agent(), settings(), options.overrides());
    }

    /// Asking the offline model three times for JSON helps nobody.
    private void requireLanguage(SessionSettings wanted) {
        if (options.overrides().shape() == null || options.dryRun()) {
            return;
        }
        var model = program.ai().app().modelName(program.scope().agent(), wanted, options.overrides());
        if (model.equals(OfflineModel.NAME)) {
            throw CommandFailure.usage("--schema needs a language model, and " + model
                    + " is none; name one with -m, or set the key of a provider (docs/providers.md)");
        }
    }

    /// A dry run looks at a session that is there, and makes none.
    private boolean leavesNothing() {
        return options.keepsNothing()
                || (saving() == SavePolicy.FORGET && !isNamed())
                || (options.dryRun() && !opening.isThere());
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
        return opening.session(store, fresh()).orElseGet(() -> store.create(fresh()));
    }

    /// A session that is made with a model or a role stays with it.
    private NewSession fresh() {
        var session = NewSession.in(program.scope());
        var settings = settings();
        return settings.equals(SessionSettings.NONE)
                ? session
                : session.withEvents(List.of(new SessionEvent.SessionConfigured(program.now(), settings)));
    }

    /// Those of the session that is made, if one is: the person is asked once what its agent has to know.
    private SessionSettings settings() {
        if (settings == null) {
            var agent = program.scope().agent();
            settings = agent == null || opening.isThere()
                    ? options.settings()
                    : new AgentStart(program, options.agentVariables()).settings(agent, options.settings());
        }
        return settings;
    }

    private RunRequest prompt(SessionHandle session, List<Part> said) {
        return program.ai().app().prompt(session.state().settings(), options.overrides(), said);
    }

    private ExitCode preview(SessionHandle session, RunRequest request) {
        var context = conversation().context(session, new Cancellation());
        var asked = program.ai().engine().preview(context, request);
        program.answer(new DryRun(
                context.settings().model().name().toString(),
                asked.system(),
                asked.messages(),
                asked.tools(),
                asked.sampling(),
                asked.shape()));
        return ExitCode.OK;
    }

    private Conversation conversation() {
        return new Conversation(program, options.overrides(), options.form(), options.streams(), !leavesNothing());
    }
}
