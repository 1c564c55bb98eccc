package dev.skein.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.testkit.HistoryChecker.Op;
import dev.skein.testkit.HistoryChecker.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The checker accepts what is right and finds every planted violation.
class HistoryCheckerTest {

    @Test
    void a_right_history_passes() {
        var history = List.of(
                append("a", 1, 2, 2),
                append("b", 3, 4, 3),
                new Op(true, "c", 5, 0, Outcome.UNKNOWN, 0),
                new Op(true, "refused", 5, 6, Outcome.REFUSED, 0),
                read(7, 8, 3, "a", "b"));

        assertThat(check(List.of("a", "b"), history)).isEmpty();
        assertThat(check(List.of("a", "b", "c"), history)).isEmpty();
    }

    @Test
    void a_lost_acknowledged_append_is_found() {
        assertThat(check(List.of("a"), List.of(append("a", 1, 2, 2), append("b", 3, 4, 3))))
                .singleElement()
                .asString()
                .startsWith("lost: b");
    }

    @Test
    void a_wrong_sequence_number_is_found() {
        assertThat(check(List.of("a", "b"), List.of(append("a", 1, 9, 3), append("b", 1, 9, 2))))
                .hasSize(2)
                .allMatch(violation -> violation.startsWith("lost"));
    }

    @Test
    void a_duplicate_is_found() {
        assertThat(check(List.of("a", "a"), List.of(append("a", 1, 2, 2)))).anyMatch(v -> v.startsWith("duplicate: a"));
    }

    @Test
    void a_phantom_is_found() {
        assertThat(check(List.of("ghost"), List.of()))
                .singleElement()
                .asString()
                .startsWith("phantom: nobody");
        assertThat(check(List.of("x"), List.of(new Op(true, "x", 1, 2, Outcome.REFUSED, 0))))
                .singleElement()
                .asString()
                .startsWith("phantom: x was refused");
    }

    @Test
    void a_read_that_is_no_prefix_is_found() {
        var history = List.of(append("a", 1, 2, 2), append("b", 3, 4, 3), read(5, 6, 3, "b", "a"));

        assertThat(check(List.of("a", "b"), history)).singleElement().asString().startsWith("no prefix");
    }

    @Test
    void a_stale_read_is_found() {
        var history = List.of(append("a", 1, 2, 2), append("b", 3, 4, 3), read(5, 6, 2, "a"));

        assertThat(check(List.of("a", "b"), history)).singleElement().asString().startsWith("order");
    }

    @Test
    void an_append_before_one_that_had_ended_is_found() {
        var history = List.of(append("later", 1, 2, 3), append("earlier", 3, 4, 2));

        assertThat(check(List.of("earlier", "later"), history))
                .singleElement()
                .asString()
                .startsWith("order");
    }

    @Test
    void a_hundred_thousand_operations_are_judged_at_once() {
        var stored = new ArrayList<String>();
        var history = new ArrayList<Op>();
        for (int i = 0; i < 100_000; i++) {
            stored.add("v" + i);
            history.add(append("v" + i, 2L * i, 2L * i + 3, i + 2L));
        }

        assertThat(check(stored, history)).isEmpty();
    }

    private static List<String> check(List<String> stored, List<Op> history) {
        return new HistoryChecker(stored, 2).violationsIn(history);
    }

    private static Op append(String value, long invoked, long ended, long seq) {
        return new Op(true, value, invoked, ended, Outcome.OK, seq);
    }

    private static Op read(long invoked, long ended, long last, String... seen) {
        var digest = 0;
        for (var value : seen) {
            digest = HistoryChecker.digest(digest, value);
        }
        return new Op(false, String.valueOf(digest), invoked, ended, Outcome.OK, last);
    }
}
