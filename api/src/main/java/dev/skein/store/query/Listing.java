package dev.skein.store.query;

import dev.skein.session.Scope;
import dev.skein.store.ListQuery;
import dev.skein.store.SessionPage;
import dev.skein.store.SessionSummary;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Cuts one page out of all summaries.
public final class Listing {

    /// Newest activity first; among equals, by id, sessions that were not migrated yet last.
    public static final Comparator<SessionSummary> NEWEST_FIRST =
            Comparator.comparing(SessionSummary::lastActivityAt).reversed().thenComparing(Cursor::nameOf);

    private Listing() {}

    /// The page that the query asks for. `problems` are handed through.
    ///
    /// @throws dev.skein.failure.InvalidRequest if the query's cursor is not one of ours
    public static SessionPage page(Iterable<SessionSummary> all, ListQuery query, List<String> problems) {
        var wanted = wanted(query);
        var after = query.cursor() == null ? null : Cursor.parse(query.cursor());
        var found = new ArrayList<SessionSummary>();
        for (var summary : all) {
            if (wanted.test(summary) && isAfter(summary, after)) {
                found.add(summary);
            }
        }
        found.sort(NEWEST_FIRST);
        if (found.size() <= query.limit()) {
            return new SessionPage(found, null, problems);
        }
        var page = found.subList(0, query.limit());
        return new SessionPage(page, Cursor.of(page.getLast()).text(), problems);
    }

    private static boolean isAfter(SessionSummary summary, @Nullable Cursor cursor) {
        return cursor == null || cursor.isBefore(summary);
    }

    /// Whether a session is one of those that the query asks for, wherever its cursor is.
    public static Predicate<SessionSummary> wanted(ListQuery query) {
        var alias = fold(query.alias());
        var text = fold(query.text());
        return summary -> summary.owner().equals(query.owner())
                && query.agents().include(new Scope(summary.owner(), summary.agent()))
                && (alias == null || contains(summary.alias(), alias))
                && (text == null
                        || contains(summary.alias(), text)
                        || contains(summary.description(), text)
                        || contains(summary.firstMessage(), text));
    }

    private static boolean contains(@Nullable String where, String folded) {
        var haystack = fold(where);
        return haystack != null && haystack.contains(folded);
    }

    private static @Nullable String fold(@Nullable String text) {
        return text == null ? null : text.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
    }
}
