package dev.skein.cli.completion;

import java.util.Locale;

/// A shell, and the script that teaches it.
enum Shell {
    BASH,
    ZSH,
    FISH;

    String script(CommandTree commands) {
        return switch (this) {
            case BASH -> BashScript.of(commands);
            case ZSH -> ZshScript.of(commands);
            case FISH -> FishScript.of(commands);
        };
    }

    /// A text that the shell takes as it is, whatever is in it.
    static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
