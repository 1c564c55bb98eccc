package dev.skein.live;

import dev.skein.session.OwnNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// A passage that an answer was given to answer from. The answer cites it by its number, like `[1]`.
///
/// @param source the file or address it is from
/// @param place where in the source; null if there is nothing to say
public record Citation(int number, String source, @Nullable String place) {

    /// Those that a loop's metadata keeps, in their order.
    public static List<Citation> of(Map<String, JsonNode> metadata) {
        var citations = new ArrayList<Citation>();
        var kept = metadata.get(OwnNames.PASSAGES);
        if (kept != null) {
            for (var passage : kept.path("passages")) {
                citations.add(new Citation(
                        citations.size() + 1,
                        passage.path("source").asString(""),
                        passage.path("place").isString() ? passage.path("place").stringValue() : null));
            }
        }
        return List.copyOf(citations);
    }
}
