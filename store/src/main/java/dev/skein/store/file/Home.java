package dev.skein.store.file;

import dev.skein.failure.StorageFailed;
import dev.skein.session.Scope;
import dev.skein.session.SessionId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The directory below which everything is, divided into one tree for each scope. Safe for use by many threads.
final class Home {

    private final Disk disk;
    private final Path directory;
    private final Map<Scope, SessionTree> trees = new ConcurrentHashMap<>();

    Home(Disk disk, Path directory) {
        this.disk = disk;
        this.directory = directory;
    }

    Path directory() {
        return directory;
    }

    SessionTree tree(Scope scope) {
        return trees.computeIfAbsent(scope, wanted -> new SessionTree(this, disk, directory, wanted));
    }

    /// The trees of one owner that exist, the one without an agent first.
    List<SessionTree> trees(String owner) throws IOException {
        var found = new ArrayList<SessionTree>();
        found.add(tree(Scope.ofOwner(owner)));
        var sessions = found.getFirst().layout().sessions();
        var agents = DurableNames.parent(sessions).resolve("agents");
        for (var name : disk.list(agents).stream().sorted().toList()) {
            var stat = disk.stat(agents.resolve(name).resolve("sessions"));
            if (stat != null && stat.kind() == Disk.Kind.DIRECTORY) {
                var scope = new Scope(owner, Layout.unescape(name));
                if (Layout.of(directory, scope).sessions().startsWith(agents.resolve(name))) {
                    found.add(tree(scope));
                }
            }
        }
        return found;
    }

    /// The tree of this owner that has the session, be it aside for forks or in the trash; null if none has.
    @Nullable
    SessionTree treeOf(String owner, SessionId id) throws IOException {
        for (var tree : trees(owner)) {
            if (tree.directoryOf(id) != null) {
                return tree;
            }
        }
        return null;
    }

    List<String> owners() throws IOException {
        var found = new ArrayList<String>();
        found.add(Scope.LOCAL_OWNER);
        for (var name : disk.list(directory.resolve("owners")).stream().sorted().toList()) {
            found.add(Layout.unescape(name));
        }
        return found;
    }

    <T> T reading(String doing, Committer.Task<T> task) {
        try {
            return task.run();
        } catch (IOException e) {
            throw Problems.of(doing, e);
        }
    }

    /// A directory that others may write to cannot keep sessions safe.
    void check() throws IOException {
        var stat = disk.stat(directory);
        if (stat == null) {
            return;
        }
        if (stat.kind() != Disk.Kind.DIRECTORY) {
            throw StorageFailed.unsafe(directory + " is not a directory; give another home");
        }
        if (!Files.exists(directory)) {
            return;
        }
        var permissions = Files.getPosixFilePermissions(directory);
        if (permissions.contains(PosixFilePermission.GROUP_WRITE)
                || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw StorageFailed.unsafe(directory + " can be written by others; run `chmod go-w` on it and start again");
        }
    }

    /// Removes what crashes left behind: temporary files, and sessions that were being made or deleted.
    void sweep() throws IOException {
        for (var owner : owners()) {
            for (var tree : trees(owner)) {
                if (tree.exists()) {
                    tree.sweep();
                }
            }
        }
    }
}
