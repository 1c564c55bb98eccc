package dev.skein.store.file;

import dev.skein.failure.SkeinException;
import dev.skein.session.SessionId;
import dev.skein.store.file.JournalRepair.LastAppend;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Looks at every file of a store and says what is wrong; mends it when asked. Nothing damaged is thrown away:
/// whatever is replaced or moved stays beside.
public final class Doctor implements AutoCloseable {

    private static final Duration WAIT = Duration.ofMillis(200);

    private final Home home;
    private final Disk disk;
    private final boolean repair;
    private final Committer committer = new Committer();
    private final List<Finding> findings = new ArrayList<>();
    private int sessions;

    private Doctor(Disk disk, Path directory, boolean repair) {
        this.disk = disk;
        this.home = new Home(disk, directory.toAbsolutePath().normalize());
        this.repair = repair;
    }

    /// How bad something is.
    public enum Severity {
        /// Harmless, or put right by itself.
        NOTE,
        /// Something is lost or in the way.
        DAMAGE
    }

    /// Something that was found: where, what, and whether it was put right.
    public record Finding(Severity severity, Path file, String what, boolean repaired) {}

    /// Everything that was found, in how many sessions.
    public record Report(List<Finding> findings, int sessionsChecked) {

        public Report {
            findings = List.copyOf(findings);
        }

        /// Whether something is still damaged.
        public boolean isDamaged() {
            return findings.stream().anyMatch(f -> f.severity() == Severity.DAMAGE && !f.repaired());
        }
    }

    /// Only looks.
    public static Report check(Path directory) {
        return examine(directory, false);
    }

    /// Looks, and mends what can be mended. Sessions in use are left alone.
    public static Report repair(Path directory) {
        return examine(directory, true);
    }

    @Override
    public void close() {
        committer.close();
    }

    private static Report examine(Path directory, boolean repair) {
        try (var doctor = new Doctor(new RealDisk(), directory, repair)) {
            return doctor.run();
        } catch (IOException e) {
            throw Problems.of("examine the store in " + directory, e);
        }
    }

    private Report run() throws IOException {
        home.check();
        for (var owner : home.owners()) {
            for (var tree : home.trees(owner)) {
                if (tree.exists()) {
                    examine(tree);
                }
            }
        }
        return new Report(findings, sessions);
    }

    private void examine(SessionTree tree) throws IOException {
        var byId = tree.layout().byId();
        for (var name : disk.list(byId).stream().sorted().toList()) {
            var id = SessionId.parse(name).orElse(null);
            if (id != null) {
                sessions++;
                guarded(byId.resolve(name), () -> session(tree, id));
            } else if (name.startsWith(DurableNames.TEMPORARY)) {
                note(byId.resolve(name), "was left behind by a crash and is swept at the next start");
            } else {
                damage(byId.resolve(name), "is not a session; move it away");
            }
        }
        for (var aside : List.of(tree.layout().forked(), tree.layout().trash())) {
            for (var name : disk.list(aside).stream().sorted().toList()) {
                var id = SessionId.parse(name).orElse(null);
                if (id != null) {
                    guarded(aside.resolve(name), () -> aside(tree, id, aside.resolve(name)));
                }
            }
        }
        for (var name : disk.list(tree.layout().byName()).stream().sorted().toList()) {
            var path = tree.layout().byName().resolve(name);
            guarded(path, () -> alias(tree, path, name));
        }
        derived(tree);
    }

    private void session(SessionTree tree, SessionId id) throws IOException {
        var directory = tree.layout().session(id);
        var journal = Layout.journal(directory);
        var stat = disk.stat(journal);
        if (stat == null || stat.kind() != Disk.Kind.FILE) {
            damage(journal, stat == null ? "is missing" : "is not a plain file; move it away");
            return;
        }
        if (stat.links() != 1) {
            damage(journal, "has a second name elsewhere; remove the hard link");
            return;
        }
        var live = new LiveSession(tree, id, committer, Durability.ALWAYS);
        var seen = scan(journal);
        var lastAppend = LastAppend.CUT_IF_TORN;
        try (var file = disk.open(journal, Disk.Access.READ)) {
            if (live.hasLostAcknowledged(file, seen.end.position())) {
                seen.gaps.add("lost part of its last append, from number "
                        + (seen.end.position().seq() + 1) + " on");
                lastAppend = LastAppend.ACKNOWLEDGED;
            }
        }
        if (seen.gaps.isEmpty() && seen.records > 0) {
            whole(live, journal, seen);
        } else {
            damaged(live, tree, journal, seen, lastAppend);
        }
        state(live, tree);
    }

    /// A session that was deleted or purged, whose history forks still read or a person may want back. Nobody
    /// writes to it, so it is mended where it is.
    private void aside(SessionTree tree, SessionId id, Path directory) throws IOException {
        var journal = Layout.journal(directory);
        var seen = scan(journal);
        if (!seen.gaps.isEmpty() && repair) {
            var fork = History.forkOf(disk, journal, id);
            new JournalRepair(disk, tree.scope(), id, directory)
                    .run(fork == null ? 1 : fork.seq() + 1, LastAppend.CUT_IF_TORN);
        }
        seen.gaps.forEach(gap -> finding(Severity.DAMAGE, journal, gap, repair));
    }

    private Seen scan(Path journal) throws IOException {
        var seen = new Seen();
        try (var file = disk.open(journal, Disk.Access.READ)) {
            seen.end = new Journal(file).scan(Journal.anywhere(0), seen);
        }
        return seen;
    }

    private void whole(LiveSession live, Path journal, Seen seen) throws IOException {
        if (seen.end.torn() > 0) {
            var cut = repair && locked(live, () -> live.writer().prepare());
            finding(
                    Severity.NOTE,
                    journal,
                    "ends in the middle of an append that was never acknowledged (" + seen.end.torn() + " bytes)",
                    cut);
        }
        live.history();
        live.writer().close();
    }

    private void damaged(LiveSession live, SessionTree tree, Path journal, Seen seen, LastAppend lastAppend)
            throws IOException {
        var mended = false;
        if (repair) {
            mended = locked(
                    live,
                    () -> new JournalRepair(disk, tree.scope(), live.id(), live.directory())
                            .run(live.history().own().first(), lastAppend));
        }
        if (seen.gaps.isEmpty()) {
            finding(Severity.DAMAGE, journal, "has not one readable record", mended);
        }
        for (var gap : seen.gaps) {
            finding(Severity.DAMAGE, journal, gap, mended);
        }
    }

    private void state(LiveSession live, SessionTree tree) throws IOException {
        var path = Layout.state(live.directory());
        if (disk.stat(path) != null && StateFile.read(tree.names(), path, live.id()) == null) {
            var written = repair
                    && locked(live, () -> {
                        live.refresh();
                        live.writeState();
                        return true;
                    });
            finding(Severity.NOTE, path, "cannot be read; it is derived and made again", written);
        }
    }

    private void alias(SessionTree tree, Path path, String name) throws IOException {
        if (name.startsWith(DurableNames.TEMPORARY)) {
            note(path, "was left behind by a crash and is swept at the next start");
            return;
        }
        var stat = disk.stat(path);
        var bytes = stat == null || stat.kind() != Disk.Kind.FILE
                ? null
                : tree.names().read(path, 4096);
        var id = bytes == null ? null : SessionId.parse(text(bytes)).orElse(null);
        if (id == null) {
            finding(
                    Severity.DAMAGE,
                    path,
                    "does not hold a session id, so the name finds nothing",
                    setAside(tree, path));
        } else if (tree.directoryOf(id) == null) {
            finding(Severity.NOTE, path, "names session " + id + ", which does not exist", setAside(tree, path));
        }
    }

    private void derived(SessionTree tree) throws IOException {
        var last = tree.layout().lastSession();
        var stat = disk.stat(last);
        if (stat != null && tree.last().isEmpty()) {
            finding(Severity.NOTE, last, "names no session that exists; it is derived", setAside(tree, last));
        }
        var index = tree.layout().index();
        var indexStat = disk.stat(index);
        if (indexStat != null && indexStat.kind() != Disk.Kind.FILE) {
            finding(
                    Severity.DAMAGE,
                    index,
                    "is not a plain file; listings are slow until it is gone",
                    setAside(tree, index));
        }
        for (var legacy : new LegacyFiles(tree).pending()) {
            note(tree.layout().sessions().resolve(legacy.path()), "is another tool's session, not migrated yet");
        }
    }

    private boolean setAside(SessionTree tree, Path path) throws IOException {
        if (!repair) {
            return false;
        }
        var aside = tree.layout().sessions().resolve("damaged");
        tree.createDirectories(aside);
        for (int i = 1; ; i++) {
            var target = aside.resolve(path.getFileName() + "-" + i);
            if (disk.stat(target) == null) {
                tree.names().move(path, target);
                return true;
            }
        }
    }

    /// Does something alone in the session; false if somebody is using it.
    private boolean locked(LiveSession live, Committer.Task<?> task) throws IOException {
        try (var _ = live.turnstile().enter(WAIT)) {
            task.run();
            live.writer().close();
            return true;
        } catch (SkeinException e) {
            note(live.directory(), String.valueOf(e.getMessage()));
            return false;
        }
    }

    private interface Step {
        void run() throws IOException;
    }

    /// One bad file must not end the examination.
    private void guarded(Path path, Step step) {
        try {
            step.run();
        } catch (SkeinException | UncheckedIOException e) {
            damage(path, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            damage(path, String.valueOf(Problems.of("examine it", e).getMessage()));
        }
    }

    private void note(Path file, String what) {
        finding(Severity.NOTE, file, what, false);
    }

    private void damage(Path file, String what) {
        finding(Severity.DAMAGE, file, what, false);
    }

    private void finding(Severity severity, Path file, String what, boolean repaired) {
        findings.add(new Finding(severity, file, what, repaired));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8).strip();
    }

    /// What a scan of one journal met.
    private static final class Seen implements Journal.Visitor {
        private final List<String> gaps = new ArrayList<>();
        private long records;
        private Journal.End end = new Journal.End(Position.START, 0, 0);

        @Override
        public boolean record(Frame frame, long offset) {
            records++;
            return true;
        }

        @Override
        public void gap(long seq, long count, long offset, long bytes) {
            gaps.add(
                    count == 0
                            ? "is out of order at byte " + offset + " (" + bytes + " bytes there cannot be read)"
                            : "lost %d events from number %d on, at byte %d"
                                    .formatted(count, Math.max(1, seq), offset));
        }
    }
}
