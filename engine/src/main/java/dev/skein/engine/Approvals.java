package dev.skein.engine;

import dev.skein.message.ToolCallId;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopPointer;
import dev.skein.session.SessionState;
import dev.skein.store.SessionHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Which tool calls of a session wait for a person.
public final class Approvals {

    private Approvals() {}

    /// A call that waits, with what it would do.
    public record Waiting(
            ToolCallId call,
            String name,
            JsonNode args,
            @Nullable String reason) {}

    public static List<Waiting> waiting(SessionHandle session) {
        return waiting(session, session.state());
    }

    static List<Waiting> waiting(SessionHandle session, SessionState state) {
        return state.open().stream()
                .filter(loop -> !loop.waitingFor().isEmpty())
                .flatMap(loop -> session.loop(new LoopPointer(loop.loop(), loop.seq())).stream()
                        .flatMap(record -> record.events().stream())
                        .filter(entry -> entry.event() instanceof LoopEvent.ApprovalRequested asked
                                && loop.waitingFor().contains(asked.call()))
                        .map(entry -> (LoopEvent.ApprovalRequested) entry.event())
                        .map(asked -> new Waiting(asked.call(), asked.name(), asked.args(), asked.reason())))
                .toList();
    }
}
