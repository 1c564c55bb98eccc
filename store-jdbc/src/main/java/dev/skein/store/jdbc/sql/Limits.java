package dev.skein.store.jdbc.sql;

import dev.skein.failure.InvalidRequest;
import java.time.Duration;

/// How many connections there may be, and how long anything may take.
///
/// @param connections in the pool, at most
/// @param connect how long a caller waits for a connection
/// @param statement how long one statement may run
public record Limits(int connections, Duration connect, Duration statement) {

    public Limits {
        if (connections < 2) {
            throw new InvalidRequest("a store needs at least 2 connections, not " + connections);
        }
    }

    public static Limits standard() {
        return new Limits(10, Duration.ofSeconds(10), Duration.ofSeconds(30));
    }
}
