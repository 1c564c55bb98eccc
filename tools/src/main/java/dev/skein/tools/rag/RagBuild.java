package dev.skein.tools.rag;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.skein.cancellation.Cancellation;
import dev.skein.failure.InvalidRequest;
import dev.skein.retrieval.Passage;
import dev.skein.tools.rag.embedding.Embedder;
import dev.skein.tools.rag.index.IndexedPassage;
import dev.skein.tools.rag.index.PassageWriter;
import dev.skein.tools.rag.source.Origin;
import dev.skein.tools.rag.source.Problem;
import dev.skein.tools.rag.source.Sources;
import dev.skein.tools.rag.text.Chunk;
import dev.skein.tools.rag.text.Chunker;
import dev.skein.tools.rag.text.Reading;
import dev.skein.tools.rag.text.TextReader;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Brings a collection up to date: reads what is new or changed, keeps what is not, takes out what is gone.
///
/// A document that is there but cannot be read now, or lies in a directory that cannot, keeps the passages it had.
/// Nothing counts before everything is
/// done; whoever cancels finds the collection as it was. Used once, by one thread, by whoever holds the folder's lock.
final class RagBuild {

    /// A file changed so shortly before it was read may have changed again within the same tick of its clock.
    private static final long CLOCK_TICK_MILLIS = 2_000;

    private static final int PASSAGES_MAX = 300_000;
    private static final String KEPT = "; what was read before is kept";

    private final RagFolder folder;
    private final Manifest wanted;
    private final @Nullable Manifest before;
    private final Embedder embedder;
    private final OriginReader reader;
    private final Cancellation cancellation;
    private final Map<String, Manifest.Fingerprint> documents = new TreeMap<>();
    private final List<Problem> problems = new ArrayList<>();
    private int added;
    private int changed;
    private int unchanged;
    private int passages;

    /// @param wanted what is to be built, with no documents yet
    /// @param before what the current generation was made of, if its passages can be kept
    RagBuild(
            RagFolder folder,
            Manifest wanted,
            @Nullable Manifest before,
            Embedder embedder,
            OriginReader reader,
            Cancellation cancellation) {
        this.folder = folder;
        this.wanted = wanted;
        this.before = before;
        this.embedder = embedder;
        this.reader = reader;
        this.cancellation = cancellation;
    }

    BuildReport run(Path excluded, @Nullable Path basis, Progress progress) throws IOException {
        var found = Sources.find(wanted.sources(), excluded, cancellation);
        for (var problem : found.problems()) {
            var isKept = before != null && found.isUnreadable(problem.source());
            problems.add(isKept ? new Problem(problem.source(), problem.reason() + KEPT) : problem);
        }
        var stage = folder.stage(before == null ? null : basis);
        int removed = 0;
        try (var writer = PassageWriter.in(RagFolder.index(stage))) {
            int done = 0;
            for (var origin : found.origins().values()) {
                cancellation.check();
                progress.at(done++, found.origins().size(), origin.name());
                document(origin, writer);
            }
            progress.at(done, found.origins().size(), "");
            for (var known : earlier().entrySet()) {
                var name = known.getKey();
                if (found.isUnreadable(name)) {
                    keep(name, known.getValue());
                } else if (!documents.containsKey(name)) {
                    writer.remove(name);
                    removed++;
                }
            }
            cancellation.check();
            writer.commit();
        }
        folder.publish(
                stage,
                new Manifest(
                        Manifest.FORMAT,
                        wanted.embedding(),
                        wanted.chunking(),
                        wanted.sources(),
                        wanted.builtAt(),
                        documents));
        return new BuildReport(added, changed, removed, unchanged, passages, problems);
    }

    private Map<String, Manifest.Fingerprint> earlier() {
        return before == null ? Map.of() : before.documents();
    }

    private void document(Origin origin, PassageWriter writer) throws IOException {
        var known = earlier().get(origin.name());
        if (known != null && isUntouched(origin, known)) {
            keep(origin.name(), known);
            return;
        }
        byte[] bytes;
        Reading reading;
        String hash;
        try {
            var raw = reader.read(origin, cancellation);
            bytes = raw.bytes();
            hash = sha256(bytes);
            if (known != null && known.sha256().equals(hash)) {
                keep(origin.name(), fingerprint(origin, bytes.length, hash, known.passages()));
                return;
            }
            reading = TextReader.read(raw, cancellation);
        } catch (IOException e) {
            problems.add(new Problem(origin.name(), reason(e, known)));
            if (known != null) {
                keep(origin.name(), known);
            }
            return;
        }
        switch (reading) {
            case Reading.Refused(var reason) -> problems.add(new Problem(origin.name(), reason));
            case Reading.Text(var blocks) -> {
                var chunks = Chunker.chunks(blocks, wanted.chunking());
                count(chunks.size());
                writer.replace(origin.name(), indexed(origin.name(), chunks));
                documents.put(origin.name(), fingerprint(origin, bytes.length, hash, chunks.size()));
                if (known == null) {
                    added++;
                } else {
                    changed++;
                }
            }
        }
    }

    private boolean isUntouched(Origin origin, Manifest.Fingerprint known) {
        return origin instanceof Origin.LocalFile file
                && before != null
                && file.size() == known.size()
                && file.modified() == known.modified()
                && file.modified() < before.builtAt().toEpochMilli() - CLOCK_TICK_MILLIS;
    }

    private void keep(String name, Manifest.Fingerprint known) {
        count(known.passages());
        documents.put(name, known);
        unchanged++;
    }

    private void count(int more) {
        passages += more;
        if (passages > PASSAGES_MAX) {
            throw new InvalidRequest("these sources make more than " + PASSAGES_MAX
                    + " passages; name fewer of them, or make several rags");
        }
    }

    private List<IndexedPassage> indexed(String source, List<Chunk> chunks) {
        var words = chunks.stream()
                .map(chunk -> chunk.heading().isEmpty() ? chunk.text() : chunk.heading() + "\n\n" + chunk.text())
                .toList();
        var vectors = embedder.embed(words, Embedder.Role.PASSAGE, cancellation);
        var seen = new HashMap<String, Integer>();
        var indexed = new ArrayList<IndexedPassage>(chunks.size());
        for (int i = 0; i < chunks.size(); i++) {
            var chunk = chunks.get(i);
            var same = source + "\n" + chunk.heading() + "\n" + chunk.text();
            var id = sha256((same + "\n" + seen.merge(same, 1, Integer::sum)).getBytes(UTF_8))
                    .substring(0, 16);
            var passage = new Passage(id, source, chunk.place().orElse(null), chunk.text());
            indexed.add(new IndexedPassage(passage, words.get(i), vectors.get(i)));
        }
        return indexed;
    }

    private static Manifest.Fingerprint fingerprint(Origin origin, int size, String hash, int passages) {
        var modified = origin instanceof Origin.LocalFile file ? file.modified() : 0;
        return new Manifest.Fingerprint(size, modified, hash, passages);
    }

    private static String reason(IOException e, Manifest.@Nullable Fingerprint known) {
        var why = OriginReader.reason(e);
        return known == null ? why : why + KEPT;
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
