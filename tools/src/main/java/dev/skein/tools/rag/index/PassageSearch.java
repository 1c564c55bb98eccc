package dev.skein.tools.rag.index;

import dev.skein.retrieval.Passage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.QueryVisitor;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.QueryBuilder;

/// An index as it was when it was opened, whatever happens to it afterwards. Safe for use by many threads.
///
/// Both halves judge by themselves: by words (BM25) and by meaning (nearest vectors). To be added, what they say is
/// brought to the same scale first; see [Fusion].
public final class PassageSearch implements AutoCloseable {

    private static final int CANDIDATES = 40;

    private final FSDirectory directory;
    private final DirectoryReader reader;
    private final IndexSearcher searcher;

    private PassageSearch(FSDirectory directory, DirectoryReader reader) {
        this.directory = directory;
        this.reader = reader;
        this.searcher = new IndexSearcher(reader);
    }

    public static PassageSearch open(Path path) throws IOException {
        Objects.requireNonNull(Fields.QUIET);
        var directory = FSDirectory.open(path);
        try {
            return new PassageSearch(directory, DirectoryReader.open(directory));
        } catch (IOException | RuntimeException e) {
            directory.close();
            throw e;
        }
    }

    /// How passages are looked for.
    public enum By {
        WORDS,
        MEANING,
        BOTH
    }

    /// A passage and how well it fits. Scores of one search can be compared, others cannot.
    public record Hit(Passage passage, double score) {}

    public int size() {
        return reader.numDocs();
    }

    public List<Hit> find(String question, float[] vector, int max, By by) throws IOException {
        if (size() == 0) {
            return List.of();
        }
        var depth = Math.max(CANDIDATES, max);
        var words = words(question);
        var scores = new Fusion();
        switch (by) {
            case WORDS -> scores.add(search(words, depth));
            case MEANING -> scores.add(meaning(vector, depth));
            case BOTH -> {
                scores.addMeaning(meaning(vector, depth));
                scores.addWords(search(words, depth), information(words));
            }
        }
        var hits = new ArrayList<Hit>();
        for (var entry : scores.best(max)) {
            hits.add(new Hit(passage(document(entry.getKey())), entry.getValue()));
        }
        return hits;
    }

    private ScoreDoc[] meaning(float[] vector, int depth) throws IOException {
        return search(new KnnFloatVectorQuery(Fields.VECTOR, vector, depth), depth);
    }

    /// Passages with any of the words; none if the question has only common ones.
    private static Query words(String question) {
        var query = new QueryBuilder(Fields.QUESTION_ANALYZER).createBooleanQuery(Fields.WORDS, question);
        return query == null ? MatchNoDocsQuery.INSTANCE : query;
    }

    /// How much the words of the question say, as BM25 counts it: the rarer, the more. One that is nowhere says most.
    private double information(Query words) throws IOException {
        var terms = new ArrayList<Term>();
        words.visit(new QueryVisitor() {
            @Override
            public void consumeTerms(Query query, Term... found) {
                terms.addAll(List.of(found));
            }
        });
        double sum = 0;
        for (var term : terms) {
            var has = reader.docFreq(term);
            sum += Math.log(1 + (size() - has + 0.5) / (has + 0.5));
        }
        return sum;
    }

    private ScoreDoc[] search(Query query, int depth) throws IOException {
        return searcher.search(query, depth).scoreDocs;
    }

    /// The passages with these ids, in this order, as far as they are there.
    public List<Passage> recall(List<String> ids) throws IOException {
        var passages = new ArrayList<Passage>();
        for (var id : ids) {
            var found = searcher.search(new TermQuery(new Term(Fields.ID, id)), 1).scoreDocs;
            if (found.length > 0) {
                passages.add(passage(document(found[0].doc)));
            }
        }
        return passages;
    }

    private Document document(int number) throws IOException {
        return searcher.storedFields().document(number);
    }

    private static Passage passage(Document document) {
        return new Passage(
                document.get(Fields.ID),
                document.get(Fields.SOURCE),
                document.get(Fields.PLACE),
                document.get(Fields.TEXT));
    }

    @Override
    public void close() throws IOException {
        try (directory) {
            reader.close();
        }
    }
}
