package dev.skein.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class HealthTest {

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger asked = new AtomicInteger();

    @Test
    void it_is_ready_while_the_store_answers_and_it_is_not_stopping() {
        var health = new Health(asked::incrementAndGet, Duration.ofSeconds(60), nanos::get);
        assertThat(health.isReady()).isTrue();

        health.drain();

        assertThat(health.isReady()).isFalse();
        assertThat(health.isDraining()).isTrue();
    }

    @Test
    void the_store_is_asked_at_most_once_a_second_whoever_asks() {
        var health = new Health(asked::incrementAndGet, Duration.ofSeconds(60), nanos::get);
        for (int i = 0; i < 100; i++) {
            assertThat(health.isReady()).isTrue();
        }
        assertThat(asked).hasValue(1);

        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
        assertThat(health.isReady()).isTrue();
        assertThat(asked).hasValue(2);
    }

    @Test
    void a_store_that_fails_or_is_silent_is_not_ready() {
        var broken = new Health(
                () -> {
                    throw new IllegalStateException("gone");
                },
                Duration.ofSeconds(60),
                nanos::get);
        assertThat(broken.isReady()).isFalse();
        var never = new CountDownLatch(1);
        var silent = new Health(
                () -> {
                    try {
                        never.await();
                    } catch (InterruptedException _) {
                        Thread.currentThread().interrupt();
                    }
                },
                Duration.ofMillis(50),
                nanos::get);
        assertThat(silent.isReady()).isFalse();
    }
}
