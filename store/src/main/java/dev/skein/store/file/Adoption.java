package dev.skein.store.file;

import dev.skein.failure.InvalidRequest;
import dev.skein.session.Entry;
import dev.skein.session.ForkRef;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionEvent.SessionOpened;
import dev.skein.session.SessionId;
import dev.skein.store.SessionHandle;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Takes over sessions from other stores.
final class Adoption {

    private final Home home;
    private final Opener opener;

    Adoption(Home home, Opener opener) {
        this.home = home;
        this.opener = opener;
    }

    /// Opens a session that was just made.
    interface Opener {
        SessionHandle open(SessionTree tree, SessionId id, @Nullable SessionAlias alias);
    }

    SessionHandle adopt(@Nullable SessionAlias alias, List<Entry> entries) {
        var opened = openingOf(entries);
        var tree = home.reading("take over session " + opened.session(), () -> make(opened, alias, entries));
        return opener.open(tree, opened.session(), alias);
    }

    private SessionTree make(SessionOpened opened, @Nullable SessionAlias alias, List<Entry> entries)
            throws IOException {
        var tree = home.tree(opened.scope());
        var fork = opened.fork();
        if (fork != null) {
            return adoptFork(tree, opened, fork, alias, entries);
        }
        return tree.naming(() -> {
            tree.make(opened.session(), alias, SessionWriter.firstLines(entries, Frame.NO_CRC));
            return tree;
        });
    }

    private SessionTree adoptFork(
            SessionTree tree, SessionOpened opened, ForkRef fork, @Nullable SessionAlias alias, List<Entry> entries)
            throws IOException {
        var parent = home.treeOf(opened.owner(), fork.session());
        if (parent == null || !parent.has(fork.session())) {
            throw notHere(opened, fork);
        }
        var prev = parent.crcOf(fork.session(), fork.seq());
        return SessionTree.namingBoth(parent, tree, () -> {
            if (!parent.has(fork.session())) {
                throw notHere(opened, fork);
            }
            parent.noteFork(fork.session(), opened.session());
            tree.make(opened.session(), alias, SessionWriter.firstLines(entries, prev));
            return tree;
        });
    }

    private static InvalidRequest notHere(SessionOpened opened, ForkRef fork) {
        return new InvalidRequest("session " + opened.session() + " was forked from " + fork.session()
                + ", which is not here; copy that first");
    }

    private static SessionOpened openingOf(List<Entry> entries) {
        if (entries.isEmpty() || !(entries.getFirst().event() instanceof SessionOpened opened)) {
            throw new InvalidRequest("a session begins with session_opened");
        }
        return opened;
    }
}
