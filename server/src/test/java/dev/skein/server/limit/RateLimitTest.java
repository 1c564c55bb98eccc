package dev.skein.server.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RateLimitTest {

    private final AtomicLong nanos = new AtomicLong();
    private final RateLimit limit = new RateLimit(new Rate(2, 3), nanos::get);

    @Test
    void a_burst_is_allowed_and_then_the_rate() {
        assertThat(IntStream.range(0, 3).mapToObj(_ -> limit.take("ann"))).allMatch(wait -> wait.isEmpty());
        assertThat(limit.take("ann")).contains(Duration.ofMillis(500));
        pass(Duration.ofMillis(250));
        assertThat(limit.take("ann")).contains(Duration.ofMillis(250));
        pass(Duration.ofMillis(250));
        assertThat(limit.take("ann")).isEmpty();
        assertThat(limit.take("ann")).isPresent();
    }

    @Test
    void one_caller_does_not_use_up_what_others_have() {
        IntStream.range(0, 10).forEach(_ -> limit.take("ann"));

        assertThat(limit.take("bob")).isEmpty();
    }

    @Test
    void a_request_that_was_overtaken_by_a_later_one_is_not_refused_for_it() {
        pass(Duration.ofSeconds(10));
        assertThat(limit.take("ann")).isEmpty();
        nanos.addAndGet(-Duration.ofSeconds(5).toNanos());
        assertThat(limit.take("ann")).isEmpty();
        assertThat(limit.take("ann")).isEmpty();

        nanos.addAndGet(Duration.ofSeconds(5).toNanos());
        assertThat(limit.take("ann")).contains(Duration.ofMillis(500));
    }

    @Test
    void no_more_than_a_burst_is_saved_up() {
        pass(Duration.ofDays(1));

        assertThat(IntStream.range(0, 10)
                        .filter(_ -> limit.take("ann").isEmpty())
                        .count())
                .isEqualTo(3);
    }

    @Test
    void a_crowd_is_not_remembered_for_ever() {
        for (int i = 0; i < 30_000; i++) {
            limit.take("caller " + i);
        }
        assertThat(limit.size()).isLessThanOrEqualTo(10_001);

        pass(Duration.ofMinutes(1));
        assertThat(limit.take("somebody new")).isEmpty();
        assertThat(limit.size()).isLessThan(10);
    }

    @Test
    void a_new_rate_holds_at_once() {
        limit.change(new Rate(1, 1));

        assertThat(limit.take("ann")).isEmpty();
        assertThat(limit.take("ann")).contains(Duration.ofSeconds(1));
        assertThatThrownBy(() -> new Rate(0, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void places_are_given_back_once_however_often_they_are_closed() {
        var places = new AtOnce(2);
        var first = places.enter("ann").orElseThrow();
        var second = places.enter("ann").orElseThrow();
        assertThat(places.enter("ann")).isEmpty();
        assertThat(places.enter("bob")).isPresent();

        first.close();
        first.close();

        assertThat(places.enter("ann")).isPresent();
        assertThat(places.enter("ann")).isEmpty();
        second.close();
        assertThat(places.count("ann")).isEqualTo(1);
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }
}
