package dev.skein.server.auth;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Whose tokens count.
///
/// @param keys where the issuer publishes its keys (JWKS)
/// @param skew by how much clocks may differ
/// @param cached how long published keys are used without asking again
/// @param outage how much longer, if nobody answers
/// @param between the least time between two questions
public record JwtSettings(
        String issuer, String audience, URI keys, Duration skew, Duration cached, Duration outage, Duration between) {

    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    public static JwtSettings of(String issuer, String audience, URI keys) {
        return new JwtSettings(
                issuer,
                audience,
                keys,
                Duration.ofSeconds(30),
                Duration.ofMinutes(5),
                Duration.ofHours(4),
                Duration.ofSeconds(30));
    }

    /// What is wrong with them.
    public List<String> problems() {
        var problems = new ArrayList<String>();
        if (issuer.isBlank()) {
            problems.add("server.jwt.issuer: must be what tokens have as 'iss'");
        }
        if (audience.isBlank()) {
            problems.add("server.jwt.audience: must be what tokens have as 'aud'; without it tokens for others count");
        }
        var host = keys.getHost() == null ? "" : keys.getHost();
        if (!"https".equals(keys.getScheme()) && !("http".equals(keys.getScheme()) && LOOPBACK.contains(host))) {
            problems.add("server.jwt.jwks: must be an https address, not '" + keys + "'");
        }
        return problems;
    }
}
