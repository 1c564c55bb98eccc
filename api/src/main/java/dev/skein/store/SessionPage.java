package dev.skein.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// One page of a listing. The cursor leads to the next page and is absent on the last. `problems` says, in
/// sentences, what could not be listed and why.
public record SessionPage(
        List<SessionSummary> sessions, @Nullable String nextCursor, List<String> problems) {

    public SessionPage {
        sessions = List.copyOf(sessions);
        problems = List.copyOf(problems);
    }
}
