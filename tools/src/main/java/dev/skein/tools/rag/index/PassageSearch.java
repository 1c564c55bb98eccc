package dev.skein.tools.rag.index;

import dev.skein.retrieval.Passage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.QueryBuilder;

/// An index as it was when it was opened, whatever happens to it afterwards. Safe for use by many threads.
///
/// Both halves rank their candidates by themselves: by words (BM25) and by meaning (nearest vectors). Scores of the two
/// cannot be compared, so ranks are: a passage gets `weight / (5 + rank)` from each half that found it. Meaning weighs
/// 1. Passages with at least half of the question's words weigh 0.3, since people rarely use the words of the answer;
/// those with all of them weigh as much as meaning does, so that names and numbers are found whatever they mean.
public final class PassageSearch implements AutoCloseable {

    private static final int CANDIDATES = 20;
    private static final int RANK_DAMPING = 5;
    private static final float HALF = 0.5f;
    private static final float ALL = 1;
    private static final double HALF_WEIGHT = 0.3;
    private static final double ALL_WEIGHT = 0.7;

    private static final ScoreDoc[] NOTHING = {};

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
        var ranked = new LinkedHashMap<Integer, Double>();
        var depth = Math.max(CANDIDATES, max);
        switch (by) {
            case WORDS -> rank(words(question, 0, depth), 1, ranked);
            case MEANING -> rank(meaning(vector, depth), 1, ranked);
            case BOTH -> {
                rank(meaning(vector, depth), 1, ranked);
                rank(words(question, HALF, depth), HALF_WEIGHT, ranked);
                rank(words(question, ALL, depth), ALL_WEIGHT, ranked);
            }
        }
        var hits = new ArrayList<Hit>();
        var best = ranked.entrySet().stream()
                .sorted(Map.Entry.<Integer, Double>comparingByValue().reversed())
                .limit(max)
                .toList();
        for (var entry : best) {
            hits.add(new Hit(passage(document(entry.getKey())), entry.getValue()));
        }
        return hits;
    }

    private static void rank(ScoreDoc[] found, double weight, Map<Integer, Double> ranked) {
        int rank = 1;
        for (var doc : found) {
            ranked.merge(doc.doc, weight / (RANK_DAMPING + rank++), Double::sum);
        }
    }

    private ScoreDoc[] meaning(float[] vector, int depth) throws IOException {
        return searcher.search(new KnnFloatVectorQuery(Fields.VECTOR, vector, depth), depth).scoreDocs;
    }

    /// Passages with at least this share of the words, or any of them. None if the question has only common ones.
    private ScoreDoc[] words(String question, float share, int depth) throws IOException {
        var builder = new QueryBuilder(Fields.QUESTION_ANALYZER);
        var query = share == 0
                ? builder.createBooleanQuery(Fields.WORDS, question)
                : builder.createMinShouldMatchQuery(Fields.WORDS, question, share);
        return query == null ? NOTHING : searcher.search(query, depth).scoreDocs;
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
