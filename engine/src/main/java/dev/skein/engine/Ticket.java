package dev.skein.engine;

import dev.skein.failure.KeyConflict;
import dev.skein.session.LoopRecord;
import dev.skein.session.OwnNames;
import dev.skein.session.SessionState;
import dev.skein.store.SessionHandle;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// What the journal remembers about the request that began a loop.
///
/// With a key, a prompt is run once: whoever asks again with the same key gets to see the loop of the first time. That
/// both asked for the same is told by their digests.
///
/// @param metadata kept with the loop; of the names that are ours only [#OURS] may be in it
public record Ticket(@Nullable String key, Map<String, JsonNode> metadata) {

    /// Where a loop's metadata has what front ends note about the request, as an object.
    public static final String OURS = OwnNames.NOTES;

    /// Where that has the digest of what was asked for.
    public static final String DIGEST = "request_digest";

    public static final Ticket NONE = new Ticket(null, Map.of());

    public Ticket {
        OwnNames.OF_LOOPS.refuseIn(
                metadata.keySet().stream().filter(name -> !name.equals(OURS)).toList(), "the metadata");
        metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
    }

    /// The loop that a request with this key began.
    ///
    /// @throws KeyConflict if that request asked for something else
    Optional<LoopRecord> earlier(SessionHandle session, SessionState state) {
        return key == null ? Optional.empty() : state.seqOfKey(key).map(seq -> loopAt(session, key, seq));
    }

    private LoopRecord loopAt(SessionHandle session, String used, long seq) {
        return LoopStarts.at(session, seq)
                .flatMap(session::loop)
                .filter(loop -> digest(loop.metadata()).equals(digest(metadata)))
                .orElseThrow(() -> new KeyConflict(session.id(), used));
    }

    private static String digest(Map<String, JsonNode> metadata) {
        var ours = metadata.get(OURS);
        return ours == null ? "" : ours.path(DIGEST).asString("");
    }
}
