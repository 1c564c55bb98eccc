package dev.skein.cli.store;

import dev.skein.cli.store.StoreCopy.Place;
import dev.skein.session.Entry;
import dev.skein.session.SessionAlias;
import dev.skein.session.SessionId;
import dev.skein.store.AdoptingStore;
import dev.skein.store.ListQuery;
import dev.skein.store.SessionHandle;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Deleted sessions that a copy makes again only to be forked from. Their name says what they are, so that a copy that
/// was interrupted leaves none for good. Not safe for use by several threads.
final class Shades {

    private static final String NAME = "being-copied_";
    private static final int PAGE = 500;

    private final AdoptingStore store;

    /// With the forks that are still to be made of each; a parent comes before its forks.
    private final Map<Place, Set<SessionId>> shades = new LinkedHashMap<>();

    Shades(AdoptingStore store) {
        this.store = store;
    }

    /// Finds those that an earlier copy left.
    void find() {
        for (var scope : store.scopes()) {
            var query = ListQuery.of(scope).withLimit(PAGE);
            do {
                var page = store.list(query);
                for (var summary : page.sessions()) {
                    var id = summary.id();
                    if (id != null && nameOf(id).text().equals(summary.alias())) {
                        shades.put(new Place(scope, id), new HashSet<>());
                    }
                }
                query = query.after(page.nextCursor());
            } while (query.cursor() != null);
        }
    }

    boolean isShade(Place place) {
        return shades.containsKey(place);
    }

    /// Opens the shade of a session, which is made if it is not there, for a fork.
    SessionHandle open(Place place, SessionId fork, Entry opening) {
        var there = shades.computeIfAbsent(place, _ -> new HashSet<>());
        there.add(fork);
        return store.locate(place.scope().owner(), place.id()).isPresent()
                ? store.open(place.scope(), place.id())
                : store.adopt(
                        nameOf(place.id()), List.of(new Entry(opening.seq(), opening.event(), null, opening.raw())));
    }

    /// This one is alive where it comes from, again.
    void isReal(Place place) {
        shades.remove(place);
    }

    /// A fork is there, or was.
    void made(SessionId fork) {
        shades.values().forEach(waiting -> waiting.remove(fork));
    }

    /// Deletes all but those whose forks could not be made: once it is deleted a session has no more forks. What the
    /// forks read of the others stays.
    void delete() {
        for (var shade : List.copyOf(shades.keySet()).reversed()) {
            if (shades.getOrDefault(shade, Set.of()).isEmpty()) {
                store.delete(shade.scope(), shade.id());
                shades.remove(shade);
            }
        }
    }

    private static SessionAlias nameOf(SessionId id) {
        return new SessionAlias(NAME + id);
    }
}
