package dev.skein.engine;

import dev.skein.store.SessionHandle;

/// Lets agents have others work for them.
public interface Spawning {

    /// Nobody works for anybody.
    Spawning NONE = (_, _, settings, _) -> settings;

    /// These settings, with what the session's agent needs for that.
    RunSettings equipped(AppState app, SessionHandle session, RunSettings settings, RunOptions options);
}
