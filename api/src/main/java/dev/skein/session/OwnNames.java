package dev.skein.session;

import dev.skein.failure.InvalidRequest;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/// The names in the metadata of sessions, loops and messages under which Skein keeps what it reads again itself.
/// Everything else there is the user's. What a user says under one of these is refused; what an imported file says
/// under one of them is kept under another name.
public final class OwnNames {

    /// What front ends note about a request, as an object.
    public static final String NOTES = "skein";

    /// To which chat channel a session belongs.
    public static final String CHANNEL = "channel";

    /// Marks a loop for which the conversation was summarised.
    public static final String COMPRESSED = "compressed";

    /// Which passages of documents a loop was shown.
    public static final String PASSAGES = "rag";

    /// Marks a message that stands for others.
    public static final String SUMMARY = "summary";

    /// The list of things to do that such a message took over.
    public static final String PLAN = "todo";

    /// Whose end a message tells.
    public static final String SETTLED = "settled_agents";

    /// Which call told a message.
    public static final String TOLD_BY = "told_by";

    /// Marks a message with which a run went on by itself: the how manieth it was.
    public static final String AUTO_CONTINUE = "auto_continue";

    /// Marks a message with which a model was told that its answer does not fit: the how manieth.
    public static final String OUTPUT_RETRY = "output_retry";

    public static final OwnNames OF_SESSIONS = new OwnNames(Set.of(NOTES, CHANNEL));
    public static final OwnNames OF_LOOPS = new OwnNames(Set.of(NOTES, PASSAGES, COMPRESSED));
    public static final OwnNames OF_MESSAGES =
            new OwnNames(Set.of(SUMMARY, PLAN, SETTLED, TOLD_BY, AUTO_CONTINUE, OUTPUT_RETRY));

    private static final String IMPORTED = "imported_";

    private final Set<String> names;

    private OwnNames(Set<String> names) {
        this.names = names;
    }

    /// Lets only names pass that are not ours.
    ///
    /// @param place what to call the metadata, for who reads the refusal
    /// @throws InvalidRequest if one of them is
    public void refuseIn(Collection<String> given, String place) {
        given.stream().filter(names::contains).findFirst().ifPresent(name -> {
            throw new InvalidRequest(place + " has '" + name
                    + "', a name under which Skein keeps notes of its own; choose another, like 'my_" + name + "'");
        });
    }

    /// What a file of another tool said, with names that mean nothing here.
    public static Map<String, JsonNode> imported(Map<String, JsonNode> said) {
        var renamed = new LinkedHashMap<String, JsonNode>();
        said.forEach((name, value) -> renamed.put(isOurs(name) ? IMPORTED + name : name, value));
        return renamed;
    }

    private static boolean isOurs(String name) {
        return Stream.of(OF_SESSIONS, OF_LOOPS, OF_MESSAGES).anyMatch(own -> own.names.contains(name));
    }
}
