package dev.skein.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.skein.failure.InvalidRequest;
import dev.skein.session.LoopConfigSnapshot;
import dev.skein.session.Scope;
import dev.skein.session.SessionEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class StoreValuesTest {

    private static final SessionEvent EVENT = new SessionEvent.SessionCleared(Instant.EPOCH);

    private static void refused(ThrowingCallable call) {
        assertThatExceptionOfType(InvalidRequest.class).isThrownBy(call);
    }

    @Test
    void a_batch_has_some_events_but_not_too_many() {
        assertThat(Batch.at(3, List.of(EVENT)).expectedVersion()).isEqualTo(3);
        refused(() -> Batch.at(0, List.of()));
        refused(() -> Batch.at(0, Collections.nCopies(Batch.EVENTS_MAX + 1, EVENT)));
    }

    @Test
    void a_key_is_neither_blank_nor_too_long() {
        var batch = Batch.at(0, List.of(EVENT));

        assertThat(batch.withKey("k").key()).isEqualTo("k");
        refused(() -> batch.withKey(" "));
        refused(() -> batch.withKey("k".repeat(Batch.KEY_LENGTH_MAX + 1)));
    }

    @Test
    void a_page_has_a_sensible_size() {
        var agents = new ListQuery.Agents.Any();

        assertThat(new ListQuery("ann", agents, null, null, 1, null).limit()).isEqualTo(1);
        refused(() -> new ListQuery("ann", agents, null, null, 0, null));
        refused(() -> new ListQuery("ann", agents, null, null, ListQuery.LIMIT_MAX + 1, null));
    }

    @Test
    void a_search_needs_words() {
        assertThat(SearchQuery.of("ann", "cat").withLimit(3).limit()).isEqualTo(3);
        refused(() -> SearchQuery.of("ann", " "));
        refused(() -> SearchQuery.of("ann", "cat").withLimit(0));
    }

    @Test
    void a_purge_says_what_to_keep() {
        assertThat(PurgeQuery.keeping(Scope.LOCAL, 0).keep()).isZero();
        assertThat(PurgeQuery.idleFor(Scope.LOCAL, Duration.ofDays(30)).idle()).isEqualTo(Duration.ofDays(30));
        refused(() -> new PurgeQuery(Scope.LOCAL, null, null, PurgeQuery.Which.EVERY));
        refused(() -> PurgeQuery.keeping(Scope.LOCAL, -1));
        refused(() -> PurgeQuery.idleFor(Scope.LOCAL, Duration.ofDays(-1)));
    }

    @Test
    void a_config_snapshot_names_model_and_provider() {
        assertThat(LoopConfigSnapshot.of("p", "m").model()).isEqualTo("m");
    }

    @Test
    void a_new_session_is_told_step_by_step() {
        var session = NewSession.in(Scope.LOCAL).named("work").autonamed().withEvents(List.of(EVENT));

        assertThat(session.alias()).hasToString("work");
        assertThat(session.autoname()).isTrue();
        assertThat(session.events()).containsExactly(EVENT);
    }
}
