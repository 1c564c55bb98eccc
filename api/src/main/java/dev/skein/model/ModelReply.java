package dev.skein.model;

import dev.skein.message.Cost;
import dev.skein.message.Part;
import dev.skein.message.Usage;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A complete reply.
public record ModelReply(
        List<Part> parts,
        StopReason stopReason,
        Usage usage,
        @Nullable Cost cost) {

    public ModelReply {
        parts = List.copyOf(parts);
    }

    /// Why a model stopped speaking.
    public enum StopReason {
        STOP,
        LENGTH,
        TOOL_USE,
        FILTERED;

        /// The name on the wire, in lower case.
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
