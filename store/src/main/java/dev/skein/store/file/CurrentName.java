package dev.skein.store.file;

import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import dev.skein.session.SessionState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The name a session has right now. Names are files that other processes change, so what is remembered is
/// asked again when their directory has changed.
///
/// A name that this knows of is always checked. That a session has none is exact in [#file] and in listings, which
/// ask every name; [#on] asks every name only if the session had one that is gone. So after a crash a session can
/// look unnamed that got its first name just then, until somebody names it or it is asked for by [#file].
///
/// Safe for use by many threads.
final class CurrentName {

    /// A directory changed this recently may have changed once more within the same tick of the file system's
    /// clock.
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final SessionTree tree;
    private final SessionId id;
    private @Nullable SessionAlias alias;
    private long checkedAt = -1;

    CurrentName(SessionTree tree, SessionId id) {
        this.tree = tree;
        this.id = id;
    }

    /// The state with the name that finds the session.
    synchronized SessionState on(SessionState state) throws IOException {
        var modified = tree.disk().modifiedNanos(tree.layout().byName());
        if (modified != checkedAt) {
            alias = look(state);
            var now = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
            checkedAt = now - modified > TICK_NANOS ? modified : -1;
        }
        var asRecorded = Objects.equals(alias, state.alias());
        return asRecorded ? state : state.named(alias, alias != null && sameName(state) && state.autoname());
    }

    /// Takes over a name this process just gave.
    synchronized void set(@Nullable SessionAlias given) {
        alias = given;
        checkedAt = -1;
    }

    private boolean sameName(SessionState state) {
        return alias != null
                && state.alias() != null
                && alias.folded().equals(state.alias().folded());
    }

    /// The file of the name that finds the session, or null if none does. The caller is alone in the tree.
    synchronized @Nullable Path file(SessionState state) throws IOException {
        var known = look(state);
        if (known != null) {
            return tree.layout().name(known);
        }
        var file = tree.aliases().fileOf(id).orElse(null);
        set(file == null ? null : tree.aliases().nameOf(file));
        return file;
    }

    private @Nullable SessionAlias look(SessionState state) throws IOException {
        if (isMine(alias)) {
            return alias;
        }
        if (isMine(state.alias())) {
            return state.alias();
        }
        var stored = StateFile.read(tree.names(), Layout.state(tree.layout().session(id)), id);
        var last = stored == null ? state.alias() : stored.state().alias();
        if (isMine(last)) {
            return last;
        }
        var renamed = alias != null || last != null;
        return renamed ? tree.aliases().fileOf(id).map(tree.aliases()::nameOf).orElse(null) : null;
    }

    private boolean isMine(@Nullable SessionAlias candidate) throws IOException {
        return candidate != null
                && tree.aliases().find(candidate).filter(id::equals).isPresent();
    }
}
