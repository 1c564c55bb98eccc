package dev.skein.cli.acp;

import static java.util.Objects.requireNonNullElse;

import dev.skein.cancellation.Cancellation;
import dev.skein.cli.chat.OwnWork;
import dev.skein.cli.program.Ai;
import dev.skein.engine.Approvals;
import dev.skein.engine.Overrides;
import dev.skein.engine.RequestContext;
import dev.skein.engine.RunOptions;
import dev.skein.engine.RunRequest;
import dev.skein.engine.Steering;
import dev.skein.failure.Cancelled;
import dev.skein.live.RunOutcome;
import dev.skein.message.Part;
import dev.skein.session.LoopStatus;
import dev.skein.store.SessionHandle;
import dev.skein.tools.mcp.wire.WireJson;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.node.ArrayNode;

/// One prompt, from what the person said to the end of the answer. Calls that need a yes are asked about in the editor;
/// a question that needs words stays in the session, and the editor is told how it is answered.
final class AcpTurn {

    private static final String BY = "the editor";
    private static final String ALLOW = "allow";
    private static final String REJECT = "reject";
    private static final String END = "end_turn";
    private static final String CANCELLED = "cancelled";

    private final Ai ai;
    private final AcpPeer peer;
    private final SessionHandle session;
    private final Cancellation cancellation;
    private final AcpUpdates updates;
    private final OwnWork work;

    AcpTurn(Ai ai, AcpPeer peer, SessionHandle session, Cancellation cancellation) {
        this.ai = ai;
        this.peer = peer;
        this.session = session;
        this.cancellation = cancellation;
        this.updates = new AcpUpdates(peer, session.id());
        this.work = new OwnWork(ai.engine());
    }

    /// Why it ended, in the protocol's words. What waits from before is decided first.
    String run(List<Part> said) throws InterruptedException {
        if (cancellation.isCancelled()) {
            return CANCELLED;
        }
        try {
            while (!Approvals.waiting(session).isEmpty()) {
                var asking = decideAll();
                if (asking.isPresent()) {
                    // As everywhere, nothing is said while a question waits.
                    throw new AcpFailure(
                            AcpFailure.INVALID_REQUEST,
                            "the prompt was not taken, because a question waits: " + howToAnswer(asking.get()));
                }
                work.goOn(context(), updates);
            }
            var prompt = ai.app().prompt(session.state().settings(), Overrides.NONE, said);
            var outcome = work.run(context(), prompt, updates);
            while (outcome.status() == LoopStatus.WAITING) {
                var asking = decideAll();
                if (asking.isPresent()) {
                    updates.say("agent_message_chunk", "\n" + howToAnswer(asking.get()) + "\n");
                    return END;
                }
                outcome = work.goOn(context(), updates);
            }
            return reason(outcome);
        } catch (Cancelled _) {
            abandon();
            return CANCELLED;
        }
    }

    private RequestContext context() {
        var options = RunOptions.cli().withDeltas(true);
        return ai.app().context(ai.ids().request(), session, Overrides.NONE, options, new Steering(), cancellation);
    }

    private String reason(RunOutcome outcome) {
        return switch (outcome.status()) {
            case COMPLETED, WAITING -> END;
            case REJECTED -> "refusal";
            case ABORTED, PENDING, RUNNING -> {
                if (cancellation.isCancelled()) {
                    yield CANCELLED;
                }
                throw new AcpFailure(
                        AcpFailure.INTERNAL_ERROR, requireNonNullElse(outcome.reason(), "the run was aborted"));
            }
        };
    }

    /// Asks about all that waits, except for what waits for words, which the editor cannot give; the first of those.
    private Optional<Approvals.Waiting> decideAll() throws InterruptedException {
        var asking = Optional.<Approvals.Waiting>empty();
        for (var waiting : Approvals.waiting(session)) {
            if (!waiting.args().has("question")
                    || waiting.args().path("options").isArray()) {
                decide(waiting);
            } else if (asking.isEmpty()) {
                asking = Optional.of(waiting);
            }
        }
        return asking;
    }

    private String howToAnswer(Approvals.Waiting asking) {
        return asking.args().path("question").asString("") + "\nAnswer with: skein session approve " + session.id()
                + " --answer \"...\"";
    }

    private void decide(Approvals.Waiting waiting) throws InterruptedException {
        var call = waiting.call();
        var params = WireJson.object().put("sessionId", session.id().toString());
        params.set("toolCall", AcpUpdates.describe(call.text(), waiting.name(), waiting.args(), "pending"));
        var options = params.putArray("options");
        var picks = waiting.args().path("options");
        if (waiting.args().has("question") && picks.isArray()) {
            picks.forEach(pick -> option(options, pick.asString(""), pick.asString(""), "allow_once"));
        } else {
            option(options, ALLOW, "Allow", "allow_once");
        }
        option(options, REJECT, "Reject", "reject_once");
        var outcome =
                peer.ask("session/request_permission", params, cancellation).path("outcome");
        if (!outcome.path("outcome").asString("").equals("selected")) {
            cancellation.cancel("the editor cancelled it");
            cancellation.check();
        }
        var chosen = outcome.path("optionId").asString(REJECT);
        var note = chosen.equals(ALLOW) || chosen.equals(REJECT) ? null : chosen;
        work.decide(session, call, !chosen.equals(REJECT), BY, note);
    }

    private static void option(ArrayNode options, String id, String name, String kind) {
        options.addObject().put("optionId", id).put("name", name).put("kind", kind);
    }

    /// Nothing may wait in a session whose prompt was cancelled: the next prompt would be refused.
    private void abandon() {
        for (var waiting : Approvals.waiting(session)) {
            work.decide(session, waiting.call(), false, BY, "the prompt was cancelled");
        }
        if (!session.state().open().isEmpty()) {
            try {
                work.run(context(), new RunRequest.Continue(), updates);
            } catch (Cancelled _) {
                // That is what it was told.
            }
        }
    }
}
