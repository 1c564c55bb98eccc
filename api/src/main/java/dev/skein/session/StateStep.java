package dev.skein.session;

import static java.util.Objects.requireNonNullElse;

import dev.skein.message.Cost;
import dev.skein.message.Message;
import dev.skein.message.Role;
import dev.skein.message.ToolCallId;
import dev.skein.session.CompactionBlock.BlockPointer;
import dev.skein.session.SessionEvent.SessionOpened;
import dev.skein.session.SessionState.OpenLoop;
import dev.skein.session.SessionState.RecentKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One step of the [SessionState] fold: the fields of the state before, changed by one event.
///
/// Mutable and used once, by one thread; it spares the record thirty withers.
final class StateStep {

    private final long seq;
    private final SessionEvent event;

    private SessionOpened opened;
    private Instant lastActivityAt;
    private @Nullable SessionAlias alias;
    private boolean autoname;
    private @Nullable String description;
    private SessionSettings settings;
    private @Nullable LoopPointer head;
    private @Nullable LoopStatus lastStatus;
    private List<OpenLoop> open;
    private SessionTotals totals;
    private @Nullable String firstMessage;
    private @Nullable LoopConfigSnapshot lastConfig;
    private @Nullable BlockPointer compaction;
    private List<String> removedBlocks;
    private List<RecentKey> keys;

    StateStep(SessionState before, Entry entry) {
        seq = entry.seq();
        event = entry.event();
        opened = before.opened();
        lastActivityAt = before.lastActivityAt().isAfter(event.at()) ? before.lastActivityAt() : event.at();
        alias = before.alias();
        autoname = before.autoname();
        description = before.description();
        settings = before.settings();
        head = before.head();
        lastStatus = before.lastStatus();
        open = before.open();
        totals = before.totals();
        firstMessage = before.firstMessage();
        lastConfig = before.lastConfig();
        compaction = before.compaction();
        removedBlocks = before.removedBlocks();
        keys = before.keys();
    }

    SessionState result() {
        if (event instanceof LoopEvent loopEvent) {
            apply(loopEvent);
        } else {
            apply(event);
        }
        return new SessionState(
                seq,
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
                keys);
    }

    private void apply(SessionEvent sessionEvent) {
        switch (sessionEvent) {
            case SessionOpened fork -> {
                opened = fork;
                alias = fork.alias();
                autoname = fork.autoname() != null && fork.autoname();
                lastActivityAt = fork.at();
                keys = List.of();
            }
            case SessionEvent.SessionRenamed renamed -> {
                alias = renamed.alias();
                autoname = renamed.autoname();
            }
            case SessionEvent.SessionDescribed described ->
                description = described.description().isEmpty() ? null : described.description();
            case SessionEvent.SessionConfigured configured -> settings = configured.settings();
            case SessionEvent.SessionCleared _ -> head = null;
            case SessionEvent.HeadMoved moved -> head = moved.head();
            case SessionEvent.CompactionBlockSet set ->
                compaction = new BlockPointer(set.block().id(), seq);
            case SessionEvent.CompactionBlockRemoved removed -> removedBlocks = plus(removedBlocks, removed.block());
            case SessionEvent.ParallelStarted started -> announce(started);
            case SessionEvent.ParallelEnded ended -> choose(ended);
            case SessionEvent.Opaque _ -> {}
            case LoopEvent loopEvent -> apply(loopEvent);
        }
    }

    private void apply(LoopEvent loopEvent) {
        switch (loopEvent) {
            case LoopEvent.LoopStarted started -> start(started);
            case LoopEvent.MessageEnded ended -> said(ended.message());
            case LoopEvent.ToolFinished _ -> totals = totals.plusMessages(1);
            case LoopEvent.ApprovalRequested requested -> waitFor(requested.loop(), requested.call());
            case LoopEvent.ApprovalGiven given -> decided(given.loop(), given.call());
            case LoopEvent.TurnEnded ended -> spend(ended);
            case LoopEvent.LoopEnded ended -> end(ended);
            case LoopEvent.TurnStarted _,
                    LoopEvent.MessageStarted _,
                    LoopEvent.MessageDelta _,
                    LoopEvent.ToolStarted _,
                    LoopEvent.ToolProgressed _,
                    LoopEvent.Progressed _,
                    LoopEvent.InputRejected _,
                    LoopEvent.ChildSpawned _,
                    LoopEvent.CompactionStarted _,
                    LoopEvent.CompactionEnded _ -> {}
        }
    }

    private void start(LoopEvent.LoopStarted started) {
        var announced = find(started.loop());
        var loop = announced == null ? OpenLoop.pending(started.loop(), null).alone() : announced;
        if (loop.seq() > 0) {
            return;
        }
        var parent = started.parentPointer();
        replace(started.loop(), loop.started(seq, parent == null ? loop.parent() : parent));
        totals = totals.plusLoop();
        lastConfig = started.config() == null ? lastConfig : started.config().withOutputShape(null);
        if (!loop.branch()) {
            head = new LoopPointer(started.loop(), seq);
        }
    }

    private void said(Message message) {
        totals = totals.plusMessages(1);
        if (firstMessage == null
                && message.role() == Role.USER
                && !message.text().isBlank()) {
            firstMessage = preview(message.text());
        }
    }

    private void spend(LoopEvent.TurnEnded ended) {
        totals = totals.plusTurn();
        var loop = find(ended.loop());
        if (loop != null && loop.running()) {
            replace(loop.loop(), loop.spending(ended.usage(), ended.cost()));
        }
    }

    private void end(LoopEvent.LoopEnded ended) {
        var loop = find(ended.loop());
        if (loop == null || loop.status().ended()) {
            return;
        }
        lastStatus = ended.status();
        if (loop.running()) {
            totals = totals.plus(
                    requireNonNullElse(ended.usage(), loop.usage()), requireNonNullElse(ended.cost(), loop.cost()));
        }
        replace(loop.loop(), loop.branch() ? loop.ended(ended.status()) : null);
        if (ended.status() == LoopStatus.REJECTED && head != null && head.loop().equals(ended.loop())) {
            head = loop.parent();
        }
    }

    private void announce(SessionEvent.ParallelStarted started) {
        for (var loop : started.loops()) {
            var early = find(loop);
            replace(loop, early == null ? OpenLoop.pending(loop, started.parent()) : early.amongOthers());
        }
    }

    private void choose(SessionEvent.ParallelEnded ended) {
        var winner = find(ended.selected());
        if (winner != null && winner.seq() > 0) {
            head = new LoopPointer(winner.loop(), winner.seq());
        }
        totals = totals.plus(ended.evaluationUsage(), Cost.NONE);
        for (var loop : ended.loops()) {
            var branch = find(loop);
            if (branch != null) {
                var over = branch.status().ended() || branch.status() == LoopStatus.PENDING;
                replace(loop, over ? null : branch.alone());
            }
        }
    }

    private void waitFor(LoopId loop, ToolCallId call) {
        var found = find(loop);
        if (found != null && found.running() && !found.waitingFor().contains(call)) {
            var calls = new ArrayList<>(found.waitingFor());
            calls.add(call);
            replace(loop, found.waiting(calls));
        }
    }

    private void decided(LoopId loop, ToolCallId call) {
        var found = find(loop);
        if (found != null && found.running()) {
            replace(
                    loop,
                    found.waiting(found.waitingFor().stream()
                            .filter(c -> !c.equals(call))
                            .toList()));
        }
    }

    private @Nullable OpenLoop find(LoopId loop) {
        for (var candidate : open) {
            if (candidate.loop().equals(loop)) {
                return candidate;
            }
        }
        return null;
    }

    private void replace(LoopId loop, @Nullable OpenLoop with) {
        var changed = new ArrayList<OpenLoop>(open.size() + 1);
        for (var candidate : open) {
            if (!candidate.loop().equals(loop)) {
                changed.add(candidate);
            }
        }
        if (with != null) {
            changed.add(with);
        }
        open = changed;
    }

    private static List<String> plus(List<String> list, String item) {
        var changed = new ArrayList<>(list);
        changed.add(item);
        return changed;
    }

    private static String preview(String text) {
        return text.length() <= SessionState.PREVIEW_LENGTH
                ? text
                : text.substring(
                        0,
                        text.offsetByCodePoints(
                                0, Math.min(SessionState.PREVIEW_LENGTH, text.codePointCount(0, text.length()))));
    }
}
