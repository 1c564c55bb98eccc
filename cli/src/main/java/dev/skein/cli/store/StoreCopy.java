package dev.skein.cli.store;

import dev.skein.failure.SkeinException;
import dev.skein.session.Entry;
import dev.skein.session.ForkRef;
import dev.skein.session.Scope;
import dev.skein.session.SessionEvent;
import dev.skein.session.SessionEvent.SessionOpened;
import dev.skein.session.SessionId;
import dev.skein.store.AdoptingStore;
import dev.skein.store.Batch;
import dev.skein.store.ListQuery;
import dev.skein.store.SessionHandle;
import dev.skein.store.SessionSummary;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Copies every session of one store to another, exactly: id, name, scope, fork, events, keys and sequence
/// numbers. What is there already is compared and continued, so that a copy that was interrupted is taken up by
/// making it again.
///
/// Whatever was deleted or is in the trash stays behind, but for what forks still read. To make such forks, what they
/// were forked from is made for a while, as a shade: under a name by which the next copy knows it if this one is
/// interrupted, and deleted once its forks are there. For use by one thread, and one copy into a store at a time.
final class StoreCopy {

    /// Events without a key that are appended together.
    private static final int BATCH = 500;

    private static final int PAGE = 500;

    private final AdoptingStore from;
    private final AdoptingStore to;
    private final Consumer<SessionSummary> each;
    private final Set<Place> done = new HashSet<>();
    private final Shades shades;
    private final List<String> problems = new ArrayList<>();
    private int copied;
    private int equal;
    private long events;

    /// `each` is told of every session before it is copied.
    StoreCopy(AdoptingStore from, AdoptingStore to, Consumer<SessionSummary> each) {
        this.from = from;
        this.to = to;
        this.each = each;
        this.shades = new Shades(to);
    }

    /// What was done: sessions to which something was added, those that were the same already, events added, and
    /// what could not be copied.
    record Report(int copied, int unchanged, long events, List<String> problems) {}

    /// Where a session is.
    record Place(Scope scope, SessionId id) {}

    Report run() {
        shades.find();
        for (var scope : from.scopes()) {
            var query = ListQuery.of(scope).withLimit(PAGE);
            do {
                var page = from.list(query);
                page.sessions().forEach(summary -> copy(scope, summary));
                problems.addAll(page.problems());
                query = query.after(page.nextCursor());
            } while (query.cursor() != null);
        }
        shades.delete();
        return new Report(copied, equal, events, List.copyOf(problems));
    }

    private void copy(Scope scope, SessionSummary summary) {
        var id = summary.id();
        if (id == null) {
            problems.add(summary.legacy() + " was not migrated yet; run 'skein migrate' first");
            return;
        }
        each.accept(summary);
        try {
            copy(new Place(scope, id));
        } catch (Different | SkeinException e) {
            problems.add("session " + id + ": " + e.getMessage());
        }
    }

    private void copy(Place place) {
        if (!done.add(place)) {
            return;
        }
        try (var source = from.open(place.scope(), place.id())) {
            var state = source.state();
            var fork = state.opened().fork();
            var before = events;
            shades.isReal(place);
            var there = to.locate(place.scope().owner(), place.id()).isPresent();
            if (!there && fork != null) {
                requireParent(source, fork, place.scope().owner());
            }
            var first = fork == null ? 1 : fork.seq() + 1;
            try (var target = there ? to.open(place.scope(), place.id()) : adopt(source, first, state.alias())) {
                continueFrom(source, target, first, state.version());
                requireSame(source, target, first, state.version());
                if (!Objects.equals(target.state().alias(), state.alias())) {
                    to.rename(place.scope(), place.id(), state.alias());
                }
            }
            shades.made(place.id());
            if (events > before) {
                copied++;
            } else {
                equal++;
            }
        }
    }

    /// The parent comes first. If it was deleted, what its forks read of it is made again, and deleted at the end.
    private void requireParent(SessionHandle fork, ForkRef ref, String owner) {
        var alive = from.locate(owner, ref.session());
        if (alive.isPresent()) {
            copy(new Place(alive.get(), ref.session()));
            return;
        }
        var there = to.locate(owner, ref.session()).map(scope -> new Place(scope, ref.session()));
        if (there.isEmpty() || shades.isShade(there.get())) {
            var shared = new ArrayList<Entry>();
            fork.read(1, entry -> {
                if (entry.seq() <= ref.seq()) {
                    shared.add(entry);
                }
            });
            shade(fork, ref, owner, shared);
        }
    }

    /// Makes a shade that reaches as far as the fork reads, or continues the one that is there.
    private void shade(SessionHandle fork, ForkRef ref, String owner, List<Entry> shared) {
        var opening = shared.stream()
                .filter(entry -> entry.event() instanceof SessionOpened opened
                        && opened.session().equals(ref.session()))
                .findFirst()
                .orElseThrow(() -> new Different("what it was forked from cannot be read"));
        var opened = (SessionOpened) opening.event();
        if (opened.fork() != null) {
            requireParent(fork, opened.fork(), owner);
        }
        try (var target = shades.open(new Place(opened.scope(), ref.session()), fork.id(), opening)) {
            var version = target.state().version();
            var batch = new ArrayList<SessionEvent>();
            for (var entry : shared) {
                if (entry.seq() > version) {
                    batch.add(entry.whole());
                }
                if (batch.size() == BATCH) {
                    flush(target, batch);
                }
            }
            flush(target, batch);
        }
    }

    private SessionHandle adopt(SessionHandle source, long first, dev.skein.session.@Nullable SessionAlias alias) {
        var opening = new ArrayList<List<Entry>>();
        try {
            source.readAppends(first, append -> {
                opening.add(append);
                throw new Enough();
            });
        } catch (Enough _) {
            // The first is all that is needed.
        }
        events += opening.getFirst().size();
        return to.adopt(alias, opening.getFirst());
    }

    /// Appends what the target lacks. What has a key is appended as it was, so that its retry is still recognised.
    private void continueFrom(SessionHandle source, SessionHandle target, long first, long last) {
        var version = target.state().version();
        if (version >= last) {
            return;
        }
        requireSame(source, target, first, version);
        var batch = new ArrayList<SessionEvent>();
        source.readAppends(version + 1, append -> {
            var key = append.getFirst().key();
            if (key != null || batch.size() + append.size() > BATCH) {
                flush(target, batch);
            }
            append.forEach(entry -> batch.add(entry.whole()));
            if (key != null) {
                var at = append.getFirst().seq() - 1;
                events += target.append(Batch.at(at, batch).withKey(key)).last() - at;
                batch.clear();
            }
        });
        flush(target, batch);
    }

    private void flush(SessionHandle target, List<SessionEvent> batch) {
        if (!batch.isEmpty()) {
            target.append(Batch.at(target.state().version(), batch));
            events += batch.size();
            batch.clear();
        }
    }

    private static void requireSame(SessionHandle source, SessionHandle target, long first, long last) {
        if (!Digest.of(source, first, last).equals(Digest.of(target, first, last))) {
            throw new Different("the other store has other events under this id; nothing more was copied to it");
        }
    }

    /// One session cannot be copied; the others can.
    static final class Different extends RuntimeException {
        Different(String message) {
            super(message);
        }
    }

    /// Ends a reading.
    private static final class Enough extends RuntimeException {
        Enough() {
            super(null, null, false, false);
        }
    }
}
