package dev.skein.cli.settings;

import dev.skein.cli.terminal.Nearest;
import java.util.Arrays;

/// What becomes of a session that nobody gave a name.
public enum SavePolicy {
    /// It is kept.
    KEEP("true"),
    /// It is forgotten.
    FORGET("false"),
    /// The person is asked; where nobody can be asked, it is kept.
    ASK("ask");

    private final String word;

    SavePolicy(String word) {
        this.word = word;
    }

    /// Reads `true`, `false` or `ask`.
    public static SavePolicy parse(String text) {
        var words = Arrays.stream(values()).map(SavePolicy::toString).toList();
        return Arrays.stream(values())
                .filter(policy -> policy.word.equalsIgnoreCase(text.strip()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is neither true, false nor ask"
                        + Nearest.to(text, words)
                                .map(near -> "; did you mean '" + near + "'?")
                                .orElse("")));
    }

    @Override
    public String toString() {
        return word;
    }
}
