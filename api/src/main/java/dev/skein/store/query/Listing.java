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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Cuts one page out of all summaries.
public final class Listing {

    /// Newest activity first; among equals, by id, sessions that were not migrated yet last.
    public static final Comparator<SessionSummary> NEWEST_FIRST =
            (one, other) -> Cursor.of(one).compareTo(Cursor.of(other));

    private Listing() {}

    /// A session of which only its place is known yet. What cannot be read, when it comes to that, is null and left
    /// out.
    public record Listed(Cursor place, Supplier<@Nullable SessionSummary> summary) {

        public static Listed of(SessionSummary summary) {
            return new Listed(Cursor.of(summary), () -> summary);
        }
    }

    /// The page that the query asks for. `problems` are handed through.
    ///
    /// @throws dev.skein.failure.InvalidRequest if the query's cursor is not one of ours
    public static SessionPage page(Iterable<SessionSummary> all, ListQuery query, List<String> problems) {
        var listed = new ArrayList<Listed>();
        all.forEach(summary -> listed.add(Listed.of(summary)));
        return pageOf(listed, query, problems);
    }

    /// The same, reading no more summaries than it takes to fill the page.
    public static SessionPage pageOf(List<Listed> all, ListQuery query, List<String> problems) {
        var wanted = wanted(query);
        var after = query.cursor() == null ? null : Cursor.parse(query.cursor());
        var ordered = new ArrayList<Listed>();
        for (var each : all) {
            if (after == null || after.compareTo(each.place()) < 0) {
                ordered.add(each);
            }
        }
        ordered.sort((one, other) -> one.place().compareTo(other.place()));
        var page = new ArrayList<SessionSummary>();
        for (var each : ordered) {
            var summary = each.summary().get();
            if (summary == null || !wanted.test(summary)) {
                continue;
            }
            if (page.size() == query.limit()) {
                return new SessionPage(page, Cursor.of(page.getLast()).text(), problems);
            }
            page.add(summary);
        }
        return new SessionPage(page, null, problems);
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
