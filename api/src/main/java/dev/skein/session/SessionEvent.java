package dev.skein.session;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.skein.message.Usage;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Something that happened in a session. Named in the past tense, never edited, never removed.
///
/// The events here concern the session as a whole; those of one run of the agent are [LoopEvent]s. On the
/// wire an event's type is its name in snake case, for example `session_opened`.
public sealed interface SessionEvent
        permits LoopEvent,
                SessionEvent.SessionOpened,
                SessionEvent.SessionRenamed,
                SessionEvent.SessionDescribed,
                SessionEvent.SessionConfigured,
                SessionEvent.SessionCleared,
                SessionEvent.HeadMoved,
                SessionEvent.CompactionBlockSet,
                SessionEvent.CompactionBlockRemoved,
                SessionEvent.ParallelStarted,
                SessionEvent.ParallelEnded,
                SessionEvent.Opaque {

    /// When it happened.
    Instant at();

    /// The session began to exist. A fork has a second one, at the place where it leaves its parent.
    record SessionOpened(
            Instant at,
            int format,
            SessionId session,
            String owner,
            @Nullable String agent,
            @Nullable SessionAlias alias,
            @Nullable Boolean autoname,
            Formation formation,
            @Nullable Origin origin,
            @Nullable SpawnRef spawn,
            @Nullable ForkRef fork,
            @Nullable Lifetime lifetime,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, JsonNode> metadata)
            implements SessionEvent {
        public SessionOpened {
            metadata = Collections.unmodifiableMap(new LinkedHashMap<>(requireNonNullElse(metadata, Map.of())));
            formation = requireNonNullElse(formation, new Formation.Explicit());
        }

        public Scope scope() {
            return new Scope(owner, agent);
        }

        /// The same, spawned by a tool call of another session.
        public SessionOpened spawnedBy(SpawnRef by) {
            return with(session, by);
        }

        SessionOpened of(SessionId id) {
            return with(id, spawn);
        }

        private SessionOpened with(SessionId id, @Nullable SpawnRef by) {
            return new SessionOpened(
                    at, format, id, owner, agent, alias, autoname, formation, origin, by, fork, lifetime, metadata);
        }
    }

    /// The session was given another name. Which name finds the session is decided by the store's aliases;
    /// this only remembers that and when it changed.
    record SessionRenamed(Instant at, @Nullable SessionAlias alias, boolean autoname) implements SessionEvent {}

    /// The session was given a description, or an empty one.
    record SessionDescribed(Instant at, String description) implements SessionEvent {}

    /// The session's settings were replaced by these.
    record SessionConfigured(Instant at, SessionSettings settings) implements SessionEvent {}

    /// The conversation was emptied: the next loop starts afresh. What was said stays in the journal.
    record SessionCleared(Instant at) implements SessionEvent {}

    /// The next loop continues from another place; from the very beginning if `head` is null.
    record HeadMoved(
            Instant at,
            @Nullable LoopPointer head,
            @Nullable String reason) implements SessionEvent {}

    /// Part of the conversation is shown to the model as a summary from now on.
    record CompactionBlockSet(Instant at, CompactionBlock block) implements SessionEvent {}

    /// A summary was taken away; the originals are shown again.
    record CompactionBlockRemoved(Instant at, String block) implements SessionEvent {}

    /// Several loops were announced that try the same prompt side by side.
    record ParallelStarted(
            Instant at, List<LoopId> loops, @Nullable LoopPointer parent) implements SessionEvent {
        public ParallelStarted {
            loops = List.copyOf(loops);
        }
    }

    /// One of the parallel loops was chosen; the conversation goes on from it.
    record ParallelEnded(Instant at, List<LoopId> loops, LoopId selected, int selectedIndex, Usage evaluationUsage)
            implements SessionEvent {
        public ParallelEnded {
            loops = List.copyOf(loops);
            evaluationUsage = requireNonNullElse(evaluationUsage, Usage.NONE);
        }
    }

    /// An event of a type this version does not know, or cannot read. Kept as it was.
    record Opaque(Instant at, String type, ObjectNode body) implements SessionEvent {}
}
