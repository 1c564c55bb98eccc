package dev.skein.tool;

/// What a person should know before a tool is run.
///
/// @param words for the person who decides
public record Caution(Weight weight, String words) {

    /// How much it counts.
    public enum Weight {
        /// Said if a person is asked anyway.
        SAID,
        /// A person is asked, even if a rule allows the call.
        ASKS
    }
}
