package dev.skein.store.file;

import dev.skein.session.SessionState;

/// A session's state, the place in its journal where that holds, and how many gaps the journal has before it.
record Snapshot(SessionState state, Position position, int gaps) {}
