package dev.skein.store;

import dev.skein.message.Role;
import dev.skein.session.LoopId;
import dev.skein.session.SessionId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A message that was found. The snippet shows the text around the match, which is at `[start, end)` in it.
public record SearchHit(
        SessionId session,
        @Nullable String alias,
        @Nullable String agent,
        LoopId loop,
        long seq,
        Role role,
        Instant at,
        String snippet,
        int start,
        int end) {}
