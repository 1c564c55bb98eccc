package dev.skein.tools.rag.index;

import dev.skein.retrieval.Passage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.QueryBuilder;

/// An index as it was when it was opened, whatever happens to it afterwards. Safe for use by many threads.
///
/// Both halves rank their candidates by themselves: by words (BM25) and by meaning (nearest vectors). Scores of the two
/// cannot be compared, so ranks are: a passage gets `1 / (60 + rank)` from each half that found it.
public final class PassageSearch implements AutoCloseable {

    private static final int CANDIDATES = 40;
    private static final int RANK_DAMPING = 60;

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
        if (by != By.MEANING) {
            var words = words(question);
            if (words.isPresent()) {
                rank(searcher.search(words.get(), depth), ranked);
            }
        }
        if (by != By.WORDS) {
            rank(searcher.search(new KnnFloatVectorQuery(Fields.VECTOR, vector, depth), depth), ranked);
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

    private static void rank(TopDocs found, Map<Integer, Double> ranked) {
        int rank = 1;
        for (var doc : found.scoreDocs) {
            ranked.merge(doc.doc, 1.0 / (RANK_DAMPING + rank++), Double::sum);
        }
    }

    /// Any of the words; none if the question has nothing but common ones.
    private static Optional<Query> words(String question) {
        return Optional.ofNullable(new QueryBuilder(Fields.ANALYZER).createBooleanQuery(Fields.WORDS, question));
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
