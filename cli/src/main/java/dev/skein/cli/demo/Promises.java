package dev.skein.cli.demo;

import dev.skein.cli.terminal.Style;
import dev.skein.cli.terminal.Terminal;

/// What was promised, shown one line each, and how many promises held. Used by one thread.
final class Promises {

    private final Terminal terminal;
    private int kept;
    private int broken;

    Promises(Terminal terminal) {
        this.terminal = terminal;
    }

    void check(boolean holds, String promise) {
        var mark = terminal.isUnicode() ? (holds ? "✓ " : "✗ ") : (holds ? "ok " : "NOT ");
        terminal.line("  " + terminal.paint(holds ? Style.GREEN : Style.RED, mark) + terminal.stored(promise));
        terminal.flush();
        if (holds) {
            kept++;
        } else {
            broken++;
        }
    }

    int kept() {
        return kept;
    }

    int broken() {
        return broken;
    }
}
