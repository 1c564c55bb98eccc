package dev.skein.tools.files;

import dev.skein.tools.call.Refused;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The directory that file tools are confined to.
///
/// A path given by a model may be relative, or absolute below this directory. `..` is resolved in the text, which is
/// right because no symbolic link is ever followed: each directory on the way is opened from the one before it without
/// following links, and whatever is done to a file is done relative to the opened directory. So swapping a directory
/// for a link in between leads nowhere. Paths are compared by their components.
///
/// What remains: Java cannot make a directory relative to an opened one, so somebody who swaps a parent for a link
/// within microseconds could have an empty directory made elsewhere, though never a file in it. A file swapped for a
/// pipe in that time can hold up its reader until somebody writes. Files with several hard links are read like
/// others; writing replaces the name and never the other link. On systems without directory handles in Java
/// (Windows), each step is checked before it is taken instead.
public final class Workspace {

    private final Path root;

    private Workspace(Path root) {
        this.root = root;
    }

    /// The directory itself may be reached through links: a person chose it.
    public static Workspace at(Path directory) throws IOException {
        var root = directory.toRealPath();
        if (!Files.isDirectory(root)) {
            throw new IOException("the workspace '" + directory + "' is not a directory; name one that is there");
        }
        return new Workspace(root);
    }

    public Path root() {
        return root;
    }

    /// The names that lead from the root to what was asked for; none for the root itself.
    ///
    /// @throws Refused if the path leads outside
    public List<String> names(String given) {
        var path = parsed(given);
        if (path.isAbsolute()) {
            var normal = path.normalize();
            if (!normal.startsWith(root)) {
                throw outside(given);
            }
            path = root.relativize(normal);
        }
        var names = new ArrayList<String>();
        for (var name : path.normalize()) {
            if (name.toString().equals("..")) {
                throw outside(given);
            }
            if (!name.toString().isEmpty() && !name.toString().equals(".")) {
                names.add(name.toString());
            }
        }
        return List.copyOf(names);
    }

    /// Opens the root.
    public Folder open() throws IOException {
        return Folder.open(root);
    }

    /// Opens a directory.
    public Folder folder(String given) throws IOException {
        return folder(names(given));
    }

    /// Opens the directory these names lead to.
    public Folder folder(List<String> names) throws IOException {
        var folder = open();
        for (var name : names) {
            try (var above = folder) {
                folder = above.enter(name);
            }
        }
        return folder;
    }

    /// Opens the directory that holds a file, made if need be.
    Folder folderMade(List<String> names) throws IOException {
        for (int depth = 1; depth <= names.size(); depth++) {
            try (var above = folder(names.subList(0, depth - 1))) {
                if (above.find(names.get(depth - 1)).isEmpty()) {
                    make(names.subList(0, depth));
                }
            }
        }
        return folder(names);
    }

    private void make(List<String> names) throws IOException {
        try {
            Files.createDirectory(root.resolve(String.join("/", names)));
        } catch (FileAlreadyExistsException _) {
            // Somebody else made it, or something else: opening it will tell.
        }
    }

    private static Path parsed(String given) {
        if (given.isBlank()) {
            throw new Refused("the path is empty; use '.' for the workspace itself");
        }
        try {
            return Path.of(given);
        } catch (InvalidPathException e) {
            throw new Refused("'" + given.replace('\0', '?') + "' is not a path: " + e.getReason());
        }
    }

    private static Refused outside(String given) {
        return new Refused("'" + given + "' is outside the workspace; use a path relative to it");
    }
}
