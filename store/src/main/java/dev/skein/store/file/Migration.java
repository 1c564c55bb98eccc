package dev.skein.store.file;

import dev.skein.failure.SkeinException;
import dev.skein.session.Ids;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import dev.skein.store.file.LegacyFiles.Legacy;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Makes sessions of other tools' files, each once. Whoever calls this is alone in the tree.
final class Migration {

    private static final Logger LOG = LoggerFactory.getLogger(Migration.class);

    private final SessionTree tree;
    private final LegacyFiles files;
    private final Ids ids;
    private final Clock clock;
    private final Consumer<SessionId> made;

    /// `made` is told of each session.
    Migration(SessionTree tree, Ids ids, Clock clock, Consumer<SessionId> made) {
        this.made = made;
        this.tree = tree;
        this.files = new LegacyFiles(tree);
        this.ids = ids;
        this.clock = clock;
    }

    /// The session with this alias, made from a file if need be.
    Optional<SessionId> resolve(SessionAlias alias) throws IOException {
        var there = tree.resolve(alias);
        return there.isPresent() ? there : of(alias);
    }

    /// The session made just now from the file with this name; empty if there is none, or the name is taken.
    Optional<SessionId> of(SessionAlias alias) throws IOException {
        var file = tree.resolve(alias).isPresent() ? Optional.<Legacy>empty() : files.pending(alias);
        return file.isEmpty()
                ? Optional.empty()
                : Optional.of(of(file.get(), alias, problem -> LOG.warn("{}", problem)));
    }

    /// Sessions of all files that can be read in these trees.
    static Migrated every(List<SessionTree> trees, Function<SessionTree, Migration> of) throws IOException {
        var migrated = new Migrated(List.of(), List.of());
        for (var tree : trees) {
            migrated = tree.exists()
                    ? migrated.plus(tree.naming(() -> of.apply(tree).all()))
                    : migrated;
        }
        return migrated;
    }

    /// Sessions of all files that can be read.
    Migrated all() throws IOException {
        var sessions = new ArrayList<Migrated.Session>();
        var problems = new ArrayList<String>();
        for (var file : files.pending()) {
            var wanted = file.name().alias();
            var alias = wanted == null || tree.resolve(wanted).isPresent() ? null : wanted;
            try {
                sessions.add(new Migrated.Session(
                        file.path(), alias == null ? null : alias.text(), of(file, alias, problems::add)));
            } catch (SkeinException e) {
                problems.add(file.path() + ": " + e.getMessage());
            }
        }
        return new Migrated(sessions, problems);
    }

    /// The marker comes first: one that names no session means nothing, while a session without its marker would be
    /// made a second time.
    private SessionId of(Legacy file, @Nullable SessionAlias alias, Consumer<String> problems) throws IOException {
        var content = files.read(file, alias, ids, clock.instant());
        var id = ids.session();
        files.markMigrated(file, id);
        tree.create(id, content.session(), null, Frame.NO_CRC, clock.instant());
        made.accept(id);
        if (content.damage() != null) {
            problems.accept("%s: only what stands before the damage became session %s, and the file is kept: %s"
                    .formatted(file.path(), id, content.damage()));
        }
        return id;
    }
}
