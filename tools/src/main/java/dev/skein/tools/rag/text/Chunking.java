package dev.skein.tools.rag.text;

/// How long chunks are.
///
/// The local embedding model reads about 512 tokens, which 300 English words always fit in; and the shorter a chunk,
/// the more its vector says about each sentence of it.
///
/// @param wordsMax a chunk has no more words than this
/// @param overlap how many words of a chunk the next one repeats, where a text had to be cut
public record Chunking(int wordsMax, int overlap) {

    public static final Chunking STANDARD = new Chunking(180, 30);

    /// Text without spaces counts too.
    private static final int CHARS_PER_WORD = 10;

    public Chunking {
        if (wordsMax < 20 || wordsMax > 300 || overlap < 0 || overlap > wordsMax / 2) {
            throw new IllegalArgumentException("chunks of " + wordsMax + " words with " + overlap + " repeated");
        }
    }

    int charsMax() {
        return wordsMax * CHARS_PER_WORD;
    }

    /// Shorter ones are filled up, even across a heading.
    int wordsMin() {
        return wordsMax / 4;
    }
}
