package dev.skein.engine;

import org.jspecify.annotations.Nullable;

/// What the place where agents work has to say to each of them, whoever they are and whoever has them work.
@FunctionalInterface
public interface Workplace {

    /// A place that has nothing to say.
    Workplace SILENT = system -> system;

    /// What a model is told, and behind it what the place says as of now.
    @Nullable
    String behind(@Nullable String system);
}
