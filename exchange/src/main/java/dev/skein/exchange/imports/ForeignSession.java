package dev.skein.exchange.imports;

import static java.util.Objects.requireNonNull;

import dev.skein.exchange.history.Earlier;
import dev.skein.failure.InvalidAlias;
import dev.skein.session.Entry;
import dev.skein.session.Ids;
import dev.skein.session.LoopEvent;
import dev.skein.session.Origin;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import dev.skein.store.NewSession;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A session of another tool, ready to be made here. Its id is the one it had, or one that follows from what it was
/// called, so that the same file always means the same session. `damage` says what could not be read; `source` is the
/// file if it may go on after it was imported.
public record ForeignSession(
        Tool tool,
        NewSession session,
        Instant createdAt,
        @Nullable String damage,
        @Nullable SourceFile source) {

    private static final int NAMES_MAX = 100;

    /// A session that has this id among those of `tool`.
    static NewSession named(Tool tool, SourceFile file, String id) {
        return NewSession.in(Scope.LOCAL)
                .withId(SessionId.parse(id).orElseGet(() -> new SessionId(uuid(tool, id))))
                .from(new Origin(tool.toString(), file.name(), null));
    }

    /// Invents what a file lacks, the same each time.
    static Ids ids(Tool tool, String id, Instant at) {
        return new Ids(
                Clock.fixed(at, ZoneOffset.UTC), new Random(uuid(tool, id).getLeastSignificantBits()));
    }

    static ForeignSession of(Tool tool, NewSession session, Instant createdAt) {
        return new ForeignSession(tool, session, createdAt, null, null);
    }

    /// The session's name, if it can be one here, else the nearest that can.
    static @Nullable SessionAlias alias(@Nullable String name) {
        if (name == null || name.isBlank()) {
            return null;
        }
        try {
            return new SessionAlias(name);
        } catch (InvalidAlias _) {
            return SessionAlias.sanitize(name).orElse(null);
        }
    }

    ForeignSession in(Scope scope) {
        var moved = new NewSession(
                scope,
                session.id(),
                session.alias(),
                session.autoname(),
                session.formation(),
                session.lifetime(),
                session.origin(),
                session.spawn(),
                session.metadata(),
                session.events());
        return new ForeignSession(tool, moved, createdAt, damage, source);
    }

    ForeignSession damaged(String how) {
        return new ForeignSession(tool, session, createdAt, how, source);
    }

    ForeignSession withId(SessionId id) {
        return new ForeignSession(tool, session.withId(id), createdAt, damage, source);
    }

    ForeignSession from(SourceFile file) {
        return new ForeignSession(tool, session, createdAt, damage, file);
    }

    /// The same, with loops that end where those of an earlier import did.
    ForeignSession after(Earlier imported) {
        var again = source == null
                ? null
                : SessionFiles.read(source.after(imported)).orElse(null);
        return again == null ? this : again.in(session.scope());
    }

    /// How many messages it has.
    public long messages() {
        return session.events().stream()
                .filter(LoopEvent.MessageEnded.class::isInstance)
                .count();
    }

    SessionId id() {
        return requireNonNull(session.id(), "an imported session has an id");
    }

    /// The session's name; from the second try on, the same with a number. None if it has none, or after many.
    @Nullable
    SessionAlias name(int attempt) {
        var alias = session.alias();
        if (alias == null || attempt >= NAMES_MAX) {
            return null;
        }
        return attempt == 1
                ? alias
                : SessionAlias.sanitize(alias.text() + "-" + attempt).orElse(null);
    }

    /// All its events, under this name.
    List<Entry> entries(@Nullable SessionAlias alias, Instant importedAt) {
        var origin = session.origin() == null ? null : session.origin().source();
        var opened = session.named(alias)
                .from(new Origin(tool.toString(), origin, importedAt))
                .opened(createdAt, id(), null);
        var entries = new ArrayList<Entry>(session.events().size() + 1);
        entries.add(Entry.of(1, opened));
        session.events().forEach(event -> entries.add(Entry.of(entries.size() + 1, event)));
        return entries;
    }

    private static UUID uuid(Tool tool, String id) {
        try {
            var digest = ByteBuffer.wrap(
                    MessageDigest.getInstance("SHA-256").digest((tool + "\0" + id).getBytes(StandardCharsets.UTF_8)));
            var high = (digest.getLong() & ~0xF000L) | 0x8000L;
            var low = (digest.getLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
            return new UUID(high, low);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
