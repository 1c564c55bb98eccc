package dev.skein.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.failure.InvalidRequest;
import dev.skein.session.LoopStatus;
import dev.skein.session.SessionId;
import dev.skein.session.SessionStatus;
import dev.skein.store.ListQuery;
import dev.skein.store.ListQuery.Agents;
import dev.skein.store.NewSession;
import dev.skein.store.SessionSummary;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// The promises of [dev.skein.store.SessionStore] about listing: order, pages, filters, the last session.
public abstract class ListingContract extends StoreFixture {

    private static final ListQuery ALL = ListQuery.of(SCOPE);

    @Test
    void an_empty_store_lists_nothing() {
        var page = store.list(ALL);

        assertThat(page.sessions()).isEmpty();
        assertThat(page.nextCursor()).isNull();
        assertThat(page.problems()).isEmpty();
    }

    @Test
    void sessions_come_newest_activity_first() {
        var one = create("one");
        var two = create("two");
        var three = create("three");
        say(two, "first");
        say(three, "second");
        say(one, "third");

        assertThat(aliases(ALL)).containsExactly("one", "three", "two");
    }

    @Test
    void a_summary_is_what_the_state_says() {
        var handle = create("known");
        handle.append(events.toolUse(null, "what is it?", "a test"));
        handle.append(List.of(events.described("about tests")));

        var summary = store.list(ALL).sessions().getFirst();

        assertThat(summary).isEqualTo(SessionSummary.of(handle.state()));
        assertThat(summary.firstMessage()).isEqualTo("what is it?");
        assertThat(summary.description()).isEqualTo("about tests");
        assertThat(summary.messageCount()).isEqualTo(3);
        assertThat(summary.loopCount()).isEqualTo(1);
        assertThat(summary.usage().totalTokens()).isEqualTo(10);
        assertThat(summary.status()).isEqualTo(SessionStatus.IDLE);
    }

    @Test
    void a_summary_tells_a_running_session_from_an_aborted_one() {
        var handle = create();
        var unfinished = events.unfinished(null, "go");
        handle.append(unfinished);
        assertThat(store.list(ALL).sessions().getFirst().status()).isEqualTo(SessionStatus.RUNNING);

        var loop = handle.state().open().getFirst().loop();
        handle.append(List.of(events.ended(loop, LoopStatus.ABORTED)));

        assertThat(store.list(ALL).sessions().getFirst().status()).isEqualTo(SessionStatus.ABORTED);
    }

    @Test
    void a_summary_keeps_the_time_of_creation() {
        var created = clock.instant();
        var handle = create();
        clock.advance(Duration.ofDays(3));
        say(handle, "much later");

        var summary = store.list(ALL).sessions().getFirst();

        assertThat(summary.createdAt()).isEqualTo(created);
        assertThat(summary.lastActivityAt()).isEqualTo(clock.instant());
    }

    @Test
    void pages_together_show_every_session_once_also_among_equal_times() {
        IntStream.range(0, 40).forEach(i -> {
            clock.advance(Duration.ofSeconds(i % 10 == 0 ? 1 : 0));
            create();
        });
        var whole = ids(store.list(ALL.withLimit(100)).sessions());

        var paged = new ArrayList<SessionId>();
        var query = ALL.withLimit(7);
        var pages = 0;
        do {
            var page = store.list(query);
            paged.addAll(ids(page.sessions()));
            query = query.after(page.nextCursor());
            pages++;
        } while (query.cursor() != null);

        assertThat(whole).hasSize(40).doesNotHaveDuplicates();
        assertThat(paged).isEqualTo(whole);
        assertThat(pages).isEqualTo(6);
    }

    @Test
    void the_last_page_has_no_cursor_also_when_it_is_full() {
        create();
        create();

        var first = store.list(ALL.withLimit(1));
        var second = store.list(ALL.withLimit(1).after(first.nextCursor()));

        assertThat(first.nextCursor()).isNotNull();
        assertThat(second.sessions()).hasSize(1);
        assertThat(second.nextCursor()).isNull();
    }

    @Test
    void a_cursor_outlives_the_session_it_stands_at() {
        for (var name : List.of("four", "three", "two", "one")) {
            clock.advance(Duration.ofSeconds(1));
            create(name);
        }
        var first = store.list(ALL.withLimit(2));
        store.delete(SCOPE, ids(first.sessions()).getLast());

        assertThat(aliases(ALL.after(first.nextCursor()))).containsExactly("three", "four");
    }

    @Test
    void a_garbage_cursor_is_refused() {
        create();
        var plausible =
                Base64.getUrlEncoder().encodeToString("yesterday x".getBytes(java.nio.charset.StandardCharsets.UTF_8));

        for (var garbage : List.of("", "garbage", "!!!", "\u0000", plausible)) {
            assertThatThrownBy(() -> store.list(ALL.after(garbage))).isInstanceOf(InvalidRequest.class);
        }
    }

    @Test
    void the_alias_filter_matches_anywhere_whatever_the_case() {
        create("Blue Whale");
        create("blueprint");
        create("red");
        create();

        assertThat(aliases(ALL.withAlias("BLUE"))).containsExactlyInAnyOrder("Blue Whale", "blueprint");
        assertThat(aliases(ALL.withAlias("whale"))).containsExactly("Blue Whale");
    }

    @Test
    void the_text_filter_looks_at_alias_description_and_first_message() {
        create("about Cats");
        create("described").append(List.of(events.described("all my CATS")));
        say(create("asked"), "do cats dream?");
        say(create("other"), "do dogs dream?");

        assertThat(aliases(ALL.withText("cats"))).containsExactlyInAnyOrder("about Cats", "described", "asked");
    }

    @Test
    void filters_are_literal() {
        create("a.b");
        create("axb");

        assertThat(aliases(ALL.withAlias("a.b"))).containsExactly("a.b");
        assertThat(aliases(ALL.withText(".*"))).isEmpty();
    }

    @Test
    void filters_and_pages_go_together() {
        for (int i = 0; i < 10; i++) {
            clock.advance(Duration.ofSeconds(1));
            create((i % 2 == 0 ? "even " : "odd ") + i);
        }
        var first = store.list(ALL.withAlias("even").withLimit(3));
        var second = store.list(ALL.withAlias("even").withLimit(3).after(first.nextCursor()));

        assertThat(first.sessions()).extracting(SessionSummary::alias).containsExactly("even 8", "even 6", "even 4");
        assertThat(second.sessions()).extracting(SessionSummary::alias).containsExactly("even 2", "even 0");
        assertThat(second.nextCursor()).isNull();
    }

    @Test
    void a_listing_can_be_of_no_agent_of_one_or_of_all() {
        create("plain");
        store.create(NewSession.in(SCOPE.withAgent("coder")).named("coding"));
        store.create(NewSession.in(SCOPE.withAgent("writer")).named("writing"));
        var everybody = ListQuery.ofOwner(SCOPE.owner());

        assertThat(aliases(ALL)).containsExactly("plain");
        assertThat(aliases(ListQuery.of(SCOPE.withAgent("coder")))).containsExactly("coding");
        assertThat(aliases(everybody)).containsExactlyInAnyOrder("plain", "coding", "writing");
        assertThat(everybody.agents()).isEqualTo(new Agents.Any());
    }

    @Test
    void the_last_session_is_the_one_used_last() {
        var one = create("one");
        var two = create("two");
        say(two, "hello");
        assertThat(store.last(SCOPE)).contains(two.id());

        say(one, "hello");

        assertThat(store.last(SCOPE)).contains(one.id());
    }

    @Test
    void an_empty_scope_has_no_last_session() {
        store.create(NewSession.in(SCOPE.withAgent("coder")));

        assertThat(store.last(SCOPE)).isEmpty();
    }

    @Test
    void each_scope_has_its_own_last_session() {
        var plain = create();
        clock.advance(Duration.ofSeconds(1));
        var coder = store.create(NewSession.in(SCOPE.withAgent("coder")));

        assertThat(store.last(SCOPE)).contains(plain.id());
        assertThat(store.last(SCOPE.withAgent("coder"))).contains(coder.id());
    }

    @Test
    void when_the_last_session_is_deleted_the_one_before_is_the_last() {
        var one = create();
        say(one, "first");
        var two = create();
        say(two, "second");

        store.delete(SCOPE, two.id());
        assertThat(store.last(SCOPE)).contains(one.id());

        store.delete(SCOPE, one.id());
        assertThat(store.last(SCOPE)).isEmpty();
    }

    @Test
    void a_deleted_session_is_neither_listed_nor_found() {
        var handle = create("gone");

        store.delete(SCOPE, handle.id());

        assertThat(store.list(ALL).sessions()).isEmpty();
        assertThat(store.resolve(SCOPE, alias("gone"))).isEmpty();
        assertThat(store.locate(SCOPE.owner(), handle.id())).isEmpty();
        assertThatThrownBy(() -> store.open(SCOPE, handle.id())).hasMessageContaining("no session");
        assertThatThrownBy(() -> store.delete(SCOPE, handle.id())).hasMessageContaining("no session");
    }

    @Test
    void a_listing_is_the_same_after_reopening() {
        say(create("one"), "hello");
        say(create("two"), "hello");
        var before = store.list(ALL);
        var last = store.last(SCOPE);

        reopen();

        assertThat(store.list(ALL)).isEqualTo(before);
        assertThat(store.last(SCOPE)).isEqualTo(last);
    }

    private List<String> aliases(ListQuery query) {
        return store.list(query).sessions().stream()
                .map(summary -> String.valueOf(summary.alias()))
                .toList();
    }

    private static List<SessionId> ids(List<SessionSummary> summaries) {
        var ids = new ArrayList<SessionId>();
        for (var summary : summaries) {
            if (summary.id() != null) {
                ids.add(summary.id());
            }
        }
        return ids;
    }
}
