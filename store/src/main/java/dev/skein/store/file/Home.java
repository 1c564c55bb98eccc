package dev.skein.store.file;

import dev.skein.failure.InvalidRequest;
import dev.skein.failure.StorageFailed;
import dev.skein.session.Scope;
import dev.skein.session.SessionEvent.SessionOpened;
import dev.skein.session.SessionId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// The directory below which everything is, divided into one tree for each scope. Safe for use by many threads.
final class Home {

    private final Disk disk;
    private final Path directory;
    private final Map<Scope, SessionTree> trees = new ConcurrentHashMap<>();
    private volatile boolean swept;

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

    /// The directories on the way down to this one, itself first.
    List<Path> wayTo(Path below) {
        var way = new ArrayList<Path>();
        for (var path = below; !path.equals(directory); path = DurableNames.parent(path)) {
            way.add(path);
        }
        return List.copyOf(way);
    }

    /// Whether such a way leads over real directories only, as far as they are there.
    boolean isReal(List<Path> way) throws IOException {
        for (var path : way) {
            // Somebody may make the directory between the two looks.
            var stat = disk.isDirectory(path) ? null : disk.stat(path);
            if (stat != null && stat.kind() != Disk.Kind.DIRECTORY) {
                return false;
            }
        }
        return true;
    }

    /// The trees of one owner that exist, the one without an agent first.
    List<SessionTree> trees(String owner) throws IOException {
        var found = new ArrayList<SessionTree>();
        found.add(tree(Scope.ofOwner(owner)));
        var sessions = found.getFirst().layout().sessions();
        var agents = DurableNames.parent(sessions).resolve("agents");
        for (var name : disk.list(agents).stream().sorted().toList()) {
            var ofAgent = agents.resolve(name).resolve("sessions");
            var stat = disk.stat(ofAgent);
            if (stat != null && stat.kind() == Disk.Kind.DIRECTORY) {
                original(name, List.of(ofAgent), SessionOpened::agent, Layout::agentDirectory)
                        .ifPresent(agent -> found.add(tree(new Scope(owner, agent))));
            }
        }
        return found;
    }

    /// The name that this file name was made of, if it was made by us. A long one ends in a hash and is found in the
    /// sessions themselves.
    private Optional<String> original(
            String fileName,
            List<Path> sessions,
            Function<SessionOpened, @Nullable String> name,
            UnaryOperator<String> spelling)
            throws IOException {
        var candidates = new ArrayList<@Nullable String>();
        candidates.add(Layout.unescape(fileName));
        if (fileName.contains(Layout.HASHED)) {
            for (var place : sessions) {
                var byId = new Layout(place).byId();
                for (var id : disk.list(byId)) {
                    candidates.add(nameIn(Layout.journal(byId.resolve(id)), name));
                }
            }
        }
        return candidates.stream()
                .filter(Objects::nonNull)
                .filter(text -> isName(text) && spelling.apply(text).equals(fileName))
                .findFirst();
    }

    private @Nullable String nameIn(Path journal, Function<SessionOpened, @Nullable String> name) {
        try {
            var opened = History.openingOf(disk, journal);
            return opened == null ? null : name.apply(opened);
        } catch (IOException _) {
            return null;
        }
    }

    private static boolean isName(String text) {
        try {
            return Scope.ofOwner(text).owner().equals(text);
        } catch (InvalidRequest _) {
            return false;
        }
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
        var owners = directory.resolve("owners");
        for (var name : disk.list(owners).stream().sorted().toList()) {
            var sessions = new ArrayList<Path>();
            sessions.add(owners.resolve(name).resolve("sessions"));
            var agents = owners.resolve(name).resolve("agents");
            disk.list(agents)
                    .forEach(agent -> sessions.add(agents.resolve(agent).resolve("sessions")));
            original(name, sessions, SessionOpened::owner, Layout::escape).ifPresent(found::add);
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

    /// All scopes that have a directory, whoever owns them.
    List<Scope> scopes() throws IOException {
        var scopes = new ArrayList<Scope>();
        for (var owner : owners()) {
            trees(owner).forEach(tree -> scopes.add(tree.scope()));
        }
        return scopes;
    }

    /// Called before the first change.
    void sweepOnce() {
        if (!swept) {
            sweepNow();
        }
    }

    private synchronized void sweepNow() {
        if (!swept) {
            swept = reading("remove what a crash left in " + directory, () -> {
                sweep();
                return true;
            });
        }
    }

    /// Removes what crashes left behind: temporary files, and sessions that were being made or deleted.
    private void sweep() throws IOException {
        for (var owner : owners()) {
            for (var tree : trees(owner)) {
                if (tree.exists()) {
                    tree.sweep();
                }
            }
        }
    }
}
