package dev.skein.store.file;

import dev.skein.failure.InvalidAlias;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import dev.skein.session.SessionState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The name a session has right now. Names are files that other processes change, so what is remembered is
/// asked again when their directory has changed.
///
/// Which name to look for is told by what is remembered, the journal, `state.yaml`, and the file that a renaming
/// writes first.
///
/// Safe for use by many threads.
final class CurrentName {

    /// A directory changed this recently may have changed once more within the same tick of the file system's
    /// clock.
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final int SIZE_MAX = 4096;

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
        if (isMine(alias)) {
            return alias;
        }
        if (isMine(state.alias())) {
            return state.alias();
        }
        var directory = tree.layout().session(id);
        var stored = StateFile.read(tree.names(), Layout.state(directory), id);
        var last = stored == null ? null : stored.state().alias();
        if (isMine(last)) {
            return last;
        }
        var given = given(directory);
        return isMine(given) ? given : null;
    }

    private @Nullable SessionAlias given(Path directory) throws IOException {
        var bytes = tree.names().read(Layout.named(directory), SIZE_MAX);
        try {
            return bytes == null ? null : new SessionAlias(new String(bytes, StandardCharsets.UTF_8).strip());
        } catch (InvalidAlias _) {
            return null;
        }
    }

    private boolean isMine(@Nullable SessionAlias candidate) throws IOException {
        return candidate != null
                && tree.aliases().find(candidate).filter(id::equals).isPresent();
    }
}
