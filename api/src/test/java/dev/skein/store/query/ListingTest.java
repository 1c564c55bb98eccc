package dev.skein.store.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.message.Cost;
import dev.skein.message.Usage;
import dev.skein.session.Ids;
import dev.skein.session.SessionId;
import dev.skein.session.SessionStatus;
import dev.skein.store.ListQuery;
import dev.skein.store.SessionSummary;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ListingTest {

    private final Ids ids = new Ids(Clock.systemUTC(), new Random(1));

    @Test
    void pages_cover_ten_thousand_sessions_migrated_or_not() {
        var random = new Random(2);
        var all = new ArrayList<SessionSummary>();
        for (int i = 0; i < 10_000; i++) {
            var at = Instant.EPOCH.plusSeconds(random.nextInt(1_000));
            all.add(i % 100 == 0 ? summary(null, at, "old-" + i) : summary(ids.session(), at, null));
        }

        var seen = new ArrayList<SessionSummary>();
        var query = ListQuery.ofOwner("me").withLimit(999);
        do {
            var page = Listing.page(all, query, List.of());
            seen.addAll(page.sessions());
            query = query.after(page.nextCursor());
        } while (query.cursor() != null);

        assertThat(seen).isEqualTo(all.stream().sorted(Listing.NEWEST_FIRST).toList());
    }

    @Test
    void no_more_is_read_than_is_shown() {
        var read = new ArrayList<Instant>();
        var all = new ArrayList<Listing.Listed>();
        for (int i = 0; i < 1_000; i++) {
            var summary = summary(ids.session(), Instant.EPOCH.plusSeconds(i), null);
            all.add(new Listing.Listed(Cursor.of(summary), () -> {
                read.add(summary.lastActivityAt());
                return summary;
            }));
        }

        var page = Listing.pageOf(all, ListQuery.ofOwner("me").withLimit(50), List.of());

        assertThat(page.sessions()).hasSize(50);
        assertThat(read).as("the page and whether there are more").hasSize(51);
    }

    @Test
    void what_cannot_be_read_any_more_is_left_out() {
        var good = summary(ids.session(), Instant.EPOCH, null);
        var gone = new Listing.Listed(Cursor.of(summary(ids.session(), Instant.MAX, null)), () -> null);

        var page = Listing.pageOf(List.of(gone, Listing.Listed.of(good)), ListQuery.ofOwner("me"), List.of());

        assertThat(page.sessions()).containsExactly(good);
    }

    @Test
    void problems_are_handed_through() {
        var page = Listing.page(List.of(), ListQuery.ofOwner("me"), List.of("a file is unreadable"));

        assertThat(page.problems()).containsExactly("a file is unreadable");
    }

    private static SessionSummary summary(SessionId id, Instant at, String legacy) {
        return new SessionSummary(
                id,
                legacy,
                "me",
                null,
                null,
                SessionStatus.IDLE,
                null,
                null,
                null,
                null,
                at,
                at,
                0,
                0,
                null,
                Usage.NONE,
                Cost.NONE,
                false,
                null,
                null,
                legacy);
    }
}
