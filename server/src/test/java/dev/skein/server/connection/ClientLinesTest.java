package dev.skein.server.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.helidon.webserver.CloseConnectionException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ClientLinesTest {

    @Test
    void lines_are_read_one_by_one_whatever_pieces_they_come_in() {
        var pieces = Arrays.asList("5\r", "\nhello", "\r\n0\r\n", "\r\n").iterator();
        var lines = new ClientLines(() -> pieces.next().getBytes(StandardCharsets.US_ASCII));

        assertThat(lines.readLine()).isEqualTo("5");
        assertThat(lines.readAsciiString(5)).isEqualTo("hello");
        lines.skip(2);
        assertThat(lines.readLine()).isEqualTo("0");
        assertThat(lines.readLine()).isEmpty();
    }

    @Test
    void of_a_line_without_an_end_no_more_is_taken_than_a_little() {
        var taken = new AtomicInteger();
        var lines = new ClientLines(() -> {
            taken.addAndGet(512);
            return "1".repeat(512).getBytes(StandardCharsets.US_ASCII);
        });

        assertThatThrownBy(lines::readLine).isInstanceOf(CloseConnectionException.class);
        assertThat(taken).hasValueLessThanOrEqualTo(4096);
    }
}
