package dev.skein.server.run;

import dev.skein.cancellation.Cancellation;
import dev.skein.engine.Approvals;
import dev.skein.engine.Choice;
import dev.skein.engine.RequestContext;
import dev.skein.engine.RunOptions;
import dev.skein.engine.RunRequest;
import dev.skein.engine.RunSettings;
import dev.skein.engine.Steering;
import dev.skein.failure.InvalidRequest;
import dev.skein.live.LiveJson;
import dev.skein.live.RunOutcome;
import dev.skein.message.ToolCallId;
import dev.skein.server.connection.ClientLine;
import dev.skein.server.http.Digest;
import dev.skein.server.http.Exchange;
import dev.skein.server.http.Fields;
import dev.skein.server.http.HttpFailure;
import dev.skein.server.http.IdempotencyKey;
import dev.skein.server.run.RunStarter.Held;
import dev.skein.server.session.Sessions;
import dev.skein.session.Lifetime;
import dev.skein.session.Scope;
import dev.skein.session.SessionId;
import dev.skein.store.NewSession;
import dev.skein.store.SessionHandle;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// The requests that let an agent run, stop one, or decide for it.
public record RunRoutes(RunStarter starter, Sessions sessions) {

    private static final int BRANCHES_MAX = 8;

    public void complete(Exchange exchange) {
        var body = exchange.body();
        var wanted = Completion.of(exchange, body);
        var said = Completion.said(body);
        var ticket = RunStarter.keyed(exchange, body, wanted);
        starter.answer(exchange, Held.of(sessions.openOwn(exchange)), wanted, ticket, starter.prompting(wanted, said));
    }

    /// In a session that is not kept. With a key it is, because a retry has to find the answer.
    public void completeOnce(Exchange exchange) {
        var body = exchange.body();
        var wanted = Completion.of(exchange, body);
        var said = Completion.said(body);
        var scope = Scope.ofOwner(exchange.caller().subject());
        var key = IdempotencyKey.of(exchange);
        if (key.isPresent()) {
            var session = openOrCreate(
                    scope,
                    new SessionId(
                            Digest.uuid("completion", scope.owner(), key.get().text())));
            var ticket = RunStarter.keyed(exchange, body, wanted);
            starter.answer(exchange, Held.of(session), wanted, ticket, starter.prompting(wanted, said));
            return;
        }
        var store = starter.backend().forgetful();
        var session = store.create(NewSession.in(scope).lasting(Lifetime.EPHEMERAL));
        var ticket = RunStarter.ticket(exchange, wanted);
        var held = new Held(session, () -> store.delete(scope, session.id()));
        starter.answer(exchange, held, wanted, ticket, (context, feed) -> {
            var options = context.options().withAsking(RunOptions.Asking.DENY);
            return starter.prompting(wanted, said).run(context.with(options), feed);
        });
    }

    private SessionHandle openOrCreate(Scope scope, SessionId id) {
        var store = starter.backend().store();
        if (store.locate(scope.owner(), id).isEmpty()) {
            try {
                return store.create(NewSession.in(scope).withId(id).lasting(Lifetime.EPHEMERAL));
            } catch (InvalidRequest _) {
                // Somebody was faster.
            }
        }
        return store.open(scope, id);
    }

    public void goOn(Exchange exchange) {
        run(exchange, new RunRequest.Continue());
    }

    public void regenerate(Exchange exchange) {
        run(exchange, new RunRequest.Regenerate());
    }

    private void run(Exchange exchange, RunRequest request) {
        var wanted = Completion.of(exchange, exchange.body());
        var ticket = RunStarter.ticket(exchange, wanted);
        starter.answer(exchange, Held.of(sessions.openOwn(exchange)), wanted, ticket, starter.running(request));
    }

    /// Several settings for one prompt, side by side.
    public void parallel(Exchange exchange) {
        var body = exchange.body();
        var wanted = Completion.of(exchange, body);
        var prompt = new RunRequest.Prompt(Completion.said(body));
        var branches = body.objects("branches");
        if (branches.size() < 2 || branches.size() > BRANCHES_MAX) {
            throw HttpFailure.invalid("field 'branches' must be a list of 2 to " + BRANCHES_MAX
                    + " objects, each with what is to be different, for example {\"temperature\": 1}");
        }
        var choice = choice(body);
        var ticket = RunStarter.ticket(exchange, wanted);
        starter.answer(exchange, Held.of(sessions.openOwn(exchange)), wanted, ticket, (context, feed) -> {
            var settings = branches.stream()
                    .map(each -> settings(exchange, context, each))
                    .toList();
            var outcome = starter.backend().engine().parallel(context, prompt, settings, choice, feed);
            return parallelAnswer(exchange, context.session(), outcome.branches(), outcome.selected());
        });
    }

    private RunSettings settings(Exchange exchange, RequestContext context, Fields branch) {
        var session = context.session();
        var settings = starter.backend()
                .app()
                .resolve(session.scope().agent(), session.state().settings(), Completion.overrides(branch));
        var shape = settings.shape() == null ? context.settings().shape() : settings.shape();
        return starter.observed(exchange, session, settings.withShape(shape));
    }

    private static Choice choice(Fields body) {
        var name = body.optionalText("choose").orElse("first");
        return switch (name) {
            case "first" -> new Choice.First();
            case "most_token_efficient" -> new Choice.MostTokenEfficient();
            case "most_elaborate" -> new Choice.MostElaborate();
            default ->
                throw HttpFailure.invalid("field 'choose' must be 'first', 'most_token_efficient' or 'most_elaborate'");
        };
    }

    private static ObjectNode parallelAnswer(
            Exchange exchange, SessionHandle session, List<RunOutcome> branches, int selected) {
        var answer = Exchange.object()
                .put("request_id", exchange.id())
                .put("session_id", session.id().toString())
                .put("selected", selected);
        var list = answer.putArray("branches");
        branches.forEach(branch -> list.add(LiveJson.response(exchange.id(), branch)));
        return answer;
    }

    /// Shows the model the older part of the conversation as a summary, or takes one back.
    public void compress(Exchange exchange) {
        var body = exchange.body();
        var remove = body.optionalText("remove");
        try (var session = sessions.openOwn(exchange)) {
            var engine = starter.backend().engine();
            if (remove.isPresent()) {
                engine.removeSummary(session, remove.get());
                exchange.answer(Exchange.object().put("compressed", false).put("block", remove.get()));
                return;
            }
            var cancellation = new Cancellation();
            try (var _ = ClientLine.whenGone(() -> cancellation.cancel(RunStarter.GONE));
                    var _ = starter.runs().begin(session.id(), cancellation);
                    var voice = starter.hub().voice(session.id())) {
                var app = starter.backend().app();
                var context = app.context(
                        exchange.id(),
                        session,
                        Completion.overrides(body),
                        RunOptions.api(),
                        new Steering(),
                        cancellation);
                var compaction = app.compaction(
                        session.state().settings(), context.settings().model());
                var block = engine.compress(context, compaction, voice);
                var answer = Exchange.object().put("compressed", block.isPresent());
                block.ifPresent(made -> answer.put("block", made.id()));
                exchange.answer(answer);
            }
        }
    }

    public void cancel(Exchange exchange) {
        try (var session = sessions.openOwn(exchange)) {
            var here = starter.runs().cancel(session.id(), "cancelled by request");
            var elsewhere = session.askToStop() ? 1 : 0;
            exchange.answer(Exchange.object().put("cancelled", here + elsewhere));
        }
    }

    /// A person's yes, no or answer. Whoever gave the last one may let the run go on.
    public void decide(Exchange exchange) {
        var body = exchange.body();
        var approved = body.optionalFlag("approved")
                .orElseThrow(() -> HttpFailure.invalid("field 'approved' is missing; say true or false"));
        var note =
                body.optionalText("note").map(starter.backend().app().settings().redaction()::redactKnown);
        try (var session = sessions.openOwn(exchange)) {
            var call = new ToolCallId(exchange.parameter("call"));
            starter.backend()
                    .engine()
                    .decide(session, call, approved, exchange.caller().subject(), note.orElse(null));
            exchange.answer(Exchange.object()
                    .put("call", call.text())
                    .put("approved", approved)
                    .put("waiting", Approvals.waiting(session).size()));
        }
    }
}
