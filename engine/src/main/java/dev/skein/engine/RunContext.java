package dev.skein.engine;

import dev.skein.cancellation.Cancellation;
import dev.skein.live.Emitter;
import dev.skein.store.SessionHandle;

/// What belongs to one request: the session, the settings, who listens, and how it is stopped.
public record RunContext(
        String requestId, SessionHandle session, RunSettings settings, Emitter emitter, Cancellation cancellation) {}
