package dev.skein.provider.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.langchain4j.http.client.sse.ServerSentEvent;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventStreamTest {

    @Test
    void an_event_has_a_name_and_data() throws IOException {
        assertThat(events("event: ping\ndata: {}\n\n")).containsExactly("ping={}");
    }

    @Test
    void lines_may_end_in_any_of_three_ways() throws IOException {
        assertThat(events("data: a\r\n\r\ndata: b\n\ndata: c\r\rdata: d\r\n\n")).containsExactly("a", "b", "c", "d");
    }

    @Test
    void several_lines_of_data_are_one_text() throws IOException {
        assertThat(events("data: a\ndata\ndata:b\ndata:  c\n\n")).containsExactly("a\nb\n c");
    }

    @Test
    void comments_unknown_fields_and_events_without_data_are_passed_over() throws IOException {
        assertThat(events(": hello\nid: 7\nretry: 10\n\nevent: lost\n\ndata: x\n\n"))
                .containsExactly("x");
    }

    @Test
    void the_last_event_may_lack_its_empty_line() throws IOException {
        assertThat(events("data: a\n\ndata: b")).containsExactly("a", "b");
    }

    @Test
    void an_endless_line_is_refused_before_it_fills_the_memory() {
        var endless = new InputStream() {
            @Override
            public int read() {
                return 'x';
            }
        };

        assertThatThrownBy(() -> new EventStream(endless, Framing.EVENTS).next())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("longer than");
    }

    private static List<String> events(String text) throws IOException {
        var stream = new EventStream(new ByteArrayInputStream(text.getBytes(UTF_8)), Framing.EVENTS);
        var found = new ArrayList<String>();
        for (ServerSentEvent event = stream.next(); event != null; event = stream.next()) {
            found.add(event.event() == null ? event.data() : event.event() + "=" + event.data());
        }
        return found;
    }
}
