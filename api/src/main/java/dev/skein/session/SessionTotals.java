package dev.skein.session;

import dev.skein.message.Cost;
import dev.skein.message.Usage;

/// Sums over a session's loops. Usage and cost are those of loops that have ended.
public record SessionTotals(long messages, long turns, long loops, Usage usage, Cost cost) {

    public static final SessionTotals NONE = new SessionTotals(0, 0, 0, Usage.NONE, Cost.NONE);

    SessionTotals plusMessages(int count) {
        return new SessionTotals(messages + count, turns, loops, usage, cost);
    }

    SessionTotals plusTurn() {
        return new SessionTotals(messages, turns + 1, loops, usage, cost);
    }

    SessionTotals plusLoop() {
        return new SessionTotals(messages, turns, loops + 1, usage, cost);
    }

    SessionTotals plus(Usage usedMore, Cost spentMore) {
        return new SessionTotals(messages, turns, loops, usage.plus(usedMore), cost.plus(spentMore));
    }
}
