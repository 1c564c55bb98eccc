package dev.skein.tools.search;

import dev.skein.tools.files.Folder;
import dev.skein.tools.files.Workspace;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/// Visits the regular files below a directory, in the order of their names, without following links and without
/// looking into `.git`. For one thread.
final class FileWalk {

    static final int FILES_MAX = 200_000;
    private static final int NAMES_MAX = 100_000;
    private static final int DEPTH_MAX = 64;

    private final PatternBudget budget;
    private final Visitor visitor;
    private int visited;
    private boolean complete = true;

    /// Looks at one file and says whether to go on.
    interface Visitor {
        boolean visit(String path, Folder folder, String name) throws IOException;
    }

    FileWalk(PatternBudget budget, Visitor visitor) {
        this.budget = budget;
        this.visitor = visitor;
    }

    /// Visits everything below `start`, or `start` itself if it is a file. Returns whether all of it was visited.
    boolean run(Workspace workspace, String start) throws IOException {
        var names = workspace.names(start);
        var path = String.join("/", names);
        if (!names.isEmpty()) {
            try (var above = workspace.folder(names.subList(0, names.size() - 1))) {
                var what = above.find(names.getLast());
                if (what.isPresent() && what.get().isRegularFile()) {
                    return visitor.visit(path, above, names.getLast()) && complete;
                }
            }
        }
        try (var folder = workspace.folder(names)) {
            return below(folder, path.isEmpty() ? "" : path + "/", 0) && complete;
        }
    }

    private boolean below(Folder folder, String prefix, int depth) throws IOException {
        var names = folder.names(NAMES_MAX);
        if (depth > DEPTH_MAX || names.size() > NAMES_MAX) {
            complete = false;
            return true;
        }
        for (var name : names) {
            budget.check();
            var what = folder.find(name);
            if (what.isEmpty()) {
                continue;
            }
            if (what.get().isDirectory() && !name.equals(".git")) {
                if (!enter(folder, name, prefix, depth)) {
                    return false;
                }
            } else if (what.get().isRegularFile()) {
                if (++visited > FILES_MAX || !visitor.visit(prefix + name, folder, name)) {
                    complete = false;
                    return false;
                }
            }
        }
        return true;
    }

    private boolean enter(Folder folder, String name, String prefix, int depth) throws IOException {
        try (var below = folder.enter(name)) {
            return below(below, prefix + name + "/", depth + 1);
        } catch (NoSuchFileException | AccessDeniedException _) {
            complete = false;
            return true;
        }
    }
}
