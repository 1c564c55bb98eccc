package dev.skein.cli.chat;

import dev.skein.cancellation.Cancellation;
import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.program.ExitCode;
import dev.skein.cli.program.Program;
import dev.skein.cli.session.Names;
import dev.skein.cli.terminal.Style;
import dev.skein.engine.Approvals;
import dev.skein.engine.Overrides;
import dev.skein.engine.RequestContext;
import dev.skein.engine.RunOptions;
import dev.skein.engine.RunOptions.Asking;
import dev.skein.engine.RunRequest;
import dev.skein.engine.Steering;
import dev.skein.engine.naming.Namer;
import dev.skein.live.Emitter;
import dev.skein.live.JsonEmitter;
import dev.skein.live.RunOutcome;
import dev.skein.message.Part;
import dev.skein.session.LoopStatus;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionId;
import dev.skein.session.SessionSettings;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// One prompt, said in a session, and its answer.
public final class Chat {

    private final Program program;
    private final ChatOptions options;

    public Chat(Program program, ChatOptions options) {
        this.program = program;
        this.options = options;
    }

    public ExitCode run() {
        var said = said();
        if (said.isEmpty() && options.session().isEmpty() && !options.continuesLast()) {
            throw CommandFailure.usage("there is nothing to say; give a prompt, a file (-f) or some input");
        }
        try (var store = options.keepsNothing() ? program.forgetfulStore() : null;
                var session = session(store == null ? program.store() : store)) {
            if (options.empties()) {
                session.append(List.of(new SessionEvent.SessionCleared(program.now())));
            }
            var request = said.isEmpty() ? new RunRequest.Continue() : new RunRequest.Prompt(said);
            return options.dryRun() ? preview(session, request) : converse(session, request);
        }
    }

    /// What the person says: files and what was piped in first, then the prompt.
    private List<Part> said() {
        var parts = new ArrayList<Part>();
        var attachments = new Attachments(program.terminal(), program.ai().fetch());
        options.files().forEach(file -> parts.add(attachments.load(file)));
        if (!options.files().contains("-") && program.terminal().hasInput()) {
            var piped = program.terminal().input(Integer.MAX_VALUE);
            if (!piped.isBlank()) {
                parts.add(options.words().isEmpty() ? new Part.Text(piped) : Attachments.text("standard input", piped));
            }
        }
        if (!options.words().isEmpty()) {
            parts.add(new Part.Text(String.join(" ", options.words())));
        }
        return parts;
    }

    private SessionHandle session(SessionStore store) {
        if (options.continuesLast()) {
            var last = store.last(program.scope())
                    .orElseThrow(() -> CommandFailure.noSession(
                            "used last", "there is none yet: leave -c out, and one is made"));
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

    /// A session that is made with a model stays with it.
    private NewSession fresh() {
        var session = NewSession.in(program.scope());
        return options.model()
                .map(model -> session.withEvents(List.of(new SessionEvent.SessionConfigured(
                        program.now(), SessionSettings.NONE.withModel(model.provider(), model.model())))))
                .orElse(session);
    }

    private ExitCode preview(SessionHandle session, RunRequest request) {
        var context = context(session, new Cancellation());
        var asked = program.ai().engine().preview(context, request);
        program.answer(new DryRun(
                context.settings().model().name().toString(),
                asked.system(),
                asked.messages(),
                asked.tools(),
                asked.sampling()));
        return ExitCode.OK;
    }

    private ExitCode converse(SessionHandle session, RunRequest first) {
        var emitter = emitter();
        try (var interruption = program.interruption()) {
            var context = context(session, interruption.cancellation());
            var engine = program.ai().engine();
            var outcome = engine.run(context, first, emitter);
            while (outcome.status() == LoopStatus.WAITING && canAsk()) {
                new Decisions(program, context).decideAll();
                outcome = engine.run(context, new RunRequest.Continue(), emitter);
            }
            engine.close();
            return told(session, context, outcome);
        }
    }

    private boolean canAsk() {
        return program.terminal().isInteractive() && !options.json();
    }

    private RequestContext context(SessionHandle session, Cancellation cancellation) {
        var overrides =
                new Overrides(options.model().orElse(null), options.system(), null, options.tools());
        var runOptions = RunOptions.cli()
                .withDeltas(options.streams())
                .withAutoname(!options.keepsNothing())
                .withAsking(options.keepsNothing() && !canAsk() ? Asking.DENY : Asking.WAIT);
        var context = program.ai()
                .app()
                .context(UUID.randomUUID().toString(), session, overrides, runOptions, new Steering(), cancellation);
        // Nobody wants to wait for a model to think of a name.
        return context.with(context.settings().withNamer(Namer.FIRST_WORDS));
    }

    private Emitter emitter() {
        var terminal = program.terminal();
        return options.json()
                ? new JsonEmitter(line -> {
                    terminal.line(line);
                    terminal.flush();
                })
                : new TerminalEmitter(terminal);
    }

    private ExitCode told(SessionHandle session, RequestContext context, RunOutcome outcome) {
        var name = name(session);
        return switch (outcome.status()) {
            case COMPLETED -> {
                if (program.terminal().isInteractive() && !options.json()) {
                    aside(footer(name, context, outcome));
                }
                yield ExitCode.OK;
            }
            case WAITING -> {
                Approvals.waiting(session)
                        .forEach(waiting -> aside(waiting.name() + " " + waiting.args() + " waits for your yes"));
                aside("say it with: skein session approve " + name + " (or --deny)");
                yield ExitCode.WAITING;
            }
            case ABORTED -> {
                aside("stopped (" + outcome.reason() + "); what was said is kept: skein -c takes it up again");
                yield ExitCode.CANCELLED;
            }
            case REJECTED -> {
                aside("refused: " + outcome.reason());
                yield ExitCode.USAGE;
            }
            case PENDING, RUNNING -> throw new IllegalStateException("a run that returned is still " + outcome.status());
        };
    }

    private String footer(String name, RequestContext context, RunOutcome outcome) {
        var usage = outcome.usage();
        return "%s%s · %,d tokens in, %,d out"
                .formatted(
                        options.keepsNothing() ? "" : name + " · ",
                        context.settings().model().name(),
                        usage.inputTokens(),
                        usage.outputTokens());
    }

    private static String name(SessionHandle session) {
        return Optional.ofNullable(session.state().alias())
                .map(SessionAlias::text)
                .orElse(session.id().toString());
    }

    private void aside(String text) {
        var terminal = program.terminal();
        terminal.note(terminal.paint(Style.DIM, terminal.stored(text)));
    }
}
