package dev.skein.tools.rag.index;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharArraySet;
import org.apache.lucene.analysis.en.EnglishAnalyzer;

/// How a passage is kept in the index.
final class Fields {

    static final String ID = "id";
    static final String SOURCE = "source";
    static final String PLACE = "place";
    static final String TEXT = "text";
    /// Heading and text, as they are searched.
    static final String WORDS = "words";

    static final String VECTOR = "vector";

    /// Words are reduced to their stems, and the commonest are left out. Safe for use by many threads.
    static final Analyzer ANALYZER = new EnglishAnalyzer();

    /// In questions, the words that make them questions say nothing about the answer either.
    static final Analyzer QUESTION_ANALYZER = new EnglishAnalyzer(asking());

    private static CharArraySet asking() {
        var words = CharArraySet.copy(EnglishAnalyzer.getDefaultStopSet());
        words.addAll(List.of(
                "what", "which", "who", "whom", "whose", "when", "where", "why", "how", "i", "me", "my", "mine", "we",
                "us", "our", "you", "your", "he", "him", "his", "she", "her", "its", "them", "am", "been", "being",
                "do", "does", "did", "done", "doing", "have", "has", "had", "having", "can", "could", "may", "might",
                "must", "shall", "should", "would", "from", "so", "about", "than", "too", "very", "just", "any", "some",
                "all", "there", "here", "get", "got", "tell", "please", "want", "need", "know", "find"));
        return CharArraySet.unmodifiableSet(words);
    }

    /// It would recommend a flag of the virtual machine on standard error. Kept here because loggers can be collected.
    static final Logger QUIET = Logger.getLogger("org.apache.lucene.internal.vectorization.VectorizationProvider");

    static {
        QUIET.setLevel(Level.SEVERE);
    }

    private Fields() {}
}
