package dev.skein.cli.rag;

import dev.skein.cli.terminal.Terminal;
import dev.skein.tools.rag.Progress;

/// Shows how far a build is: a bar that is drawn again and again on a terminal, else a line now and then.
///
/// Not safe for use by several threads.
final class ProgressBar implements Progress, AutoCloseable {

    private static final int CELLS = 24;
    private static final int LINES = 10;

    private final Terminal terminal;
    private int told;
    private boolean isDrawn;

    ProgressBar(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void at(int done, int total, String document) {
        if (terminal.isInteractive()) {
            draw(done, total, document);
        } else if (total >= LINES && done * LINES / total > told) {
            told = done * LINES / total;
            terminal.note("%,d of %,d documents".formatted(done, total));
        }
    }

    private void draw(int done, int total, String document) {
        var full = total == 0 ? CELLS : done * CELLS / total;
        var unicode = terminal.isUnicode();
        var bar = (unicode ? "█" : "#").repeat(full) + (unicode ? "░" : ".").repeat(CELLS - full);
        var counts = " %,d/%,d ".formatted(done, total);
        var room = Math.max(0, terminal.width() - CELLS - counts.length() - 1);
        terminal.err().print("\r" + bar + counts + terminal.stored(document, room) + "\u001b[K");
        terminal.err().flush();
        isDrawn = true;
    }

    /// Leaves no trace.
    @Override
    public void close() {
        if (isDrawn) {
            terminal.err().print("\r\u001b[K");
            terminal.err().flush();
        }
    }
}
