package dev.skein.exchange.imports;

import dev.skein.exchange.history.Earlier;
import dev.skein.failure.AliasInUse;
import dev.skein.failure.InvalidRequest;
import dev.skein.session.Entry;
import dev.skein.session.Ids;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionId;
import dev.skein.store.AdoptingStore;
import dev.skein.store.Batch;
import dev.skein.store.SessionHandle;
import dev.skein.wire.EventCodec;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Brings sessions of other tools into a store. What is there already is not made twice: if the file has more than it
/// had,
/// that is appended, and if both went on since, nothing is changed.
public final class Importer {

    /// Events that are appended together.
    private static final int BATCH = 5_000;

    private final AdoptingStore store;
    private final InstantSource clock;
    private final Ids ids;

    public Importer(AdoptingStore store, InstantSource clock, Ids ids) {
        this.store = store;
        this.clock = clock;
        this.ids = ids;
    }

    /// What became of a session.
    public enum Outcome {
        /// It was not there, and is.
        IMPORTED,
        /// It was there, and got what was new.
        CONTINUED,
        /// It was there, with all of this.
        UNCHANGED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// A session that was brought in: where it is now, and how many events were added.
    public record Brought(
            Outcome outcome,
            Scope scope,
            SessionId id,
            @Nullable SessionAlias alias,
            long events) {}

    /// Brings a session in.
    ///
    /// @param agent whose session it becomes; null for what the file says, if it says anything
    /// @param again makes another session of it, whatever there is
    /// @throws InvalidRequest if it is there already and both went on since
    public Brought bring(ForeignSession foreign, @Nullable String agent, boolean again) {
        var scope = agent == null ? foreign.session().scope() : new Scope(Scope.LOCAL.owner(), agent);
        var wanted = (again ? foreign.withId(ids.session()) : foreign).in(scope);
        var there = store.locate(scope.owner(), wanted.id());
        if (there.isEmpty()) {
            return make(wanted);
        }
        try (var session = store.open(there.get(), wanted.id())) {
            return goOn(wanted, session, there.get());
        }
    }

    private Brought make(ForeignSession wanted) {
        var importedAt = clock.instant();
        for (int attempt = 1; ; attempt++) {
            try {
                return make(wanted, wanted.name(attempt), importedAt);
            } catch (AliasInUse _) {
                // The next name may be free; none is, for sure.
            }
        }
    }

    private Brought make(ForeignSession wanted, @Nullable SessionAlias name, Instant importedAt) {
        var entries = wanted.entries(name, importedAt);
        var first = Math.min(BATCH, entries.size());
        try (var session = store.adopt(name, entries.subList(0, first))) {
            append(session, entries, first);
            return new Brought(Outcome.IMPORTED, wanted.session().scope(), wanted.id(), name, entries.size());
        }
    }

    private static Brought goOn(ForeignSession wanted, SessionHandle session, Scope scope) {
        var state = session.state();
        var entries = wanted.entries(state.alias(), state.opened().at());
        if (!isSame(session, entries)) {
            entries = wanted.after(Earlier.in(session))
                    .entries(state.alias(), state.opened().at());
            requireSame(session, entries);
        }
        var have = (int) Math.min(state.version(), entries.size());
        append(session, entries, have);
        var outcome = have < entries.size() ? Outcome.CONTINUED : Outcome.UNCHANGED;
        return new Brought(outcome, scope, wanted.id(), state.alias(), entries.size() - have);
    }

    private static void requireSame(SessionHandle session, List<Entry> expected) {
        if (!isSame(session, expected)) {
            throw new InvalidRequest("it is here already as session " + session.id()
                    + ", and the file says something else than it said then;"
                    + " use --again to import it as another session");
        }
    }

    /// Whether one begins with the other. The first event says when and from where it was imported, which may differ.
    private static boolean isSame(SessionHandle session, List<Entry> expected) {
        var same = new AtomicBoolean(true);
        session.read(2, entry -> {
            if (same.get() && entry.seq() <= expected.size()) {
                same.set(isSame(
                        entry.whole(), expected.get((int) entry.seq() - 1).event()));
            }
        });
        return same.get();
    }

    /// An export that comes back where it was made has some events replaced.
    private static boolean isSame(SessionEvent here, SessionEvent expected) {
        return EventCodec.typeOf(expected).equals(SkeinFile.REPLACED + EventCodec.typeOf(here))
                || Arrays.equals(EventCodec.encode(here, null), EventCodec.encode(expected, null));
    }

    private static void append(SessionHandle session, List<Entry> entries, int from) {
        for (int i = from; i < entries.size(); i += BATCH) {
            var batch = entries.subList(i, Math.min(entries.size(), i + BATCH));
            session.append(Batch.at(i, batch.stream().map(Entry::event).toList()));
        }
    }
}
