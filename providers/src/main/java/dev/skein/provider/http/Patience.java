package dev.skein.provider.http;

import java.time.Duration;

/// How long to wait for a provider: until its answer begins, and between two bytes of it.
public record Patience(Duration answer, Duration silence) {

    /// Models on small machines read a long prompt for minutes before the answer begins; once it has begun, two
    /// minutes without a byte mean that the line is dead.
    public static final Patience DEFAULT = new Patience(Duration.ofMinutes(10), Duration.ofMinutes(2));

    public Patience {
        if (!answer.isPositive() || !silence.isPositive()) {
            throw new IllegalArgumentException("patience must be longer than nothing");
        }
    }

    public Patience withSilence(Duration changed) {
        return new Patience(answer, changed);
    }
}
