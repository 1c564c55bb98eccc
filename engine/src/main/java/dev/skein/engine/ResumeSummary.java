package dev.skein.engine;

import dev.skein.message.Excerpt;
import dev.skein.message.Message;
import dev.skein.message.Role;
import dev.skein.session.LoopStatus;
import dev.skein.session.SessionState;
import dev.skein.session.SessionStatus;
import dev.skein.store.SessionHandle;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a person gets to see when a session is taken up again. The model never does: it sees the session itself.
///
/// @param unfinished why the last run did not come to its end, if it did not
/// @param waiting the names of the tool calls that wait for a person's decision
public record ResumeSummary(
        String name,
        long messages,
        Instant lastActivityAt,
        @Nullable String model,
        @Nullable String firstPrompt,
        List<Line> lastWords,
        @Nullable String unfinished,
        List<String> waiting) {

    private static final int LINES = 4;
    private static final int LENGTH_MAX = 300;

    /// Who said what, cut to a line.
    public record Line(Role role, String text) {}

    public static ResumeSummary of(SessionHandle session) {
        var state = session.state();
        return new ResumeSummary(
                state.alias() == null ? state.id().toString() : state.alias().text(),
                state.totals().messages(),
                state.lastActivityAt(),
                state.lastConfig() == null ? null : state.lastConfig().model(),
                state.firstMessage(),
                lastWords(session.context(LINES * 3).messages()),
                unfinished(session, state),
                waiting(session, state));
    }

    private static List<Line> lastWords(List<Message> messages) {
        var lines = new ArrayList<Line>();
        for (var message : messages.reversed()) {
            if (lines.size() < LINES
                    && message.role() != Role.TOOL
                    && !message.text().isBlank()) {
                lines.addFirst(new Line(message.role(), Excerpt.line(message.text(), LENGTH_MAX)));
            }
        }
        return lines;
    }

    private static @Nullable String unfinished(SessionHandle session, SessionState state) {
        if (state.status() == SessionStatus.IDLE || state.head() == null) {
            return null;
        }
        return session.loop(state.head())
                .filter(loop -> loop.status() != LoopStatus.WAITING && loop.status() != LoopStatus.COMPLETED)
                .map(_ -> "the last answer was not finished; continue takes it up where it stopped")
                .orElse(null);
    }

    private static List<String> waiting(SessionHandle session, SessionState state) {
        return Approvals.waiting(session, state).stream()
                .map(Approvals.Waiting::name)
                .toList();
    }
}
