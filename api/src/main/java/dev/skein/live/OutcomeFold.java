package dev.skein.live;

import static java.util.Objects.requireNonNullElse;

import dev.skein.live.RunOutcome.ToolUse;
import dev.skein.message.Cost;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.ToolCallId;
import dev.skein.message.Usage;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopRecord;
import dev.skein.session.LoopStatus;
import dev.skein.session.OutputShape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// How a loop ended, or how far it has come, from its events alone: the same today, tomorrow and in another process.
/// Used once.
final class OutcomeFold {

    private static final String WAITS = "a tool call waits for a person's decision";

    private final LoopRecord loop;
    private final List<Part.ToolCall> calls = new ArrayList<>();
    private final Map<ToolCallId, Part.ToolResult> results = new LinkedHashMap<>();
    private LoopStatus status = LoopStatus.RUNNING;
    private @Nullable String reason;
    private @Nullable Message answer;
    private int turns;
    private boolean autoContinued;
    private Usage usage = Usage.NONE;
    private Usage open = Usage.NONE;
    private Cost cost = Cost.NONE;

    OutcomeFold(LoopRecord loop, long last) {
        this.loop = loop;
        loop.events().stream().filter(entry -> entry.seq() <= last).forEach(entry -> {
            if (entry.event() instanceof LoopEvent event) {
                add(event);
            }
        });
    }

    RunOutcome outcome() {
        return new RunOutcome(
                loop.session(),
                loop.id(),
                status,
                reason,
                answer,
                uses(),
                turns,
                loop.metadata().containsKey(RunOutcome.COMPRESSED),
                autoContinued,
                usage.plus(open),
                cost,
                Citation.of(loop.metadata()),
                output());
    }

    private @Nullable JsonNode output() {
        return loop.outputShape() == null || status != LoopStatus.COMPLETED || answer == null
                ? null
                : OutputShape.value(answer.text()).orElse(null);
    }

    private void add(LoopEvent event) {
        switch (event) {
            case LoopEvent.MessageEnded ended when ended.message().role() == Role.ASSISTANT -> said(ended.message());
            case LoopEvent.MessageEnded ended ->
                autoContinued |= ended.message().metadata().containsKey(RunOutcome.AUTO_CONTINUE);
            case LoopEvent.ToolFinished finished ->
                results.put(finished.result().call(), finished.result());
            case LoopEvent.ApprovalRequested _ -> rest(LoopStatus.WAITING, WAITS);
            case LoopEvent.ApprovalGiven _ -> rest(LoopStatus.RUNNING, null);
            case LoopEvent.TurnEnded ended -> turnEnded(ended.usage(), ended.cost());
            case LoopEvent.LoopEnded ended -> ended(ended);
            default -> {}
        }
    }

    private void said(Message message) {
        answer = message;
        calls.addAll(message.toolCalls());
        var reply = message.reply();
        if (reply == null || !"aborted".equals(reply.stopReason())) {
            turns++;
        }
        open = reply == null ? Usage.NONE : requireNonNullElse(reply.usage(), Usage.NONE);
    }

    private void turnEnded(Usage used, @Nullable Cost spent) {
        usage = usage.plus(used);
        open = Usage.NONE;
        cost = cost.plus(requireNonNullElse(spent, Cost.NONE));
    }

    private void ended(LoopEvent.LoopEnded ended) {
        rest(ended.status(), ended.reason());
        if (ended.usage() != null) {
            usage = ended.usage();
            open = Usage.NONE;
        }
        cost = requireNonNullElse(ended.cost(), cost);
    }

    private void rest(LoopStatus as, @Nullable String why) {
        status = as;
        reason = why;
    }

    private List<ToolUse> uses() {
        return calls.stream()
                .flatMap(call ->
                        Optional.ofNullable(results.get(call.id())).stream().map(result -> new ToolUse(call, result)))
                .toList();
    }
}
