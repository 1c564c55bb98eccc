package dev.skein.tools.search;

import static dev.skein.tool.ToolSpec.Effect.READS;
import static dev.skein.tool.ToolSpec.Repeat.SAFE;

import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolSpec;
import dev.skein.tools.call.Arguments;
import dev.skein.tools.call.LocalTool;
import dev.skein.tools.call.Refused;
import dev.skein.tools.call.Schema;
import dev.skein.tools.files.Folder;
import dev.skein.tools.files.LineReader;
import dev.skein.tools.files.Workspace;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/// The tools that find files and lines.
public final class SearchTools {

    static final int PATHS_MAX = 1000;
    static final int HITS_DEFAULT = 200;
    static final int HITS_MAX = 1000;
    static final int LINE_SEARCHED_MAX = 65_536;
    static final int LINE_SHOWN_MAX = 300;

    private final Workspace workspace;
    private final Duration time;
    private final LongSupplier nanos;

    private SearchTools(Workspace workspace, Duration time, LongSupplier nanos) {
        this.workspace = workspace;
        this.time = time;
        this.nanos = nanos;
    }

    /// The tools for this workspace.
    ///
    /// @param time how long one search may take
    /// @param nanos a clock that only goes forward, as `System::nanoTime`
    public static List<Tool> in(Workspace workspace, Duration time, LongSupplier nanos) {
        var tools = new SearchTools(workspace, time, nanos);
        return List.of(
                new LocalTool(
                        new ToolSpec(
                                "glob",
                                "Finds files of the workspace by their names.",
                                Schema.requiring("pattern")
                                        .text("pattern", "As *.md, src/**/*.java or {a,b}/[xyz]?.txt.")
                                        .text("path", "The directory to look in; the workspace if left out.")
                                        .json(),
                                SAFE,
                                READS),
                        (arguments, _, _) -> tools.glob(arguments)),
                new LocalTool(
                        new ToolSpec(
                                "grep",
                                "Finds lines in the text files of the workspace. Leaves out .git.",
                                Schema.requiring("pattern")
                                        .text("pattern", "A regular expression in Java's dialect.")
                                        .text("path", "The file or directory to search; the workspace if left out.")
                                        .text("files", "Which files, as a pattern such as *.java.")
                                        .flag("ignore_case", "Take a and A for the same.")
                                        .number("limit", "How many lines; " + HITS_DEFAULT + " if left out.")
                                        .json(),
                                SAFE,
                                READS),
                        (arguments, _, _) -> tools.grep(arguments)));
    }

    private ToolOutcome glob(Arguments arguments) throws IOException, InterruptedException {
        var pattern = Glob.compile(arguments.text("pattern"));
        var start = arguments.optionalText("path").orElse(".");
        var skipped = prefix(start).length();
        var budget = new PatternBudget(time, nanos);
        var found = new Found(PATHS_MAX);
        return found.after(() -> new FileWalk(
                        budget,
                        (path, _, _) -> !budget.finds(pattern, path.substring(Math.min(skipped, path.length())))
                                || found.add(path))
                .run(workspace, start));
    }

    private ToolOutcome grep(Arguments arguments) throws IOException, InterruptedException {
        var pattern = regex(arguments.text("pattern"), arguments.flag("ignore_case"));
        var files = arguments.optionalText("files").map(Glob::compile);
        var start = arguments.optionalText("path").orElse(".");
        var found = new Found(arguments.number("limit", HITS_DEFAULT, 1, HITS_MAX));
        var budget = new PatternBudget(time, nanos);
        return found.after(() -> new FileWalk(budget, (path, folder, name) -> {
                    var wanted = files.isEmpty() || budget.finds(files.get(), path);
                    return !wanted || lines(path, folder, name, pattern, budget, found);
                })
                .run(workspace, start));
    }

    private static boolean lines(
            String path, Folder folder, String name, Pattern pattern, PatternBudget budget, Found found)
            throws IOException {
        try (var lines = new LineReader(folder.read(name), LINE_SEARCHED_MAX)) {
            int number = 0;
            for (var line = lines.binary() ? null : lines.next(); line != null; line = lines.next()) {
                number++;
                if (budget.finds(pattern, line) && !found.add(path + ":" + number + ": " + shown(line))) {
                    return false;
                }
            }
            return true;
        } catch (NoSuchFileException | AccessDeniedException _) {
            return true;
        }
    }

    private static String shown(String line) {
        return line.length() <= LINE_SHOWN_MAX ? line : line.substring(0, LINE_SHOWN_MAX) + " [this line is longer]";
    }

    private static Pattern regex(String pattern, boolean ignoreCase) {
        try {
            return Pattern.compile(pattern, ignoreCase ? Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE : 0);
        } catch (PatternSyntaxException e) {
            throw new Refused("'" + pattern + "' is not a regular expression: " + e.getDescription()
                    + "; put a backslash before signs that are meant as themselves");
        }
    }

    private String prefix(String start) {
        var names = workspace.names(start);
        return names.isEmpty() ? "" : String.join("/", names) + "/";
    }

    /// What was found so far, up to a bound.
    private static final class Found {

        private final int max;
        private final StringBuilder text = new StringBuilder();
        private int count;
        private boolean full;

        Found(int max) {
            this.max = max;
        }

        interface Search {
            boolean complete() throws IOException;
        }

        /// Adds a line and says whether there is room for more.
        boolean add(String line) {
            if (count == max) {
                full = true;
                return false;
            }
            count++;
            text.append(line).append('\n');
            return true;
        }

        /// Searches, and tells what was found, also if the time ran out meanwhile.
        ToolOutcome after(Search search) throws IOException, InterruptedException {
            Optional<String> trouble = Optional.empty();
            try {
                if (!search.complete() && !full) {
                    trouble = Optional.of("not everything could be searched; name a smaller directory");
                }
            } catch (Refused e) {
                if (Thread.interrupted()) {
                    throw new InterruptedException("interrupted while searching");
                }
                if (count == 0) {
                    throw e;
                }
                trouble = Optional.ofNullable(e.getMessage());
            }
            if (full) {
                text.append("[cut: there are more than ").append(max).append("; narrow the search]\n");
            }
            trouble.ifPresent(words -> text.append('[').append(words).append("]\n"));
            return ToolOutcome.Answered.text(text.isEmpty() ? "[nothing found]" : text.toString());
        }
    }
}
