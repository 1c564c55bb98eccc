package dev.skein.bench;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The table: what was measured, beside what, and whether that is good enough.
final class Report {

    private static final List<String> TITLES = List.of("name", "value", "control", "ratio", "bound", "");

    private final List<Row> rows = new ArrayList<>();
    private final PrintStream progress;

    Report(PrintStream progress) {
        this.progress = progress;
    }

    /// Of figures that only warm up.
    static Report unread() {
        return new Report(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    }

    /// A limit on a row's ratio, or on its value where there is no ratio.
    record Bound(String text, double limit, boolean most) {

        static Bound atMost(double limit) {
            return new Bound("≤ " + number(limit), limit, true);
        }

        static Bound atMost(double limit, Unit unit) {
            return new Bound("≤ " + unit.show(limit), limit, true);
        }

        static Bound atLeast(double limit) {
            return new Bound("≥ " + number(limit), limit, false);
        }

        static Bound atLeast(double limit, Unit unit) {
            return new Bound("≥ " + unit.show(limit), limit, false);
        }

        boolean holds(double value) {
            return most ? value <= limit : value >= limit;
        }
    }

    /// What a figure is in.
    enum Unit {
        NANOS,
        BYTES,
        PER_SECOND,
        MEGABYTES_PER_SECOND,
        COUNT;

        String show(double value) {
            return switch (this) {
                case NANOS ->
                    value < 1e6
                            ? number(value / 1e3) + " µs"
                            : value < 1e9 ? number(value / 1e6) + " ms" : number(value / 1e9) + " s";
                case BYTES -> format("%,.0f B", value);
                case PER_SECOND -> format("%,.0f/s", value);
                case MEGABYTES_PER_SECOND -> format("%,.0f MB/s", value);
                case COUNT -> format("%,.0f", value);
            };
        }
    }

    /// A figure with its control; `bound` limits the ratio, or the value if there is no control.
    record Row(
            String name,
            Unit unit,
            double value,
            @Nullable Double control,
            @Nullable Bound bound) {

        double judged() {
            return control == null ? value : value / control;
        }

        boolean over() {
            return bound != null && !bound.holds(judged());
        }

        private List<String> cells() {
            return List.of(
                    name,
                    unit.show(value),
                    control == null ? "" : unit.show(control),
                    control == null ? "" : number(judged()),
                    bound == null ? "" : bound.text(),
                    bound == null ? "" : over() ? "over" : "ok");
        }
    }

    /// A figure that is compared and judged.
    void compared(String name, Unit unit, double value, double control, Bound bound) {
        add(new Row(name, unit, value, control, bound));
    }

    /// A figure that is compared for information.
    void compared(String name, Unit unit, double value, double control) {
        add(new Row(name, unit, value, control, null));
    }

    /// A figure that is judged by itself.
    void measured(String name, Unit unit, double value, Bound bound) {
        add(new Row(name, unit, value, null, bound));
    }

    /// A figure for information.
    void measured(String name, Unit unit, double value) {
        add(new Row(name, unit, value, null, null));
    }

    /// Said at once, too: a long run may be ended before its table.
    private void add(Row row) {
        rows.add(row);
        progress.println(String.join("  ", row.cells()));
    }

    long over() {
        return rows.stream().filter(Row::over).count();
    }

    void print(PrintStream out) {
        var lines = new ArrayList<List<String>>();
        lines.add(TITLES);
        rows.forEach(row -> lines.add(row.cells()));
        var widths = new int[TITLES.size()];
        for (var line : lines) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        }
        for (var line : lines) {
            var text = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                var pad = " ".repeat(widths[i] - line.get(i).length());
                text.append(i == 0 ? line.get(i) + pad : "  " + pad + line.get(i));
            }
            out.println(text.toString().stripTrailing());
        }
    }

    private static String number(double value) {
        return value >= 100 ? format("%,.0f", value) : value >= 10 ? format("%.1f", value) : format("%.2f", value);
    }

    private static String format(String pattern, double value) {
        return String.format(Locale.ROOT, pattern, value);
    }
}
