package dev.skein.store.jdbc.sql;

import dev.skein.store.jdbc.sql.Dialect.Append;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/// Takes appends of different sessions to the database together: one round trip and one commit for all that came
/// while others were under way.
///
/// Nobody suffers for company. Who finds hardly anybody under way goes alone and at once. Who is left behind or
/// thrown off, because its session is locked, is not as expected, or somebody in the group made it fail, goes alone
/// afterwards, and learns there what is the matter. Who is not taken along in time goes alone too.
///
/// Safe for use by many threads. Boats are threads of their own, which nobody interrupts.
final class Ferry implements AutoCloseable {

    /// So many go alone at the same time before the others gather.
    private static final int ALONE_MAX = 2;

    private static final int ABOARD_MAX = 32;

    /// What is larger goes alone, and a boat carries no more than this: nobody small waits for somebody large.
    private static final int BYTES_MAX = 256 * 1024;

    /// A boat waits until there are as many as are under way, but not if these do not come back.
    private static final Duration GATHERING_MAX = Duration.ofMillis(20);

    private static final Duration IDLE_MAX = Duration.ofSeconds(10);

    /// How long who is under way may take when the ferry closes.
    private static final Duration CLOSING_MAX = Duration.ofSeconds(2);

    private final Crossing crossing;
    private final int boatsMax;
    private final Duration patience;
    private final ReentrantLock mutex = new ReentrantLock();
    private final Condition arrived = mutex.newCondition();
    private final Condition allBack = mutex.newCondition();
    private final Deque<Passage> waiting = new ArrayDeque<>();
    private int boats;
    private int idle;
    private int asleep;
    private int underWay;
    private long departed = System.nanoTime();
    private boolean closed;

    /// What a group does.
    interface Crossing {

        /// Appends of one kind can go together.
        Object kind(Append append);

        /// Tries all, together, and waits for nobody who has locked one of their sessions.
        ///
        /// @return which of them happened; if it throws, none, unless that is uncertain
        boolean[] cross(List<Append> appends) throws SQLException;

        /// Whether they may have happened although it failed, or nothing would be better alone.
        boolean isFinal(SQLException e);
    }

    /// How it ended for one of a group.
    private sealed interface End {
        /// It happened.
        record Happened() implements End {}

        /// It did not happen in the group, and may alone.
        record Left() implements End {}

        record Failed(Throwable cause) implements End {}
    }

    private static final End UNCERTAIN =
            new End.Failed(new IllegalStateException("it is not known whether it happened"));

    /// Somebody who waits or is under way.
    private record Passage(Append append, Object kind, CompletableFuture<End> end) {}

    /// @param patience how long somebody waits to be taken along
    Ferry(Crossing crossing, int boatsMax, Duration patience) {
        this.crossing = crossing;
        this.boatsMax = boatsMax;
        this.patience = patience;
    }

    /// Appends, in company or by what `alone` does. An interrupt is kept for later.
    ///
    /// @return whether it happened
    boolean append(Append append, BooleanSupplier alone) throws SQLException {
        if (append.bytes() > BYTES_MAX) {
            return alone.getAsBoolean();
        }
        var passage = new Passage(append, crossing.kind(append), new CompletableFuture<>());
        if (!gathers(passage)) {
            try {
                return alone.getAsBoolean();
            } finally {
                returned(1);
            }
        }
        return switch (awaited(passage)) {
            case End.Happened() -> true;
            case End.Left() -> alone.getAsBoolean();
            case End.Failed(SQLException cause) -> throw cause;
            case End.Failed(RuntimeException cause) -> throw cause;
            case End.Failed(Throwable cause) -> throw new IllegalStateException("an append failed", cause);
        };
    }

    /// False if there is nobody to wait for.
    private boolean gathers(Passage passage) {
        mutex.lock();
        try {
            if (closed) {
                throw closed();
            }
            if (underWay < ALONE_MAX && waiting.isEmpty()) {
                underWay++;
                departed = System.nanoTime();
                return false;
            }
            waiting.add(passage);
            summon();
            return true;
        } finally {
            mutex.unlock();
        }
    }

    private void returned(int count) {
        mutex.lock();
        try {
            underWay -= count;
            if (underWay == 0) {
                allBack.signalAll();
            }
            if (idle > 0 && isTime()) {
                arrived.signal();
            }
        } finally {
            mutex.unlock();
        }
    }

    private End awaited(Passage passage) {
        var interrupted = false;
        var left = patience.toNanos();
        try {
            while (true) {
                try {
                    return passage.end().get(left, TimeUnit.NANOSECONDS);
                } catch (InterruptedException _) {
                    interrupted = true;
                } catch (TimeoutException _) {
                    if (isWithdrawn(passage)) {
                        return new End.Left();
                    }
                    left = Long.MAX_VALUE; // it is under way, and every crossing has an end
                } catch (ExecutionException e) {
                    throw new IllegalStateException("an end is never an exception", e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean isWithdrawn(Passage passage) {
        mutex.lock();
        try {
            return waiting.remove(passage);
        } finally {
            mutex.unlock();
        }
    }

    /// How many wait to be taken along.
    int waiting() {
        mutex.lock();
        try {
            return waiting.size();
        } finally {
            mutex.unlock();
        }
    }

    /// Whether nobody is under way, and every boat sleeps.
    boolean isAtRest() {
        mutex.lock();
        try {
            return underWay == 0 && asleep == boats;
        } finally {
            mutex.unlock();
        }
    }

    private void summon() {
        if (idle > 0) {
            if (isTime() || asleep == idle) {
                arrived.signal();
            }
        } else if (boats < boatsMax) {
            try {
                Thread.ofPlatform().daemon().name("skein-append").start(this::ply);
                boats++;
            } catch (OutOfMemoryError _) {
                // There is no thread to be had. Who waits goes alone when its patience ends.
            }
        }
    }

    private boolean isTime() {
        return !waiting.isEmpty()
                && (waiting.size() >= underWay || System.nanoTime() - departed > GATHERING_MAX.toNanos());
    }

    private void ply() {
        for (var group = boarded(); !group.isEmpty(); group = boarded()) {
            try {
                carry(group);
            } finally {
                // Only for who was forgotten because the memory ran out.
                end(group, UNCERTAIN);
                returned(group.size());
            }
        }
    }

    private void carry(Collection<Passage> group) {
        try {
            var happened = crossing.cross(group.stream().map(Passage::append).toList());
            var nth = 0;
            for (var passage : group) {
                passage.end().complete(happened[nth++] ? new End.Happened() : new End.Left());
            }
        } catch (SQLException e) {
            end(group, crossing.isFinal(e) ? new End.Failed(e) : new End.Left());
        } catch (RuntimeException | Error e) {
            end(group, new End.Failed(e));
        }
    }

    private static void end(Collection<Passage> group, End end) {
        group.forEach(passage -> passage.end().complete(end));
    }

    /// Who goes next; nobody, if there was nobody for long.
    private Collection<Passage> boarded() {
        var left = IDLE_MAX.toNanos();
        mutex.lock();
        try {
            idle++;
            try {
                while (!isTime()) {
                    if (closed || (left <= 0 && waiting.isEmpty())) {
                        boats--;
                        return List.of();
                    }
                    // Where nobody is under way, nobody will wait soon.
                    var sleeps = waiting.isEmpty() && underWay == 0;
                    var nanos = sleeps ? left : GATHERING_MAX.toNanos();
                    asleep += sleeps ? 1 : 0;
                    try {
                        left += arrived.awaitNanos(nanos) - nanos;
                    } finally {
                        asleep -= sleeps ? 1 : 0;
                    }
                }
            } catch (InterruptedException _) {
                boats--;
                return List.of();
            } finally {
                idle--;
            }
            var group = group();
            underWay += group.size();
            departed = System.nanoTime();
            if (!waiting.isEmpty()) {
                summon();
            }
            return group;
        } finally {
            mutex.unlock();
        }
    }

    /// The first who waits and all of its kind, as many as may; no session twice.
    private Collection<Passage> group() {
        var kind = waiting.getFirst().kind();
        var bytes = 0L;
        var group = new LinkedHashMap<UUID, Passage>();
        for (var each = waiting.iterator(); each.hasNext() && group.size() < ABOARD_MAX; ) {
            var passage = each.next();
            var append = passage.append();
            var fits = group.isEmpty() || bytes + append.bytes() <= BYTES_MAX;
            if (fits && passage.kind().equals(kind) && group.putIfAbsent(append.session(), passage) == null) {
                each.remove();
                bytes += append.bytes();
            }
        }
        return group.values();
    }

    private static IllegalStateException closed() {
        return new IllegalStateException("this store was closed");
    }

    /// Ends the waiting of all. Who is under way arrives, unless that takes long; then it is told by the database.
    @Override
    public void close() {
        var left = new ArrayList<Passage>();
        mutex.lock();
        try {
            closed = true;
            left.addAll(waiting);
            waiting.clear();
            arrived.signalAll();
        } finally {
            mutex.unlock();
        }
        end(left, new End.Failed(closed()));
        awaitAllBack();
    }

    private void awaitAllBack() {
        var left = CLOSING_MAX.toNanos();
        mutex.lock();
        try {
            while (underWay > 0 && left > 0) {
                left = allBack.awaitNanos(left);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        } finally {
            mutex.unlock();
        }
    }
}
