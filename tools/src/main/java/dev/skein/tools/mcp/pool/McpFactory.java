package dev.skein.tools.mcp.pool;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.Cancelled;
import dev.skein.tools.mcp.client.ClientTerms;
import dev.skein.tools.mcp.client.McpClient;
import dev.skein.tools.mcp.config.McpServer;
import dev.skein.tools.mcp.config.ServerKey;
import dev.skein.tools.mcp.wire.McpFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Gives out servers: one that is in use, else one that is kept, else a new one.
///
/// All who want the same server, with the same credentials, share one; under a race it is started once. Whoever wants
/// another is not held up: servers start and end outside the lock. Safe for use by many threads.
public final class McpFactory implements AutoCloseable {

    private static final Duration ENDS = Duration.ofSeconds(10);

    private final ClientTerms client;
    private final PoolTerms terms;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition released = lock.newCondition();
    private final Map<ServerKey, Slot> slots = new HashMap<>();

    /// Those that nobody else gets, but some still hold.
    private final List<Slot> retired = new ArrayList<>();

    private final KnownKeys known = new KnownKeys();
    private final Tally tally = new Tally();
    private @Nullable ScheduledExecutorService reaper;
    private volatile boolean closed;
    private final Endings endings = new Endings();

    public McpFactory(ClientTerms client, PoolTerms terms, InstantSource clock) {
        this.client = client;
        this.terms = terms;
        this.clock = clock;
    }

    /// The right to use this server, for whoever closes it when done.
    ///
    /// @throws McpFailure if it cannot be had
    public McpLease acquire(McpServer server, Cancellation cancellation) throws InterruptedException {
        while (true) {
            cancellation.check();
            var taken = take(server);
            var lease = switch (taken.how()) {
                case NEW -> start(taken.slot(), cancellation);
                case IDLE -> revived(taken.slot(), cancellation);
                case ACTIVE -> joined(taken.slot(), cancellation);
            };
            if (lease != null) {
                return lease;
            }
        }
    }

    /// The right to use this server if it runs and is well; empty otherwise. Never waits, and starts nothing.
    public Optional<McpLease> acquireRunning(McpServer server) {
        lock.lock();
        try {
            var slot = slots.get(known.of(server));
            if (closed || slot == null || slot.isBroken() || slot.started().isEmpty()) {
                return Optional.empty();
            }
            slot.holders++;
            slot.idleSince = null;
            return Optional.of(lease(slot, slot.started().get()));
        } finally {
            lock.unlock();
        }
    }

    /// The right to use a server that is not configured any more, for as long as somebody still holds it; empty if
    /// nobody does.
    public Optional<McpLease> acquireRetired(McpServer server) {
        lock.lock();
        try {
            var key = known.of(server);
            var there = retired.stream()
                    .filter(slot -> slot.key.equals(key) && !slot.isBroken())
                    .filter(slot -> slot.started().isPresent())
                    .findFirst();
            there.ifPresent(slot -> slot.holders++);
            return there.map(slot -> lease(slot, slot.client.resultNow()));
        } finally {
            lock.unlock();
        }
    }

    private enum How {
        NEW,
        IDLE,
        ACTIVE
    }

    private record Taken(Slot slot, How how) {}

    private void requireOpen() {
        if (closed) {
            throw new McpFailure(McpFailure.Kind.ENDED, "no MCP server is started any more: all is ending");
        }
    }

    private Taken take(McpServer server) {
        lock.lock();
        try {
            requireOpen();
            var key = known.of(server);
            var there = slots.get(key);
            if (there != null && there.isBroken()) {
                retire(there);
                tally.broken++;
                there = null;
            }
            if (there == null) {
                var fresh = new Slot(server, key);
                slots.put(key, fresh);
                tally.spawned++;
                return new Taken(fresh, How.NEW);
            }
            var wasIdle = there.idleSince != null;
            there.holders++;
            there.idleSince = null;
            return new Taken(there, wasIdle ? How.IDLE : How.ACTIVE);
        } finally {
            lock.unlock();
        }
    }

    private McpLease start(Slot slot, Cancellation cancellation) throws InterruptedException {
        try {
            var started = McpClient.open(slot.server, client, cancellation);
            slot.client.complete(started);
            requireOpen();
            return lease(slot, started);
        } catch (InterruptedException | RuntimeException e) {
            slot.client.completeExceptionally(e);
            count(() -> tally.failed++);
            release(slot);
            throw e;
        }
    }

    /// Null if the server did not come up because whoever started it went away.
    private @Nullable McpLease joined(Slot slot, Cancellation cancellation) throws InterruptedException {
        var ready = slot.started();
        if (ready.isPresent()) {
            count(() -> tally.shared++);
            return lease(slot, ready.get());
        }
        var started = slot.client.copy();
        try (var _ = cancellation.onCancel(() -> started.completeExceptionally(
                new Cancelled(cancellation.reason().orElse("cancelled"))))) {
            var there = started.get();
            count(() -> tally.shared++);
            return lease(slot, there);
        } catch (InterruptedException e) {
            release(slot);
            throw e;
        } catch (ExecutionException e) {
            release(slot);
            cancellation.check();
            if (e.getCause() instanceof McpFailure failure) {
                throw failure.saying(Objects.requireNonNull(failure.getMessage()));
            }
            return null;
        }
    }

    /// Null if the server was not well.
    private @Nullable McpLease revived(Slot slot, Cancellation cancellation) throws InterruptedException {
        var there = slot.client.resultNow();
        try {
            there.refresh(terms.health(), cancellation);
        } catch (McpFailure _) {
            discard(slot);
            return null;
        } catch (InterruptedException | RuntimeException e) {
            release(slot);
            throw e;
        }
        count(() -> tally.revived++);
        return lease(slot, there);
    }

    private McpLease lease(Slot slot, McpClient there) {
        return new McpLease(there, grace -> {
            lock.lock();
            try {
                var until = clock.instant().plus(grace);
                slot.keptUntil = until.isAfter(slot.keptUntil) ? until : slot.keptUntil;
            } finally {
                lock.unlock();
            }
            release(slot);
        });
    }

    private void discard(Slot slot) {
        lock.lock();
        try {
            tally.broken++;
            retire(slot);
        } finally {
            lock.unlock();
        }
        release(slot);
    }

    private void release(Slot slot) {
        var ending = new ArrayList<Slot>();
        lock.lock();
        try {
            slot.holders--;
            if (slot.holders == 0) {
                if (slot.retired || closed || slot.isBroken() || !kept(slot).isAfter(clock.instant())) {
                    remove(slot);
                    ending.add(slot);
                } else {
                    slot.idleSince = clock.instant();
                    ending.addAll(overdue(slots.values().stream()
                            .filter(candidate -> candidate.idleSince != null)
                            .sorted(Comparator.comparing(Slot::lastUse).reversed())
                            .skip(terms.idleMax())
                            .toList()));
                    startReaper();
                }
                released.signalAll();
            }
            endings.announce(ending);
        } finally {
            lock.unlock();
        }
        endings.end(ending);
    }

    private Duration idleTime(Slot slot) {
        return slot.server.idle() == null ? terms.idle() : slot.server.idle();
    }

    /// Until when nobody need use it for it to stay.
    private Instant kept(Slot slot) {
        var since = slot.idleSince == null ? clock.instant() : slot.idleSince;
        var idle = since.plus(idleTime(slot));
        return idle.isAfter(slot.keptUntil) ? idle : slot.keptUntil;
    }

    private List<Slot> overdue(List<Slot> found) {
        found.forEach(slot -> {
            remove(slot);
            tally.evicted++;
        });
        return found;
    }

    private void retire(Slot slot) {
        slot.retired = true;
        slots.remove(slot.key, slot);
        if (slot.holders > 0) {
            retired.add(slot);
        }
    }

    private void remove(Slot slot) {
        slots.remove(slot.key, slot);
        retired.remove(slot);
    }

    /// Ends what has been idle for too long, or is not there any more.
    public void reap() {
        List<Slot> ending;
        lock.lock();
        try {
            var now = clock.instant();
            ending = overdue(slots.values().stream()
                    .filter(slot -> slot.idleSince != null)
                    .filter(slot -> slot.isBroken() || !kept(slot).isAfter(now))
                    .toList());
            endings.announce(ending);
        } finally {
            lock.unlock();
        }
        endings.end(ending);
    }

    /// Only these servers are configured from now on. Whoever holds another keeps it; nobody else gets it.
    public void reload(Collection<McpServer> configured) {
        known.forget();
        var keys = configured.stream().map(known::of).collect(Collectors.toSet());
        List<Slot> ending;
        lock.lock();
        try {
            var gone = slots.values().stream()
                    .filter(slot -> !keys.contains(slot.key))
                    .toList();
            gone.forEach(this::retire);
            ending = gone.stream().filter(slot -> slot.holders == 0).toList();
            endings.announce(ending);
        } finally {
            lock.unlock();
        }
        endings.end(ending);
    }

    public McpCounters counters() {
        lock.lock();
        try {
            var all = new ArrayList<>(slots.values());
            all.addAll(retired);
            return tally.counters(all.stream()
                    .sorted(Comparator.comparing(slot -> slot.key.name()))
                    .map(slot -> new McpCounters.Running(slot.key.name(), slot.state(), slot.holders))
                    .toList());
        } finally {
            lock.unlock();
        }
    }

    /// Ends all servers: idle ones at once, others when they are given back or the time is up.
    @Override
    public void close() {
        var ending = new ArrayList<Slot>();
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            if (reaper != null) {
                reaper.shutdownNow();
            }
            slots.values().stream().filter(slot -> slot.holders == 0).forEach(ending::add);
            ending.forEach(this::remove);
            awaitRelease();
            ending.addAll(slots.values());
            ending.addAll(retired);
            slots.clear();
            retired.clear();
            endings.announce(ending);
        } finally {
            lock.unlock();
        }
        endings.end(ending);
        endings.await(ENDS);
    }

    private void awaitRelease() {
        var left = terms.drain().toNanos();
        try {
            while (left > 0 && (!slots.isEmpty() || !retired.isEmpty())) {
                left = released.awaitNanos(left);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void startReaper() {
        if (reaper == null && !closed) {
            var every = terms.reapEvery().toMillis();
            reaper = Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().daemon().name("skein-mcp-reaper").factory());
            var _ = reaper.scheduleWithFixedDelay(this::reap, every, every, TimeUnit.MILLISECONDS);
        }
    }

    private void count(Runnable step) {
        lock.lock();
        try {
            step.run();
        } finally {
            lock.unlock();
        }
    }
}
