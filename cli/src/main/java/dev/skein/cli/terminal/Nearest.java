package dev.skein.cli.terminal;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/// Guesses what a person meant to type.
public final class Nearest {

    private static final int LENGTH_MAX = 64;

    private Nearest() {}

    /// The candidate that is closest to the word, if one is close enough: a third of its letters may be wrong.
    public static Optional<String> to(String word, Collection<String> candidates) {
        if (word.length() > LENGTH_MAX) {
            return Optional.empty();
        }
        record Guess(String text, int distance) {}
        return candidates.stream()
                .filter(candidate -> candidate.length() <= LENGTH_MAX)
                .map(candidate -> new Guess(candidate, distance(lower(word), lower(candidate))))
                .filter(guess -> guess.distance() <= Math.max(1, guess.text().length() / 3))
                .min(Comparator.comparingInt(Guess::distance))
                .map(Guess::text);
    }

    /// Letters to insert, delete, replace or swap with their neighbour.
    private static int distance(String a, String b) {
        var rows = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                rows[i][j] = i == 0 || j == 0 ? i + j : step(rows, a, b, i, j);
            }
        }
        return rows[a.length()][b.length()];
    }

    private static int step(int[][] rows, String a, String b, int i, int j) {
        var replaced = rows[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        var best = Math.min(replaced, Math.min(rows[i - 1][j], rows[i][j - 1]) + 1);
        var swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(best, rows[i - 2][j - 2] + 1) : best;
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
