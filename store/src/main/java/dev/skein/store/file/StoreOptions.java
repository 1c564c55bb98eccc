package dev.skein.store.file;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.random.RandomGenerator;

/// How a file store behaves. Start from [#standard] and change what differs.
///
/// `trashGrace` is how long a purged session can be restored.
public record StoreOptions(
        Clock clock, RandomGenerator random, Durability durability, Duration trashGrace, Retention.Rules retention) {

    /// Made for the first id: whoever only reads need not wait for it.
    private static final class Unguessable {
        static final SecureRandom RANDOM = new SecureRandom();
    }

    public static StoreOptions standard() {
        return new StoreOptions(
                Clock.systemUTC(),
                () -> Unguessable.RANDOM.nextLong(),
                Durability.ALWAYS,
                Duration.ofDays(7),
                Retention.Rules.standard());
    }

    public StoreOptions withClock(Clock newClock) {
        return new StoreOptions(newClock, random, durability, trashGrace, retention);
    }

    public StoreOptions withRandom(RandomGenerator newRandom) {
        return new StoreOptions(clock, newRandom, durability, trashGrace, retention);
    }

    public StoreOptions withDurability(Durability newDurability) {
        return new StoreOptions(clock, random, newDurability, trashGrace, retention);
    }

    public StoreOptions withRetention(Retention.Rules newRetention) {
        return new StoreOptions(clock, random, durability, trashGrace, newRetention);
    }
}
