package dev.skein.store.jdbc;

import dev.skein.failure.InvalidRequest;
import dev.skein.store.jdbc.sql.Limits;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// How a store on a database behaves. Start from [#standard] and change what differs.
///
/// @param clock what sessions are dated by; leases go by the database's own
/// @param lease how long a program that was not heard of keeps its turn
/// @param heartbeat how often it is heard of
/// @param trashGrace how long a purged session can be restored
/// @param terms how long sessions are kept that nobody uses; chats for 30 days, everything else for ever
/// @param rest how long a session must be left alone before what is derived from it is written
public record JdbcOptions(
        Clock clock,
        RandomGenerator random,
        Duration lease,
        Duration heartbeat,
        Duration trashGrace,
        Duration rest,
        Terms terms,
        Limits limits) {

    /// How long sessions are kept after their last word. Null means for ever.
    ///
    /// @param channelIdleMax those that belong to a chat
    /// @param idleMax all
    /// @param every how often that is looked at, and the trash too
    public record Terms(
            @Nullable Duration channelIdleMax, @Nullable Duration idleMax, Duration every) {}

    public JdbcOptions {
        if (heartbeat.isNegative()
                || heartbeat.isZero()
                || heartbeat.multipliedBy(2).compareTo(lease) > 0) {
            throw new InvalidRequest("a lease of %d ms needs a heartbeat at least twice as often, not every %d ms"
                    .formatted(lease.toMillis(), heartbeat.toMillis()));
        }
    }

    public static JdbcOptions standard() {
        return new JdbcOptions(
                Clock.systemUTC(),
                new SecureRandom(),
                Duration.ofSeconds(15),
                Duration.ofSeconds(5),
                Duration.ofDays(7),
                Duration.ofSeconds(1),
                new Terms(Duration.ofDays(30), null, Duration.ofHours(1)),
                Limits.standard());
    }

    public JdbcOptions withClock(Clock newClock) {
        return new JdbcOptions(newClock, random, lease, heartbeat, trashGrace, rest, terms, limits);
    }

    public JdbcOptions withRandom(RandomGenerator newRandom) {
        return new JdbcOptions(clock, newRandom, lease, heartbeat, trashGrace, rest, terms, limits);
    }

    public JdbcOptions withLease(Duration newLease, Duration newHeartbeat) {
        return new JdbcOptions(clock, random, newLease, newHeartbeat, trashGrace, rest, terms, limits);
    }

    public JdbcOptions withTrashGrace(Duration newGrace) {
        return new JdbcOptions(clock, random, lease, heartbeat, newGrace, rest, terms, limits);
    }

    public JdbcOptions withRest(Duration newRest) {
        return new JdbcOptions(clock, random, lease, heartbeat, trashGrace, newRest, terms, limits);
    }

    public JdbcOptions withLimits(Limits newLimits) {
        return new JdbcOptions(clock, random, lease, heartbeat, trashGrace, rest, terms, newLimits);
    }

    public JdbcOptions withTerms(Terms newTerms) {
        return new JdbcOptions(clock, random, lease, heartbeat, trashGrace, rest, newTerms, limits);
    }
}
