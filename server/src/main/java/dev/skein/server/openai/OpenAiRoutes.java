package dev.skein.server.openai;

import dev.skein.engine.Approvals;
import dev.skein.engine.Overrides;
import dev.skein.engine.RequestContext;
import dev.skein.engine.RunOptions.Asking;
import dev.skein.engine.RunRequest;
import dev.skein.live.Emitter;
import dev.skein.message.Message;
import dev.skein.model.ModelName;
import dev.skein.model.Sampling;
import dev.skein.server.http.Exchange;
import dev.skein.server.http.Fields;
import dev.skein.server.http.HttpFailure;
import dev.skein.server.run.Completion;
import dev.skein.server.run.ResponseFormat;
import dev.skein.server.run.RunStarter;
import dev.skein.server.run.RunStarter.Held;
import dev.skein.session.Lifetime;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopStatus;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionId;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// Chat completions and models.
///
/// A request that names a session (header `X-Skein-Session`, or `metadata.session`) takes its next turn there: of its
/// messages only the new ones count. Any other brings its whole history along and leaves nothing behind. Tools that
/// the request describes are run by the client; without such, the agent has its own and runs them here.
public record OpenAiRoutes(RunStarter starter) {

    private static final String SESSION = "X-Skein-Session";
    private static final String ROLE = "role:";
    private static final String AGENT = "agent:";
    private static final String ANY_MODEL = "skein";
    private static final long TOKENS_MAX = 10_000_000;

    public void models(Exchange exchange) {
        var app = starter.backend().app();
        var names = Stream.of(
                        app.models().names().stream().map(ModelName::toString),
                        app.roles().names().stream().map(name -> ROLE + name),
                        app.agents().names().stream().map(name -> AGENT + name))
                .flatMap(each -> each)
                .toList();
        exchange.answer(ChatAnswer.models(names, 0));
    }

    public void complete(Exchange exchange) {
        var body = exchange.body();
        requireSupported(body);
        var now = starter.backend().clock().instant();
        var messages = ChatMessages.of(body, starter.backend().ids(), now);
        var tools = tools(body);
        var overrides = overrides(body, messages.system());
        var stream = body.optionalFlag("stream").orElse(false);
        var answer = new ChatAnswer(
                exchange.id(),
                body.optionalText("model").orElse(ANY_MODEL),
                now.getEpochSecond(),
                body.optionalObject("stream_options")
                        .flatMap(options -> Fields.of(options).optionalFlag("include_usage"))
                        .orElse(false),
                tools.stream().map(tool -> tool.spec().name()).collect(Collectors.toSet()),
                overrides.shape() != null);
        var wanted = new Completion(overrides, stream, false, Map.of(), answer);
        var named = exchange.header(SESSION)
                .or(() -> body.optionalObject("metadata")
                        .flatMap(metadata -> Fields.of(metadata).optionalText("session")));
        var asking = named.isPresent() || !tools.isEmpty() ? Asking.WAIT : Asking.DENY;
        var held = named.map(name -> named(exchange, name)).orElseGet(() -> forgotten(exchange, messages, now));
        starter.answer(exchange, held, wanted, RunStarter.ticket(exchange, wanted), (context, feed) -> {
            var settings = context.settings()
                    .withSampling(sampling(body, context.settings().sampling()));
            var ready = context.with(tools.isEmpty() ? settings : settings.withTools(List.copyOf(tools)))
                    .with(context.options().withAsking(asking));
            return run(exchange, ready, overrides, messages, answer, stream, feed);
        });
    }

    private ObjectNode run(
            Exchange exchange,
            RequestContext context,
            Overrides overrides,
            ChatMessages messages,
            ChatAnswer answer,
            boolean stream,
            Emitter feed) {
        var app = starter.backend().app();
        var session = context.session();
        RunRequest request = new RunRequest.Continue();
        if (!messages.endsWithResults()) {
            request = app.prompt(session.state().settings(), overrides, messages.prompt());
        } else if (!Approvals.waiting(session).isEmpty()) {
            bring(exchange, session, messages);
        }
        var outcome = starter.backend().engine().run(context, request, event -> {
            if (!stream) {
                answer.hear(event);
            }
            feed.emit(event);
        });
        return stream ? Exchange.object() : answer.whole(outcome);
    }

    /// Gives the run that rests in the session the results it waits for.
    private void bring(Exchange exchange, SessionHandle session, ChatMessages messages) {
        var redaction = starter.backend().app().settings().redaction();
        for (var result : messages.results()) {
            var words = Message.of(
                            starter.backend().ids().message(), dev.skein.message.Role.TOOL, Instant.EPOCH, result)
                    .text();
            starter.backend()
                    .engine()
                    .decide(session, result.call(), true, exchange.caller().subject(), redaction.redactKnown(words));
        }
    }

    private Held named(Exchange exchange, String name) {
        var store = starter.backend().store();
        var scope = Scope.ofOwner(exchange.caller().subject());
        var id = SessionId.parse(name);
        return Held.of(
                id.isPresent()
                        ? store.open(scope, id.get())
                        : store.openOrCreate(NewSession.in(scope).named(new SessionAlias(name))));
    }

    /// A session that has what the client brought along, and is gone afterwards.
    private Held forgotten(Exchange exchange, ChatMessages messages, Instant now) {
        var store = starter.backend().forgetful();
        var scope = Scope.ofOwner(exchange.caller().subject());
        var made = NewSession.in(scope).lasting(Lifetime.EPHEMERAL).withEvents(history(messages, now));
        var session = store.create(made);
        return new Held(session, () -> store.delete(scope, session.id()));
    }

    /// Results at the end belong to a loop that is to go on, so it did not end well.
    private List<SessionEvent> history(ChatMessages messages, Instant now) {
        var said = messages.endsWithResults() ? messages.said() : messages.before();
        if (said.isEmpty()) {
            return List.of();
        }
        var loop = starter.backend().ids().loop();
        var events = new ArrayList<>(dev.skein.session.Exchange.loop(loop, null, said));
        if (messages.endsWithResults()) {
            events.set(
                    events.size() - 1,
                    new LoopEvent.LoopEnded(now, loop, LoopStatus.ABORTED, "the client ran its tools", null, null));
        }
        return events;
    }

    private static List<ClientTool> tools(Fields body) {
        var choice = body.object().path("tool_choice").asString("auto");
        return choice.equals("none")
                ? List.of()
                : body.objects("tools").stream().map(ClientTool::of).toList();
    }

    private static Overrides overrides(Fields body, @Nullable String system) {
        var model = body.optionalText("model").filter(name -> !name.equals(ANY_MODEL));
        var role = named(model, ROLE);
        var agent = named(model, AGENT);
        return Overrides.NONE
                .withModel(
                        role.isPresent() || agent.isPresent()
                                ? null
                                : model.map(ModelName::parse).orElse(null))
                .withRole(role.orElse(null))
                .withAgent(agent.orElse(null))
                .withSystem(system)
                .withTemperature(body.optionalNumber("temperature", 0, 2).orElse(null))
                .withShape(ResponseFormat.of(body).orElse(null));
    }

    private static Optional<String> named(Optional<String> model, String prefix) {
        return model.filter(name -> name.startsWith(prefix)).map(name -> name.substring(prefix.length()));
    }

    private static Sampling sampling(Fields body, Sampling asSet) {
        var tokens = body.optionalWhole("max_completion_tokens", 1, TOKENS_MAX)
                .or(() -> body.optionalWhole("max_tokens", 1, TOKENS_MAX))
                .map(Long::intValue);
        return new Sampling(
                asSet.temperature(),
                body.optionalNumber("top_p", 0, 1).orElse(asSet.topP()),
                tokens.orElse(asSet.tokensMax()),
                body.optionalText("reasoning_effort").orElse(asSet.thinkingLevel()));
    }

    /// What cannot be done is refused, not left out in silence.
    private static void requireSupported(Fields body) {
        if (body.optionalWhole("n", 1, 128).orElse(1L) != 1) {
            throw HttpFailure.invalid("field 'n' must be 1: one answer is given");
        }
        if (body.optionalFlag("logprobs").orElse(false)) {
            throw HttpFailure.invalid("field 'logprobs' cannot be used here; leave it out");
        }
        var stop = body.object().path("stop");
        if (!stop.isMissingNode() && !stop.isNull() && !stop.isEmpty()) {
            throw HttpFailure.invalid("field 'stop' cannot be used here; leave it out");
        }
        var choice = body.object().path("tool_choice");
        var chosen = Optional.ofNullable(choice.isMissingNode() || choice.isNull() ? null : choice.asString(""));
        if (chosen.filter(name -> !name.equals("auto") && !name.equals("none")).isPresent()) {
            throw HttpFailure.invalid("field 'tool_choice' must be 'auto' or 'none'");
        }
    }
}
