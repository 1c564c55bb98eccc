package dev.skein.tools.rag.index;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.codecs.KnnVectorsFormat;
import org.apache.lucene.codecs.KnnVectorsReader;
import org.apache.lucene.codecs.KnnVectorsWriter;
import org.apache.lucene.codecs.lucene104.Lucene104Codec;
import org.apache.lucene.codecs.lucene99.Lucene99HnswVectorsFormat;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SegmentReadState;
import org.apache.lucene.index.SegmentWriteState;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/// Changes an index. Nothing counts before [#commit]; closing without it takes everything back. For one thread.
public final class PassageWriter implements AutoCloseable {

    private final Directory directory;
    private final IndexWriter writer;

    private PassageWriter(Directory directory, IndexWriter writer) {
        this.directory = directory;
        this.writer = writer;
    }

    /// Opens the index in this directory, or makes one.
    public static PassageWriter in(Path path) throws IOException {
        var directory = FSDirectory.open(path);
        try {
            var config = new IndexWriterConfig(Fields.ANALYZER)
                    .setCodec(new WideVectors())
                    .setCommitOnClose(false);
            return new PassageWriter(directory, new IndexWriter(directory, config));
        } catch (IOException | RuntimeException e) {
            directory.close();
            throw e;
        }
    }

    /// Takes all passages of a document out.
    public void remove(String source) throws IOException {
        writer.deleteDocuments(new Term(Fields.SOURCE, source));
    }

    /// Adds the passages of a document, after taking out those that were there.
    public void replace(String source, List<IndexedPassage> passages) throws IOException {
        remove(source);
        for (var passage : passages) {
            writer.addDocument(document(passage));
        }
    }

    public void commit() throws IOException {
        writer.commit();
    }

    private static Document document(IndexedPassage indexed) {
        var passage = indexed.passage();
        var document = new Document();
        document.add(new StringField(Fields.ID, passage.id(), Field.Store.YES));
        document.add(new StringField(Fields.SOURCE, passage.source(), Field.Store.YES));
        if (passage.place() != null) {
            document.add(new StoredField(Fields.PLACE, passage.place()));
        }
        document.add(new StoredField(Fields.TEXT, passage.text()));
        document.add(new TextField(Fields.WORDS, indexed.words(), Field.Store.NO));
        document.add(new KnnFloatVectorField(Fields.VECTOR, indexed.vector(), VectorSimilarityFunction.DOT_PRODUCT));
        return document;
    }

    @Override
    public void close() throws IOException {
        try (directory) {
            writer.rollback();
        }
    }

    /// The usual format, with room for the vectors of providers, which are larger than it allows by itself.
    private static final class WideVectors extends Lucene104Codec {

        private static final int DIMENSIONS_MAX = 4096;

        private final KnnVectorsFormat format = new Wide(new Lucene99HnswVectorsFormat());

        @Override
        public KnnVectorsFormat getKnnVectorsFormatForField(String field) {
            return format;
        }

        private static final class Wide extends KnnVectorsFormat {

            private final KnnVectorsFormat usual;

            Wide(KnnVectorsFormat usual) {
                super(usual.getName());
                this.usual = usual;
            }

            @Override
            public KnnVectorsWriter fieldsWriter(SegmentWriteState state) throws IOException {
                return usual.fieldsWriter(state);
            }

            @Override
            public KnnVectorsReader fieldsReader(SegmentReadState state) throws IOException {
                return usual.fieldsReader(state);
            }

            @Override
            public int getMaxDimensions(String field) {
                return DIMENSIONS_MAX;
            }
        }
    }
}
