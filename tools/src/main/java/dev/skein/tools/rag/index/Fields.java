package dev.skein.tools.rag.index;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.lucene.analysis.Analyzer;
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

    /// It would recommend a flag of the virtual machine on standard error. Kept here because loggers can be collected.
    static final Logger QUIET = Logger.getLogger("org.apache.lucene.internal.vectorization.VectorizationProvider");

    static {
        QUIET.setLevel(Level.SEVERE);
    }

    private Fields() {}
}
