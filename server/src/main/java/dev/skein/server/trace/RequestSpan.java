package dev.skein.server.trace;

import dev.skein.engine.Hooks;
import dev.skein.model.ModelName;
import org.jspecify.annotations.Nullable;

/// One request, seen from outside. Closed when it is answered.
public interface RequestSpan extends AutoCloseable {

    /// One that notes nothing.
    RequestSpan NONE = new RequestSpan() {
        @Override
        public void answered(int status) {}

        @Override
        public Hooks hooks(@Nullable ModelName model, @Nullable String session) {
            return Hooks.NONE;
        }

        @Override
        public void close() {}
    };

    void answered(int status);

    /// Note the model calls and tools of a run within this request.
    Hooks hooks(@Nullable ModelName model, @Nullable String session);

    @Override
    void close();
}
