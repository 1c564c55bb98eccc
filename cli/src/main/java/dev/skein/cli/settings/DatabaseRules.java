package dev.skein.cli.settings;

import java.time.Duration;

/// How a program behaves that shares a database with others.
///
/// @param lease how long a program that was not heard of keeps its turn
/// @param connections at most, to the database
public record DatabaseRules(Duration lease, int connections) {

    static DatabaseRules read(SettingsFile section) {
        var rules = new DatabaseRules(
                Duration.ofSeconds(section.whole("lease_seconds", 1, 3_600).orElse(15)),
                section.whole("connections", 2, 1_000).orElse(10));
        section.finish();
        return rules;
    }
}
