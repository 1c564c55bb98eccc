package dev.skein.server.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.live.LiveEvent;
import dev.skein.message.Part;
import dev.skein.message.ToolCallId;
import dev.skein.server.stream.Mailbox.Mail;
import dev.skein.session.SessionId;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.JsonNodeFactory;

/// However much is told, a reader that does not read holds no more than it may.
class MailboxTest {

    private static final SessionId SESSION = new SessionId(new UUID(1, 2));
    private static final int CHARS_MAX = 64 * 1024;
    private static final String LONG = "x".repeat(10_000);

    private final Mailbox mailbox = new Mailbox(1_000, CHARS_MAX);

    @Test
    void events_come_out_as_they_went_in() throws Exception {
        mailbox.offer(event(1, new LiveEvent.Started()));
        mailbox.offer(event(2, new LiveEvent.AssistantDelta("hello")));

        assertThat(next()).isEqualTo(1);
        assertThat(next()).isEqualTo(2);
        assertThat(mailbox.take(Duration.ZERO)).isInstanceOf(Mail.Nothing.class);
        assertThat(mailbox.waiting()).isZero();
    }

    @Test
    void whatever_the_events_are_they_are_weighed() throws Exception {
        var call = new Part.ToolCall(
                new ToolCallId("c"),
                "tool",
                JsonNodeFactory.instance.objectNode().put("a", LONG),
                null);
        var picture = new Part.Image("image/png", LONG, null, null);
        var result = new Part.ToolResult(
                call.id(),
                "tool",
                List.of(picture, new Part.Text(LONG)),
                false,
                JsonNodeFactory.instance.stringNode(LONG));
        for (var body : List.of(
                new LiveEvent.AssistantDelta(LONG),
                new LiveEvent.ThinkingDelta(LONG),
                new LiveEvent.AssistantMessageEnd(LONG),
                new LiveEvent.Noted(LONG),
                new LiveEvent.Warning(LONG),
                new LiveEvent.Failed("code", LONG),
                new LiveEvent.ToolCall(call),
                new LiveEvent.ApprovalRequired(call, LONG),
                new LiveEvent.ToolResult(result))) {
            var box = new Mailbox(1_000, CHARS_MAX);
            var most = 0;
            for (int i = 1; i <= 100; i++) {
                box.offer(event(i, body));
                most = Math.max(most, box.waiting());
            }

            assertThat(most).as(body.getClass().getSimpleName()).isBetween(LONG.length(), CHARS_MAX);
            assertThat(box.take(Duration.ZERO)).isInstanceOf(Mail.Overflown.class);
            assertThat(box.waiting()).isZero();
        }
    }

    @Test
    void small_events_are_counted() throws Exception {
        for (int i = 1; i <= 1_001; i++) {
            mailbox.offer(event(i, new LiveEvent.Started()));
        }

        assertThat(mailbox.take(Duration.ZERO)).isInstanceOf(Mail.Overflown.class);
    }

    @Test
    void one_event_that_is_larger_than_the_mailbox_still_gets_through() throws Exception {
        mailbox.offer(event(1, new LiveEvent.AssistantMessageEnd("x".repeat(2 * CHARS_MAX))));

        assertThat(next()).isEqualTo(1);
    }

    @Test
    void an_event_for_many_is_encoded_once() {
        var letter = new Letter(event(1, new LiveEvent.AssistantDelta("hello")));

        assertThat(letter.own()).isSameAs(letter.own()).isEqualTo(Sse.event(letter.event()));
    }

    private long next() throws InterruptedException {
        return ((Mail.Event) mailbox.take(Duration.ZERO)).letter().event().seq();
    }

    private static LiveEvent event(long seq, LiveEvent.Body body) {
        return new LiveEvent("r", SESSION, null, seq, 0, body);
    }
}
