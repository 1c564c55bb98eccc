package dev.skein.engine;

import dev.skein.message.Cost;
import dev.skein.message.Message;
import dev.skein.message.Usage;
import dev.skein.session.LoopId;
import dev.skein.session.LoopStatus;
import dev.skein.session.SessionId;
import org.jspecify.annotations.Nullable;

/// Where a run came to rest. `answer` is the last thing the model said in it; `reason` says why it did not complete.
public record RunOutcome(
        SessionId session,
        LoopId loop,
        LoopStatus status,
        @Nullable String reason,
        @Nullable Message answer,
        int turns,
        Usage usage,
        Cost cost) {

    public String text() {
        return answer == null ? "" : answer.text();
    }
}
