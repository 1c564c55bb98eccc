package dev.skein.session;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.skein.message.Cost;
import dev.skein.message.ToolCallId;
import dev.skein.message.Usage;
import dev.skein.session.CompactionBlock.BlockPointer;
import dev.skein.session.SessionEvent.SessionOpened;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Enough of a session to take its next turn: a fold over its events whose size does not grow with them.
///
/// It can be stored beside the events and thrown away at any time. The whole session is [Session].
public record SessionState(
        long version,
        SessionOpened opened,
        Instant lastActivityAt,
        @Nullable SessionAlias alias,
        boolean autoname,
        @Nullable String description,
        SessionSettings settings,
        @Nullable LoopPointer head,
        @Nullable LoopStatus lastStatus,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<OpenLoop> open,
        SessionTotals totals,
        @Nullable String firstMessage,
        @Nullable LoopConfigSnapshot lastConfig,
        @Nullable BlockPointer compaction,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> removedBlocks,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<RecentKey> keys) {

    /// How much of the first prompt is kept for listings.
    public static final int PREVIEW_LENGTH = 200;

    /// How many idempotency keys are remembered.
    public static final int KEYS_MAX = 256;

    public SessionState {
        settings = requireNonNullElse(settings, SessionSettings.NONE);
        open = List.copyOf(requireNonNullElse(open, List.of()));
        totals = requireNonNullElse(totals, SessionTotals.NONE);
        removedBlocks = List.copyOf(requireNonNullElse(removedBlocks, List.of()));
        keys = List.copyOf(requireNonNullElse(keys, List.of()));
    }

    /// A loop that has not come to rest, or a branch whose group has no winner yet. `seq` is 0 while pending;
    /// `waitingFor` names the tool calls that wait for a person's yes.
    public record OpenLoop(
            LoopId loop,
            long seq,
            @Nullable LoopPointer parent,
            LoopStatus status,
            boolean branch,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ToolCallId> waitingFor,
            Usage usage,
            Cost cost) {

        public OpenLoop {
            waitingFor = List.copyOf(requireNonNullElse(waitingFor, List.of()));
        }

        static OpenLoop pending(LoopId loop, @Nullable LoopPointer parent) {
            return new OpenLoop(loop, 0, parent, LoopStatus.PENDING, true, List.of(), Usage.NONE, Cost.NONE);
        }

        OpenLoop started(long atSeq, @Nullable LoopPointer from) {
            return new OpenLoop(loop, atSeq, from, LoopStatus.RUNNING, branch, List.of(), Usage.NONE, Cost.NONE);
        }

        OpenLoop spending(Usage more, @Nullable Cost costMore) {
            return new OpenLoop(
                    loop,
                    seq,
                    parent,
                    status,
                    branch,
                    waitingFor,
                    usage.plus(more),
                    cost.plus(requireNonNullElse(costMore, Cost.NONE)));
        }

        OpenLoop ended(LoopStatus as) {
            return new OpenLoop(loop, seq, parent, as, branch, List.of(), Usage.NONE, Cost.NONE);
        }

        /// Started and not ended: the time in which usage counts.
        boolean running() {
            return seq > 0 && !status.ended();
        }

        OpenLoop amongOthers() {
            return new OpenLoop(loop, seq, parent, status, true, waitingFor, usage, cost);
        }

        OpenLoop alone() {
            return new OpenLoop(loop, seq, parent, status, false, waitingFor, usage, cost);
        }

        OpenLoop waiting(List<ToolCallId> calls) {
            var now = calls.isEmpty() ? LoopStatus.RUNNING : LoopStatus.WAITING;
            return new OpenLoop(loop, seq, parent, now, branch, calls, usage, cost);
        }
    }

    /// Where the append with this key begins.
    public record RecentKey(String key, long seq) {}

    /// The state after the first event of a session.
    public static SessionState opening(Entry first) {
        if (!(first.event() instanceof SessionOpened opened)) {
            throw new IllegalArgumentException("a session starts with session_opened, not with " + first.event());
        }
        return new SessionState(
                        first.seq(),
                        opened,
                        opened.at(),
                        opened.alias(),
                        opened.autoname() != null && opened.autoname(),
                        null,
                        SessionSettings.NONE,
                        null,
                        null,
                        List.of(),
                        SessionTotals.NONE,
                        null,
                        null,
                        null,
                        List.of(),
                        List.of())
                .remembering(first);
    }

    /// The state after one more event, which must be the next.
    public SessionState after(Entry entry) {
        if (entry.seq() != version + 1) {
            throw new IllegalArgumentException("event %d does not follow %d".formatted(entry.seq(), version));
        }
        return new StateStep(this, entry).result().remembering(entry);
    }

    public SessionId id() {
        return opened.session();
    }

    public Scope scope() {
        return opened.scope();
    }

    public SessionStatus status() {
        if (open.stream().anyMatch(loop -> loop.status() == LoopStatus.WAITING)) {
            return SessionStatus.WAITING;
        }
        if (open.stream().anyMatch(loop -> !loop.status().ended())) {
            return SessionStatus.RUNNING;
        }
        return lastStatus == LoopStatus.ABORTED ? SessionStatus.ABORTED : SessionStatus.IDLE;
    }

    /// Tokens of all loops, those still running included.
    public Usage usage() {
        return open.stream().map(OpenLoop::usage).reduce(totals.usage(), Usage::plus);
    }

    /// Money of all loops, those still running included.
    public Cost cost() {
        return open.stream().map(OpenLoop::cost).reduce(totals.cost(), Cost::plus);
    }

    /// Where the append with this key begins, if it is among the recent ones.
    public Optional<Long> seqOfKey(String key) {
        return keys.stream()
                .filter(recent -> recent.key().equals(key))
                .map(RecentKey::seq)
                .findFirst();
    }

    /// The same state under another name; the store knows the name better than the journal.
    public SessionState named(@Nullable SessionAlias newAlias, boolean newAutoname) {
        return new SessionState(
                version,
                opened,
                lastActivityAt,
                newAlias,
                newAutoname,
                description,
                settings,
                head,
                lastStatus,
                open,
                totals,
                firstMessage,
                lastConfig,
                compaction,
                removedBlocks,
                keys);
    }

    SessionState withOpened(SessionOpened changed) {
        return new SessionState(
                version,
                changed,
                lastActivityAt,
                alias,
                autoname,
                description,
                settings,
                head,
                lastStatus,
                open,
                totals,
                firstMessage,
                lastConfig,
                compaction,
                removedBlocks,
                keys);
    }

    private SessionState remembering(Entry entry) {
        if (entry.key() == null) {
            return this;
        }
        var recent = new ArrayList<>(keys.size() < KEYS_MAX ? keys : keys.subList(1, keys.size()));
        recent.add(new RecentKey(entry.key(), entry.seq()));
        return new SessionState(
                version,
                opened,
                lastActivityAt,
                alias,
                autoname,
                description,
                settings,
                head,
                lastStatus,
                open,
                totals,
                firstMessage,
                lastConfig,
                compaction,
                removedBlocks,
                recent);
    }
}
