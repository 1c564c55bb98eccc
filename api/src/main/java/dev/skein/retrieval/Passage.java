package dev.skein.retrieval;

import org.jspecify.annotations.Nullable;

/// A piece of a document, short enough to be shown to a model.
///
/// @param id the same as long as the piece is the same
/// @param source the file or URL it is from
/// @param place where in the source: heading, lines or page; null if there is nothing to say
public record Passage(String id, String source, @Nullable String place, String text) {

    /// How it is cited.
    public String cited() {
        return place == null ? source : source + ", " + place;
    }
}
