package dev.skein.engine;

import dev.skein.engine.limit.Limits;
import dev.skein.failure.LimitReached;
import dev.skein.message.Cost;
import dev.skein.message.Part;
import dev.skein.message.Usage;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What a run has used so far of what it is allowed. Used by one thread.
final class Spending {

    private final Limits limits;
    private final Clock clock;
    private final Instant started;
    private final Map<String, Integer> sameCalls = new HashMap<>();
    private Usage usage = Usage.NONE;
    private Cost cost = Cost.NONE;
    private int turns;

    Spending(Limits limits, Clock clock) {
        this.limits = limits;
        this.clock = clock;
        this.started = clock.instant();
    }

    Usage usage() {
        return usage;
    }

    Cost cost() {
        return cost;
    }

    int turns() {
        return turns;
    }

    /// One more turn.
    void add(Usage more, Cost costMore) {
        turns++;
        usage = usage.plus(more);
        cost = cost.plus(costMore);
    }

    /// @throws LimitReached if there is nothing left for another turn
    void requireMore() {
        if (turns >= limits.turnsMax()) {
            throw new LimitReached(limits.turnsMax() + " turns", "turns_max");
        }
        if (limits.tokensMax() != null && usage.totalTokens() >= limits.tokensMax()) {
            throw new LimitReached(limits.tokensMax() + " tokens", "tokens_max");
        }
        if (limits.costMax() != null && cost.usd().compareTo(limits.costMax().usd()) >= 0) {
            throw new LimitReached(limits.costMax().toString(), "cost_max");
        }
        if (Duration.between(started, clock.instant()).compareTo(limits.timeMax()) >= 0) {
            throw timeIsUp();
        }
    }

    LimitReached timeIsUp() {
        return new LimitReached(limits.timeMax().toSeconds() + " seconds", "time_max");
    }

    /// A model that asks for the same thing over and over is not getting anywhere.
    ///
    /// @throws LimitReached if it did so too often
    void requireProgress(List<Part.ToolCall> calls) {
        for (var call : calls) {
            var count = sameCalls.merge(call.name() + call.arguments(), 1, Integer::sum);
            if (count > limits.sameCallMax()) {
                throw new LimitReached(limits.sameCallMax() + " equal calls of " + call.name(), "same_call_max");
            }
        }
    }
}
