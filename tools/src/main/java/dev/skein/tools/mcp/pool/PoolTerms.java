package dev.skein.tools.mcp.pool;

import java.time.Duration;

/// How long servers are kept.
///
/// @param idle how long one that nobody uses is kept, unless it is configured otherwise; zero for not at all
/// @param idleMax how many of these are kept; those that were used last stay
/// @param reapEvery how often idle ones are looked at
/// @param health how long an idle one may take to show that it is well
/// @param drain how long those in use may go on when all ends
public record PoolTerms(Duration idle, int idleMax, Duration reapEvery, Duration health, Duration drain) {

    /// For one person: what is not used ends at once.
    public static PoolTerms forOne() {
        return new PoolTerms(Duration.ZERO, 50, Duration.ofSeconds(30), Duration.ofSeconds(5), Duration.ofSeconds(2));
    }

    /// For a service: what was used a moment ago will be used again.
    public static PoolTerms forMany() {
        return new PoolTerms(
                Duration.ofMinutes(5), 50, Duration.ofSeconds(30), Duration.ofSeconds(5), Duration.ofSeconds(10));
    }
}
