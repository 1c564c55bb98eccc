package dev.skein.session;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.jspecify.annotations.Nullable;

/// Why a session came into being.
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Formation.Explicit.class, name = "explicit"),
    @JsonSubTypes.Type(value = Formation.FirstLoop.class, name = "first_loop"),
    @JsonSubTypes.Type(value = Formation.InactivityTimeout.class, name = "inactivity_timeout")
})
public sealed interface Formation {

    /// Somebody asked for it.
    record Explicit() implements Formation {}

    /// Its first loop arrived.
    record FirstLoop() implements Formation {}

    /// The one before had been idle for longer than the threshold.
    record InactivityTimeout(
            long thresholdSeconds, @Nullable SessionId previous) implements Formation {}
}
