package dev.skein.tools.files;

import static dev.skein.tool.ToolSpec.Effect.ACTS;
import static dev.skein.tool.ToolSpec.Effect.READS;
import static dev.skein.tool.ToolSpec.Repeat.SAFE;
import static dev.skein.tool.ToolSpec.Repeat.UNSAFE;

import dev.skein.tool.Tool;
import dev.skein.tool.ToolOutcome;
import dev.skein.tool.ToolSpec;
import dev.skein.tools.call.Arguments;
import dev.skein.tools.call.LocalTool;
import dev.skein.tools.call.Refused;
import dev.skein.tools.call.Schema;
import java.io.IOException;
import java.util.List;

/// The tools that look at files and change them.
///
/// Writing the same text twice is as good as once, so `write` may be repeated after a crash. `edit` may not: the new
/// text may hold the old one.
public final class FileTools {

    static final int LINES_DEFAULT = 2000;
    static final int LINE_CHARS_MAX = 2000;
    static final int READ_CHARS_MAX = 200_000;
    static final int WRITE_CHARS_MAX = 10_000_000;
    static final int ENTRIES_MAX = 1000;

    private FileTools() {}

    public static List<Tool> in(Workspace workspace) {
        var texts = new TextFiles(workspace);
        return List.of(
                new LocalTool(
                        new ToolSpec(
                                "read",
                                "Reads a text file of the workspace. Each line comes with its number and a tab.",
                                Schema.requiring("path")
                                        .text("path", "The file, relative to the workspace.")
                                        .number("offset", "The first line to read, from 1 on.")
                                        .number("limit", "How many lines; " + LINES_DEFAULT + " if left out.")
                                        .json(),
                                SAFE,
                                READS),
                        (arguments, _, _) -> read(workspace, arguments)),
                new LocalTool(
                        new ToolSpec(
                                "write",
                                "Writes a text file of the workspace, whole. Directories on the way are made.",
                                Schema.requiring("path", "content")
                                        .text("path", "The file, relative to the workspace.")
                                        .text("content", "All of its new text.")
                                        .json(),
                                SAFE,
                                ACTS),
                        (arguments, _, _) -> write(texts, arguments)),
                new LocalTool(
                        new ToolSpec(
                                "edit",
                                "Replaces a piece of a text file. The old text must occur exactly once, unless all"
                                        + " is true.",
                                Schema.requiring("path", "old", "new")
                                        .text("path", "The file, relative to the workspace.")
                                        .text("old", "The text to replace, exactly as it is in the file.")
                                        .text("new", "The text to put there.")
                                        .flag("all", "Replace it wherever it occurs.")
                                        .json(),
                                UNSAFE,
                                ACTS),
                        (arguments, _, _) -> edit(texts, arguments)),
                new LocalTool(
                        new ToolSpec(
                                "list",
                                "Lists a directory of the workspace: kind, size and name of what is in it.",
                                Schema.requiring()
                                        .text("path", "The directory; the workspace itself if left out.")
                                        .json(),
                                SAFE,
                                READS),
                        (arguments, _, _) -> list(workspace, arguments)));
    }

    private static ToolOutcome read(Workspace workspace, Arguments arguments) throws IOException {
        var path = arguments.text("path");
        var first = arguments.number("offset", 1, 1, Integer.MAX_VALUE);
        var limit = arguments.number("limit", LINES_DEFAULT, 1, 100_000);
        var names = TextFiles.fileNames(workspace, path);
        try (var folder = workspace.folder(names.subList(0, names.size() - 1));
                var lines = new LineReader(folder.read(names.getLast()), LINE_CHARS_MAX)) {
            if (lines.binary()) {
                throw new Refused("'" + path + "' is not a text file");
            }
            return ToolOutcome.Answered.text(page(lines, first, limit));
        }
    }

    private static String page(LineReader lines, int first, int limit) throws IOException {
        var page = new StringBuilder();
        int number = 0;
        for (var line = lines.next(); line != null; line = lines.next()) {
            number++;
            if (number < first) {
                continue;
            }
            if (number - first >= limit || page.length() > READ_CHARS_MAX) {
                return page + "[cut: there is more; go on with offset " + number + "]";
            }
            page.append(number).append('\t').append(line);
            page.append(lines.cut() ? " [this line is longer]\n" : "\n");
        }
        if (page.isEmpty()) {
            return number == 0 ? "[the file is empty]" : "[the file has only " + number + " lines]";
        }
        return page.toString();
    }

    private static ToolOutcome write(TextFiles texts, Arguments arguments) throws IOException, InterruptedException {
        var path = arguments.text("path");
        var content = arguments.text("content");
        if (content.length() > WRITE_CHARS_MAX) {
            throw new Refused("the content has " + content.length() + " characters, more than " + WRITE_CHARS_MAX
                    + "; write it in pieces with other means");
        }
        var change = texts.alone(path, () -> texts.write(path, content));
        return ToolOutcome.Answered.text(
                switch (change) {
                    case MADE -> "made '" + path + "'";
                    case REPLACED -> "replaced '" + path + "'";
                });
    }

    private static ToolOutcome edit(TextFiles texts, Arguments arguments) throws IOException, InterruptedException {
        var path = arguments.text("path");
        var old = arguments.text("old");
        var replacement = arguments.text("new");
        if (old.isEmpty()) {
            throw new Refused("the old text is empty; use write to make a file");
        }
        var all = arguments.flag("all");
        var matches = texts.alone(path, () -> replace(texts, path, old, replacement, all));
        return ToolOutcome.Answered.text(
                "replaced " + matches + (matches == 1 ? " match" : " matches") + " in '" + path + "'");
    }

    /// How often it was replaced.
    private static int replace(TextFiles texts, String path, String old, String replacement, boolean all)
            throws IOException {
        var content = texts.read(path);
        var matches = count(content, old);
        if (matches == 0) {
            throw new Refused("the old text does not occur in '" + path + "'; read the file and give it exactly");
        }
        if (matches > 1 && !all) {
            throw new Refused("the old text occurs " + matches + " times in '" + path
                    + "'; give more of what is around it, or all=true");
        }
        var length = content.length() + (long) matches * (replacement.length() - old.length());
        if (length > WRITE_CHARS_MAX) {
            throw new Refused("'" + path + "' would have " + length + " characters, more than " + WRITE_CHARS_MAX);
        }
        texts.write(path, content.replace(old, replacement));
        return matches;
    }

    private static int count(String text, String piece) {
        int count = 0;
        for (int at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + piece.length())) {
            count++;
        }
        return count;
    }

    private static ToolOutcome list(Workspace workspace, Arguments arguments) throws IOException {
        var path = arguments.optionalText("path").orElse(".");
        try (var folder = workspace.folder(path)) {
            var names = folder.names(ENTRIES_MAX);
            var listing = new StringBuilder();
            for (var name : names.subList(0, Math.min(names.size(), ENTRIES_MAX))) {
                var what = folder.find(name);
                if (what.isPresent()) {
                    var size = what.get().isRegularFile() ? what.get().size() + " bytes" : "-";
                    listing.append(Folder.kind(what.get())).append('\t').append(size);
                    listing.append('\t').append(name).append('\n');
                }
            }
            if (names.size() > ENTRIES_MAX) {
                listing.append("[cut: there are more than ").append(ENTRIES_MAX).append("; use glob]");
            }
            return ToolOutcome.Answered.text(listing.isEmpty() ? "[the directory is empty]" : listing.toString());
        }
    }
}
