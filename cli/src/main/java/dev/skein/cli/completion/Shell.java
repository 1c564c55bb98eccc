package dev.skein.cli.completion;

import java.util.Locale;
import java.util.function.Function;

/// A shell, and the script that teaches it.
enum Shell {
    BASH(BashScript::of),
    ZSH(ZshScript::of),
    FISH(FishScript::of);

    private final Function<CommandTree, String> writer;

    Shell(Function<CommandTree, String> writer) {
        this.writer = writer;
    }

    String script(CommandTree commands) {
        return writer.apply(commands);
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
