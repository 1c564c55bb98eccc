package dev.skein.cli.terminal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Rows in aligned columns that fit the terminal. When they do not, the columns that may shrink do, from the
/// last to the first, down to their least width.
///
/// Not safe for use by several threads.
public final class Table {

    private static final String GAP = "  ";

    /// A heading, and how its column behaves. A column with a `leastWidth` may shrink to it.
    public record Column(String heading, Align align, int leastWidth) {

        public static Column of(String heading) {
            return new Column(heading, Align.LEFT, Integer.MAX_VALUE);
        }

        public static Column ofNumbers(String heading) {
            return new Column(heading, Align.RIGHT, Integer.MAX_VALUE);
        }

        public static Column shrinkingTo(int leastWidth, String heading) {
            return new Column(heading, Align.LEFT, leastWidth);
        }
    }

    /// Which side of its column a cell keeps to.
    public enum Align {
        LEFT,
        RIGHT
    }

    private final List<Column> columns;
    private final List<List<String>> rows = new ArrayList<>();

    public Table(List<Column> columns) {
        this.columns = List.copyOf(columns);
    }

    /// Adds a row. Its cells are made safe here.
    public void add(List<String> cells) {
        if (cells.size() != columns.size()) {
            throw new IllegalArgumentException(columns.size() + " cells expected: " + cells);
        }
        rows.add(cells.stream().map(SafeText::line).toList());
    }

    public void print(Terminal terminal) {
        var widths = widths(terminal.width());
        var headings = columns.stream().map(Column::heading).toList();
        terminal.line(terminal.paint(Style.DIM, line(terminal, headings, widths)));
        rows.forEach(row -> terminal.line(line(terminal, row, widths)));
    }

    private String line(Terminal terminal, List<String> cells, int[] widths) {
        var line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            var cell = TextWidth.cut(terminal.shown(cells.get(i)), widths[i], terminal.ellipsis());
            var padding = TextWidth.padding(cell, widths[i]);
            line.append(i == 0 ? "" : GAP)
                    .append(columns.get(i).align() == Align.RIGHT ? padding + cell : cell + padding);
        }
        return line.toString().stripTrailing();
    }

    private int[] widths(int available) {
        var widths = new int[columns.size()];
        for (int i = 0; i < widths.length; i++) {
            var column = i;
            widths[i] = Math.max(
                    TextWidth.of(columns.get(i).heading()),
                    rows.stream()
                            .mapToInt(row -> TextWidth.of(row.get(column)))
                            .max()
                            .orElse(0));
        }
        var tooMuch = Arrays.stream(widths).sum() + GAP.length() * (widths.length - 1) - available;
        for (int i = widths.length - 1; i >= 0 && tooMuch > 0; i--) {
            var less = Math.min(tooMuch, Math.max(0, widths[i] - columns.get(i).leastWidth()));
            widths[i] -= less;
            tooMuch -= less;
        }
        return widths;
    }
}
