package dev.skein.cli.repl;

import java.util.HashMap;
import java.util.Map;
import org.jline.reader.impl.LineReaderImpl;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.InfoCmp.Capability;

/// A line reader that draws its line in the same place when the window changes.
///
/// Terminals break lines anew for another width and take the cursor with them. JLine draws the line again where the
/// cursor is then, under what is left of the old one, and leaves the old status line where it went. So whatever stands
/// from the first row of the prompt on is removed before.
final class Reader extends LineReaderImpl {

    /// What stands before each line of a prompt of several lines but the first.
    static final String INDENT = "  ";

    Reader(Terminal terminal, Map<String, Object> variables) {
        super(terminal, "skein", new HashMap<>(variables));
    }

    @Override
    protected synchronized void handleSignal(Signal signal) {
        var now = terminal.getBufferSize();
        if (signal == Signal.WINCH && now.getColumns() > 0 && !now.equals(size)) {
            for (int row = rowOfCursor(now.getColumns()); row > 0; row--) {
                terminal.puts(Capability.cursor_up);
            }
            terminal.puts(Capability.carriage_return);
            terminal.puts(Capability.clr_eos);
        }
        super.handleSignal(signal);
    }

    /// How many rows below the first row of the prompt the cursor is, in a window of so many columns.
    private int rowOfCursor(int columns) {
        lock.lock();
        try {
            var typed = new AttributedStringBuilder()
                    .append(prompt)
                    .append(buf.upToCursor().replace("\n", "\n" + INDENT));
            return Math.max(0, typed.columnSplitLength(columns, false, true).size() - 1);
        } finally {
            lock.unlock();
        }
    }
}
