package dev.skein.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.message.Role;
import dev.skein.store.ListQuery.Agents;
import dev.skein.store.NewSession;
import dev.skein.store.SearchHit;
import dev.skein.store.SearchQuery;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The promises of [dev.skein.store.SessionStore] about finding messages.
public abstract class SearchContract extends StoreFixture {

    @Test
    void a_hit_says_where_the_text_is() {
        var handle = create("oceans");
        handle.append(events.exchange(null, "Tell me about the Blue Whale, please.", "It is large."));

        var hits = search("blue whale");

        var hit = hits.getFirst();
        var loop = handle.load().roots().getFirst().id();
        assertThat(hits)
                .containsExactly(new SearchHit(
                        handle.id(),
                        "oceans",
                        null,
                        loop,
                        4,
                        Role.USER,
                        clock.instant(),
                        "Tell me about the Blue Whale, please.",
                        18,
                        28));
        assertThat(hit.snippet().substring(hit.start(), hit.end())).isEqualTo("Blue Whale");
    }

    @Test
    void answers_and_tool_results_are_found_too() {
        create().append(events.exchange(null, "question", "the NEEDLE is here"));
        create().append(events.toolUse(null, "look", "a needle in the tool's result"));

        assertThat(search("needle")).extracting(SearchHit::role).containsExactlyInAnyOrder(Role.ASSISTANT, Role.TOOL);
    }

    @Test
    void a_search_is_literal() {
        say(create(), "a.b*c");
        say(create(), "axbbc");

        assertThat(search("a.b*c"))
                .hasSize(2)
                .allSatisfy(hit -> assertThat(hit.snippet()).contains("a.b*c"));
        assertThat(search(".*")).isEmpty();
    }

    @Test
    void a_snippet_is_short_and_on_one_line_and_its_offsets_are_right() {
        var text = "🧵".repeat(100) + "\r\n\tbefore\u0000 THE NEEDLE\nafter " + "日本語".repeat(100);
        create().append(events.exchange(null, text, "ok"));

        var hit = search("the needle").getFirst();

        assertThat(hit.snippet().length()).isBetween(40, 100);
        assertThat(hit.snippet().substring(hit.start(), hit.end())).isEqualTo("THE NEEDLE");
        assertThat(hit.snippet().chars().noneMatch(Character::isISOControl)).isTrue();
        assertThat(hit.snippet().codePoints().noneMatch(c -> Character.getType(c) == Character.SURROGATE))
                .isTrue();
    }

    @Test
    void hits_of_newer_sessions_come_first() {
        var old = create("old");
        var fresh = create("fresh");
        say(old, "needle");
        say(fresh, "needle");
        assertThat(search("needle")).extracting(SearchHit::alias).containsExactly("fresh", "fresh", "old", "old");

        say(old, "more");

        assertThat(search("needle")).extracting(SearchHit::alias).containsExactly("old", "old", "fresh", "fresh");
    }

    @Test
    void a_search_ends_at_its_limit() {
        for (int i = 0; i < 5; i++) {
            say(create(), "needle " + i);
        }

        assertThat(search(SearchQuery.of(SCOPE.owner(), "needle").withLimit(3))).hasSize(3);
    }

    @Test
    void a_search_can_be_of_one_agent() {
        say(create("plain"), "needle");
        say(store.create(NewSession.in(SCOPE.withAgent("coder")).named("coding")), "needle");
        var query = SearchQuery.of(SCOPE.owner(), "needle");

        assertThat(search(query)).extracting(SearchHit::agent).containsOnly(null, "coder");
        assertThat(search(query.withAgents(new Agents.Named("coder"))))
                .extracting(SearchHit::alias)
                .containsOnly("coding");
        assertThat(search(query.withAgents(new Agents.None())))
                .extracting(SearchHit::alias)
                .containsOnly("plain");
    }

    @Test
    void a_hit_has_the_current_alias() {
        var handle = create("before");
        say(handle, "needle");

        store.rename(SCOPE, handle.id(), alias("after"));

        assertThat(search("needle")).extracting(SearchHit::alias).containsOnly("after");
    }

    @Test
    void a_deleted_session_is_not_searched() {
        var handle = create();
        say(handle, "needle");

        store.delete(SCOPE, handle.id());

        assertThat(search("needle")).isEmpty();
    }

    @Test
    void a_fork_is_found_by_what_it_shares_with_a_deleted_parent() {
        var parent = create();
        parent.append(events.exchange(null, "needle", "ok"));
        var fork = store.fork(SCOPE, parent.id(), 7, unnamed());

        store.delete(SCOPE, parent.id());

        assertThat(search("needle")).extracting(SearchHit::session).containsExactly(fork.id());
    }

    @Test
    void what_nobody_said_is_not_found() {
        say(create("needle in the alias"), "hay");
        create().append(List.of(events.described("needle in the description"), events.unknown("needle")));

        assertThat(search("needle")).isEmpty();
    }

    private List<SearchHit> search(String text) {
        return search(SearchQuery.of(SCOPE.owner(), text));
    }

    private List<SearchHit> search(SearchQuery query) {
        var hits = new ArrayList<SearchHit>();
        store.search(query, hits::add);
        return hits;
    }
}
