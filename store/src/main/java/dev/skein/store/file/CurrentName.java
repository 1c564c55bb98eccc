package dev.skein.store.file;

import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import dev.skein.session.SessionState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The name a session has right now. Names are files that other processes change, so what is remembered is
/// asked again when their directory has changed. Safe for use by many threads.
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

    private @Nullable SessionAlias look(SessionState state) throws IOException {
        var candidates = new ArrayList<@Nullable SessionAlias>();
        candidates.add(alias);
        candidates.add(state.alias());
        for (var candidate : candidates) {
            if (candidate != null
                    && tree.aliases().find(candidate).filter(id::equals).isPresent()) {
                return candidate;
            }
        }
        var stored = StateFile.read(tree.names(), Layout.state(tree.layout().session(id)), id);
        var last = stored == null ? null : stored.state().alias();
        return last != null && tree.aliases().find(last).filter(id::equals).isPresent() ? last : null;
    }
}
