package dev.skein.session;

import dev.skein.message.MessageId;
import java.time.Clock;
import java.util.UUID;
import java.util.random.RandomGenerator;

/// Invents ids: UUIDs of version 7, which sort by birth. Same clock, same seed: same ids.
///
/// Safe for use by many threads if the generator is.
public final class Ids {

    private final Clock clock;
    private final RandomGenerator random;

    /// Give a `SecureRandom` wherever an id must not be guessed.
    public Ids(Clock clock, RandomGenerator random) {
        this.clock = clock;
        this.random = random;
    }

    public SessionId session() {
        return new SessionId(uuid());
    }

    public LoopId loop() {
        return new LoopId(uuid().toString());
    }

    public MessageId message() {
        return new MessageId(uuid().toString());
    }

    /// Names a request to the engine, in logs and live events.
    public String request() {
        return uuid().toString();
    }

    private UUID uuid() {
        var millis = clock.millis();
        var high = (millis << 16) | 0x7000L | (random.nextInt() & 0x0FFFL);
        var low = (random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }
}
