package dev.skein.session;

import dev.skein.message.Cost;
import dev.skein.message.Message;
import dev.skein.message.Usage;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One model call with the tool calls it asked for, complete.
public record Turn(
        TurnId id,
        Trigger trigger,
        Instant startedAt,
        Instant endedAt,
        List<Message> input,
        @Nullable Message output,
        List<Message> toolResults,
        Usage usage,
        Cost cost) {

    public Turn {
        input = List.copyOf(input);
        toolResults = List.copyOf(toolResults);
    }
}
