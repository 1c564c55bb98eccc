package dev.skein.session;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// Where a session's content came from when it was not made here.
public record Origin(
        String tool, @Nullable String source, @Nullable Instant importedAt) {
    public Origin {
        requireNonNull(tool, "tool");
    }
}
