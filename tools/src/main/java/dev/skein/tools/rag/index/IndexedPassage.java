package dev.skein.tools.rag.index;

import dev.skein.retrieval.Passage;

/// A passage on its way into the index.
///
/// @param words what is searched for words: its headings and its text
@SuppressWarnings("ArrayRecordComponent") // Never compared.
public record IndexedPassage(Passage passage, String words, float[] vector) {}
