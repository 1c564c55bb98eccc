package dev.skein.cli.workspace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The text of every `AGENTS.md` from the root of the repository down to the working directory, the nearest last.
///
/// Outside of a repository only that of the working directory counts. A link counts if it stays within the repository:
/// whoever wrote the repository must not choose which of a person's files a provider gets to read.
///
/// @param files which were read, relative to the root
/// @param problems files that were left out or cut, and why
public record WorkspaceInstructions(String text, List<String> files, List<String> problems) {

    public static final WorkspaceInstructions NONE = new WorkspaceInstructions("", List.of(), List.of());

    static final int CHARS_MAX = 32 * 1024;

    private static final String FILE = "AGENTS.md";
    private static final String REPOSITORY = ".git";
    private static final int DEPTH_MAX = 64;

    public WorkspaceInstructions {
        files = List.copyOf(files);
        problems = List.copyOf(problems);
    }

    public static WorkspaceInstructions of(Path directory) {
        var here = directory.toAbsolutePath().normalize();
        var root = root(here);
        var text = new StringBuilder();
        var files = new ArrayList<String>();
        var problems = new ArrayList<String>();
        for (var place : between(root, here)) {
            var file = place.resolve(FILE);
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                var name = root.relativize(file).toString();
                try {
                    add(root, file, name, text, problems);
                    files.add(name);
                } catch (IOException e) {
                    problems.add(file + " is left out: " + e.getMessage());
                }
            }
        }
        return new WorkspaceInstructions(text.toString().strip(), files, problems);
    }

    private static void add(Path root, Path file, String name, StringBuilder text, List<String> problems)
            throws IOException {
        var real = file.toRealPath();
        if (!real.startsWith(root.toRealPath())) {
            throw new IOException("it is a link that leads out of " + root);
        }
        if (!Files.isRegularFile(real)) {
            throw new IOException("it is not a file");
        }
        var room = Math.max(0, CHARS_MAX - text.length());
        try (var reader = Files.newBufferedReader(real)) {
            var read = new char[room + 1];
            var length = 0;
            for (int more; length < read.length && (more = reader.read(read, length, read.length - length)) >= 0; ) {
                length += more;
            }
            if (length > room) {
                problems.add(file + " is cut: all such files together may have " + CHARS_MAX + " characters");
            }
            text.append("From ").append(name).append(":\n\n");
            text.append(new String(read, 0, Math.min(length, room)).strip()).append("\n\n");
        }
    }

    /// The directory of the repository that this one is in; else this one.
    private static Path root(Path here) {
        @Nullable Path place = here;
        for (int depth = 0; place != null && depth < DEPTH_MAX; depth++) {
            if (Files.exists(place.resolve(REPOSITORY), LinkOption.NOFOLLOW_LINKS)) {
                return place;
            }
            place = place.getParent();
        }
        return here;
    }

    private static List<Path> between(Path root, Path here) {
        var places = new ArrayList<Path>();
        places.add(root);
        var place = root;
        for (var name : root.relativize(here)) {
            if (!name.toString().isEmpty()) {
                place = place.resolve(name);
                places.add(place);
            }
        }
        return places;
    }

    /// What a model is told, with this behind it.
    public @Nullable String behind(@Nullable String system) {
        if (text.isEmpty()) {
            return system;
        }
        var said = "The directory you work in says:\n\n" + text;
        return system == null || system.isBlank() ? said : system + "\n\n" + said;
    }
}
