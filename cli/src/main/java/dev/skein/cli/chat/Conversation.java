package dev.skein.cli.chat;

import dev.skein.cancellation.Cancellation;
import dev.skein.cli.program.ExitCode;
import dev.skein.cli.program.Program;
import dev.skein.cli.terminal.Style;
import dev.skein.engine.KeptTools;
import dev.skein.engine.Overrides;
import dev.skein.engine.RequestContext;
import dev.skein.engine.RunOptions;
import dev.skein.engine.RunOptions.Asking;
import dev.skein.engine.RunRequest;
import dev.skein.engine.Steering;
import dev.skein.engine.Ticket;
import dev.skein.engine.naming.Namer;
import dev.skein.live.Emitter;
import dev.skein.live.JsonEmitter;
import dev.skein.live.RunOutcome;
import dev.skein.session.LoopRecord;
import dev.skein.session.LoopStatus;
import dev.skein.session.SessionAlias;
import dev.skein.store.SessionHandle;
import java.util.Optional;

/// Has the engine run a request, shows it to whoever looks, and asks the person where one has to decide.
///
/// @param form what the answer is to look like
/// @param streams whether words are shown while they are spoken
/// @param kept whether the session is there afterwards
/// @param work hears of what is done
record Conversation(Program program, Overrides overrides, Form form, boolean streams, boolean kept, OwnWork work) {

    /// What is written to standard output.
    enum Form {
        /// What the model says.
        PROSE,
        /// The code blocks in it.
        CODE,
        /// The JSON that the answer is.
        VALUE,
        /// Everything that happens, for programs.
        EVENTS
    }

    /// One whose work nobody has to tell from that of others.
    Conversation(Program program, Overrides overrides, Form form, boolean streams, boolean kept) {
        this(program, overrides, form, streams, kept, new OwnWork(program.ai().engine()));
    }

    ExitCode run(SessionHandle session, RunRequest first) {
        return run(session, first, Ticket.NONE);
    }

    /// @param ticket what the journal is to remember about it
    ExitCode run(SessionHandle session, RunRequest first, Ticket ticket) {
        var emitter = emitter(formOf(session, first));
        try (var interruption = program.interruption()) {
            var context = context(session, interruption.cancellation()).with(ticket);
            var engine = program.ai().engine();
            var outcome = run(context, first, emitter);
            // A session without a name has one by now.
            engine.close();
            return told(session, context, outcome);
        }
    }

    /// Until nobody has to decide any more; the servers of its tools run meanwhile.
    private RunOutcome run(RequestContext context, RunRequest first, Emitter emitter) {
        try (var _ = KeptTools.of(context.settings().tools())) {
            var outcome = work.run(context, first, emitter);
            while (outcome.status() == LoopStatus.WAITING && canAsk()) {
                new Decisions(program, context, work, null).decideAll();
                outcome = work.goOn(context, emitter);
            }
            return outcome;
        }
    }

    RequestContext context(SessionHandle session, Cancellation cancellation) {
        var options = RunOptions.cli()
                .withDeltas(streams)
                .withAutoname(kept)
                .withAsking(kept || canAsk() ? Asking.WAIT : Asking.DENY);
        var context = program.ai()
                .app()
                .context(program.ai().ids().request(), session, overrides, options, new Steering(), cancellation);
        // Nobody wants to wait for a model to think of a name.
        return context.with(context.settings().withNamer(Namer.FIRST_WORDS));
    }

    private boolean canAsk() {
        return program.terminal().isInteractive() && form != Form.EVENTS;
    }

    /// A loop that goes on gives the answer that it was to give when it began, whoever lets it go on.
    private Form formOf(SessionHandle session, RunRequest first) {
        var head = first instanceof RunRequest.Continue ? session.state().head() : null;
        var shape = head == null
                ? null
                : session.loop(head).map(LoopRecord::outputShape).orElse(null);
        return shape == null || form == Form.EVENTS ? form : Form.VALUE;
    }

    private Emitter emitter(Form wanted) {
        var terminal = program.terminal();
        return switch (wanted) {
            case PROSE -> new TerminalEmitter(terminal);
            case CODE -> new CodeEmitter(terminal);
            case VALUE -> new ValueEmitter(terminal);
            case EVENTS ->
                new JsonEmitter(line -> {
                    terminal.line(line);
                    terminal.flush();
                });
        };
    }

    private ExitCode told(SessionHandle session, RequestContext context, RunOutcome outcome) {
        var name = Optional.ofNullable(session.state().alias())
                .map(SessionAlias::text)
                .orElse(session.id().toString());
        var with = session.scope().agentName().map(agent -> " -a " + agent).orElse("");
        return switch (outcome.status()) {
            case COMPLETED -> {
                if (canAsk()) {
                    aside(footer(name, context, outcome));
                }
                yield ExitCode.OK;
            }
            case WAITING -> {
                aside("say it with: skein" + with + " session approve " + name + " (or --deny)");
                yield ExitCode.WAITING;
            }
            case ABORTED -> {
                aside("stopped (" + outcome.reason() + "); what was said is kept: skein" + with
                        + " -c takes it up again");
                yield ExitCode.CANCELLED;
            }
            case REJECTED -> {
                aside("refused: " + outcome.reason());
                yield ExitCode.USAGE;
            }
            case PENDING, RUNNING -> throw new IllegalStateException("a run that returned is " + outcome.status());
        };
    }

    private String footer(String name, RequestContext context, RunOutcome outcome) {
        var usage = outcome.usage();
        return "%s%s · %,d tokens in, %,d out"
                .formatted(
                        kept ? name + " · " : "",
                        context.settings().model().name(),
                        usage.inputTokens(),
                        usage.outputTokens());
    }

    private void aside(String text) {
        var terminal = program.terminal();
        terminal.note(terminal.paint(Style.DIM, terminal.stored(text)));
    }
}
