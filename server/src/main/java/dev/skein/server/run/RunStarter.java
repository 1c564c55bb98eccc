package dev.skein.server.run;

import dev.skein.cancellation.Cancellation;
import dev.skein.engine.LoopStarts;
import dev.skein.engine.RequestContext;
import dev.skein.engine.RunOptions;
import dev.skein.engine.RunRequest;
import dev.skein.engine.RunSettings;
import dev.skein.engine.Steering;
import dev.skein.engine.Ticket;
import dev.skein.failure.Cancelled;
import dev.skein.failure.FailureKind;
import dev.skein.live.Emitter;
import dev.skein.live.LiveJson;
import dev.skein.live.RunOutcome;
import dev.skein.message.Part;
import dev.skein.server.connection.ClientLine;
import dev.skein.server.gate.Gate;
import dev.skein.server.http.Digest;
import dev.skein.server.http.Exchange;
import dev.skein.server.http.Fields;
import dev.skein.server.http.HttpFailure;
import dev.skein.server.http.IdempotencyKey;
import dev.skein.server.http.Problem;
import dev.skein.server.metrics.MeterHooks;
import dev.skein.server.metrics.Meters;
import dev.skein.server.setup.Backend;
import dev.skein.server.setup.ServerOptions;
import dev.skein.server.stream.Hub;
import dev.skein.server.stream.Retold;
import dev.skein.server.stream.Streams;
import dev.skein.server.trace.RequestSpan;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopId;
import dev.skein.session.LoopRecord;
import dev.skein.store.SessionHandle;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.slf4j.MDC;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Runs what a request asks for, and answers with its end or with a stream of its events.
public record RunStarter(Backend backend, ServerOptions options, Runs runs, Hub hub, Streams streams, Meters meters) {

    static final String GONE = "the client went away";
    private static final String TIME_IS_UP = "the request's time is up";

    /// What is to be run, in a context. Returns the answer for a client that did not ask for a stream.
    public interface Work {
        ObjectNode run(RequestContext context, RunFeed feed);
    }

    /// A session to run in, and what to do when it is not needed any more.
    public record Held(SessionHandle session, Runnable afterwards) implements AutoCloseable {

        public static Held of(SessionHandle session) {
            return new Held(session, () -> {});
        }

        @Override
        public void close() {
            session.close();
            afterwards.run();
        }
    }

    /// Runs and answers. Takes the session over and closes it.
    public void answer(Exchange exchange, Held session, Completion wanted, Ticket ticket, Work work) {
        var cancellation = new Cancellation();
        try (var _ = runs.answering()) {
            if (wanted.stream()) {
                stream(exchange, session, wanted, ticket, cancellation, work);
            } else {
                whole(exchange, session, wanted, ticket, cancellation, work);
            }
        }
    }

    private void whole(
            Exchange exchange, Held session, Completion wanted, Ticket ticket, Cancellation cancellation, Work work) {
        try (session;
                var _ = whenGone(wanted, cancellation)) {
            exchange.answer(inTime(timedOut ->
                    run(exchange, session.session(), wanted, ticket, cancellation, timedOut, Emitter.NONE, work)));
        }
    }

    private static Cancellation.Registration whenGone(Completion wanted, Cancellation cancellation) {
        return wanted.goesOn() ? () -> {} : ClientLine.whenGone(() -> cancellation.cancel(GONE));
    }

    /// Says something in the context's session, as its role has it.
    public Work prompting(Completion wanted, List<Part> said) {
        return (context, feed) -> {
            var settings = context.session().state().settings();
            return running(backend.app().prompt(settings, wanted.overrides(), said))
                    .run(context, feed);
        };
    }

    Work running(RunRequest request) {
        return (context, feed) -> told(context.session(), feed, backend.engine().run(context, request, feed));
    }

    private static ObjectNode inTime(Function<AtomicBoolean, ObjectNode> run) {
        var timedOut = new AtomicBoolean();
        try {
            var answer = run.apply(timedOut);
            if (!timedOut.get()) {
                return answer;
            }
        } catch (Cancelled e) {
            if (!timedOut.get()) {
                throw e;
            }
        }
        throw HttpFailure.timeout();
    }

    /// The run has a thread of its own, so that a slow client does not slow it down, and can outlive the client.
    private void stream(
            Exchange exchange, Held session, Completion wanted, Ticket ticket, Cancellation cancellation, Work work) {
        var mailbox = streams.mailbox();
        var known = logIds();
        Thread.ofVirtual().name("skein-run").start(() -> {
            MDC.setContextMap(known);
            try (session) {
                run(
                        exchange,
                        session.session(),
                        wanted,
                        ticket,
                        cancellation,
                        new AtomicBoolean(),
                        mailbox::offer,
                        work);
                mailbox.end(null);
            } catch (RuntimeException | Error e) {
                mailbox.end(e);
            }
        });
        var ending = Streams.Ending.GONE;
        try {
            ending = streams.run(exchange, mailbox, wanted.telling());
        } finally {
            if (ending == Streams.Ending.GONE && !wanted.goesOn()) {
                cancellation.cancel(GONE);
            }
        }
    }

    /// Runs what nobody asked for just now: it is on its own, but counted, traced, followed, cancelled and drained as
    /// any other run. Takes the session over and closes it.
    ///
    /// @param id what the run is called in logs
    public void unasked(String id, RequestSpan span, Held session, Completion wanted, Ticket ticket, Work work) {
        try (session;
                var _ = runs.answering()) {
            run(
                    id,
                    span,
                    session.session(),
                    wanted,
                    ticket,
                    new Cancellation(),
                    new AtomicBoolean(),
                    Emitter.NONE,
                    work);
        }
    }

    private ObjectNode run(
            Exchange exchange,
            SessionHandle session,
            Completion wanted,
            Ticket ticket,
            Cancellation cancellation,
            AtomicBoolean timedOut,
            Emitter reader,
            Work work) {
        return run(exchange.id(), exchange.span(), session, wanted, ticket, cancellation, timedOut, reader, work);
    }

    private ObjectNode run(
            String id,
            RequestSpan span,
            SessionHandle session,
            Completion wanted,
            Ticket ticket,
            Cancellation cancellation,
            AtomicBoolean timedOut,
            Emitter reader,
            Work work) {
        try (var _ = runs.begin(session.id(), cancellation);
                var voice = hub.voice(session.id());
                var _ = backend.timers().after(options.requestTime(), () -> {
                    timedOut.set(true);
                    cancellation.cancel(TIME_IS_UP);
                })) {
            MDC.put(Gate.SESSION, session.id().toString());
            var plain = backend.app()
                    .context(id, session, wanted.overrides(), RunOptions.api(), new Steering(), cancellation)
                    .with(ticket);
            var context = plain.with(observed(span, session, plain.settings()));
            var feed = new RunFeed(session, voice, reader);
            var answer = work.run(context, feed);
            if (!feed.hasSpoken() && answer.has("loop_id")) {
                retell(session, answer, reader);
            }
            return answer;
        } finally {
            MDC.remove(LogHooks.LOOP);
        }
    }

    /// What the log knows about the request of this thread.
    private static Map<String, String> logIds() {
        return Objects.requireNonNullElse(MDC.getCopyOfContextMap(), Map.of());
    }

    /// With those who count, trace and log what the run does.
    RunSettings observed(Exchange exchange, SessionHandle session, RunSettings settings) {
        return observed(exchange.span(), session, settings);
    }

    private RunSettings observed(RequestSpan span, SessionHandle session, RunSettings settings) {
        var model = settings.model().name();
        return settings.withHooks(
                new MeterHooks(meters, model),
                span.hooks(model, session.id().toString()),
                new LogHooks(logIds()),
                settings.hooks());
    }

    /// A request that was answered before: its reader hears again what was told then.
    private static void retell(SessionHandle session, ObjectNode answer, Emitter reader) {
        var loop = new LoopId(answer.path("loop_id").asString(""));
        var start = LoopStarts.before(session, loop, session.state().version());
        if (start.isEmpty()) {
            return;
        }
        var retold = new Retold(session);
        try (var watch = session.watch(start.get().seq())) {
            for (var next = watch.next(Duration.ZERO); next.isPresent(); next = watch.next(Duration.ZERO)) {
                if (next.get().event() instanceof LoopEvent event
                        && event.loop().equals(loop)) {
                    retold.of(next.get()).forEach(reader::emit);
                    if (event instanceof LoopEvent.LoopEnded) {
                        return;
                    }
                }
            }
            retold.resting(session.state().version()).ifPresent(reader::emit);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// How a loop ended, as the journal has it.
    ///
    /// @throws HttpFailure if it ended with a failure
    private static ObjectNode told(SessionHandle session, RunFeed feed, RunOutcome outcome) {
        var record = feed.record(outcome.loop(), session.state().version());
        record.flatMap(RunStarter::failure).ifPresent(failure -> {
            throw failure;
        });
        return record.map(loop -> LiveJson.response(Retold.request(loop.metadata()), RunOutcome.of(loop)))
                .orElseGet(() -> LiveJson.response("", outcome));
    }

    private static Optional<HttpFailure> failure(LoopRecord loop) {
        return loop.events().getLast().event() instanceof LoopEvent.LoopEnded ended && ended.code() != null
                ? Optional.of(HttpFailure.again(
                        Problem.status(ended.code().startsWith("run.") ? FailureKind.LIMIT : FailureKind.PROVIDER),
                        ended.code(),
                        String.valueOf(ended.reason())))
                : Optional.empty();
    }

    /// What the journal remembers of a request, so that the same one is not run twice.
    public static Ticket keyed(Exchange exchange, Fields body, Completion wanted) {
        var key = IdempotencyKey.of(exchange);
        var digest = key.map(_ -> IdempotencyKey.digest(exchange, body));
        return new Ticket(
                key.map(given -> Digest.of("key", given.text())).orElse(null), metadata(exchange, wanted, digest));
    }

    /// What the journal remembers of a request that has no key.
    public static Ticket ticket(Exchange exchange, Completion wanted) {
        return new Ticket(null, metadata(exchange, wanted, Optional.empty()));
    }

    /// What the journal remembers of a request.
    static Map<String, JsonNode> metadata(Exchange exchange, Completion wanted, Optional<String> digest) {
        var metadata = new LinkedHashMap<>(wanted.metadata());
        var ours = Exchange.object().put(Retold.REQUEST, exchange.id());
        digest.ifPresent(text -> ours.put(Ticket.DIGEST, text));
        metadata.put(Ticket.OURS, ours);
        return metadata;
    }
}
