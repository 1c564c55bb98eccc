package dev.skein.tools.rag.index;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.search.ScoreDoc;

/// Adds up what two ways of searching think of the same passages. Either may say at most 1.
///
/// By meaning the nearest passage has 1 and the last candidate 0: how far apart vectors lie is different with every
/// model, so only what lies between counts. By words a passage has 1 if each word of the question is in it once, by
/// BM25's measure, and else the square of its share: half of the words is a coincidence more often than an answer,
/// while all of them are worth as much as the best meaning. So names and numbers are found whatever they mean, and
/// common words do not push aside what was meant. `docs/rag.md` says how these were chosen.
final class Fusion {

    /// What BM25 gives for a word that a passage of usual length has once, of what it could give at most.
    private static final double ONCE = 1 / 2.2;

    private final Map<Integer, Double> scores = new LinkedHashMap<>();

    /// As they are, for one way alone.
    void add(ScoreDoc[] found) {
        for (var passage : found) {
            scores.merge(passage.doc, (double) passage.score, Double::sum);
        }
    }

    void addMeaning(ScoreDoc[] found) {
        if (found.length == 0) {
            return;
        }
        var best = found[0].score;
        var range = best - found[found.length - 1].score;
        for (var passage : found) {
            scores.merge(passage.doc, range > 0 ? 1.0 - (best - passage.score) / range : 1.0, Double::sum);
        }
    }

    /// @param information how much the words of the question say altogether
    void addWords(ScoreDoc[] found, double information) {
        for (var passage : found) {
            var share = Math.min(1, passage.score / (information * ONCE));
            scores.merge(passage.doc, share * share, Double::sum);
        }
    }

    List<Map.Entry<Integer, Double>> best(int max) {
        return scores.entrySet().stream()
                .sorted(Map.Entry.<Integer, Double>comparingByValue().reversed())
                .limit(max)
                .toList();
    }
}
