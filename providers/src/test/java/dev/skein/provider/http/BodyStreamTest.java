package dev.skein.provider.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BodyStreamTest {

    private final AtomicLong asked = new AtomicLong();
    private final AtomicBoolean cancelled = new AtomicBoolean();
    private final BodyStream stream = new BodyStream(Duration.ofMillis(50));

    private final Flow.Subscription subscription = new Flow.Subscription() {
        @Override
        public void request(long count) {
            asked.addAndGet(count);
        }

        @Override
        public void cancel() {
            cancelled.set(true);
        }
    };

    @Test
    void what_came_before_a_break_is_read_before_the_break_is_told() throws IOException {
        stream.onSubscribe(subscription);
        stream.onNext(bytes("ab", "", "c"));
        stream.onNext(bytes("d"));
        stream.onError(new IOException("cut"));

        assertThat(new String(stream.readNBytes(4), UTF_8)).isEqualTo("abcd");
        assertThatThrownBy(stream::read).isInstanceOf(IOException.class).hasMessage("cut");
    }

    @Test
    void a_body_ends() throws IOException {
        stream.onSubscribe(subscription);
        stream.onNext(bytes("ab"));
        stream.onComplete();

        assertThat(stream.readAllBytes()).isEqualTo("ab".getBytes(UTF_8));
        assertThat(stream.read()).isEqualTo(-1);
    }

    @Test
    void closing_after_the_end_leaves_the_connection_to_the_next_transfer() {
        stream.onSubscribe(subscription);
        stream.onComplete();

        stream.close();

        assertThat(cancelled).isFalse();
    }

    @Test
    void more_is_asked_for_only_as_it_is_read() throws IOException {
        stream.onSubscribe(subscription);
        var first = asked.get();
        stream.onNext(bytes("a"));
        stream.onNext(bytes("b"));
        assertThat(asked).hasValue(first);

        stream.readNBytes(1);

        assertThat(asked).hasValue(first + 1);
    }

    @Test
    void silence_is_a_failure_and_ends_the_transfer() {
        stream.onSubscribe(subscription);

        assertThatThrownBy(stream::read).isInstanceOf(CallFailed.class).hasMessage("not a byte came for 50 ms");
        assertThat(cancelled).isTrue();
    }

    @Test
    void closing_ends_the_transfer_even_before_it_has_begun() {
        stream.close();
        stream.onSubscribe(subscription);

        assertThat(cancelled).isTrue();
        assertThatThrownBy(stream::read).isInstanceOf(IOException.class).hasMessage("hung up");
    }

    private static List<ByteBuffer> bytes(String... texts) {
        return List.of(texts).stream()
                .map(text -> ByteBuffer.wrap(text.getBytes(UTF_8)))
                .toList();
    }
}
