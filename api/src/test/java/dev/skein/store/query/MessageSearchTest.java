package dev.skein.store.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Role;
import dev.skein.session.Entry;
import dev.skein.session.LoopEvent;
import dev.skein.session.LoopId;
import dev.skein.session.SessionId;
import dev.skein.store.SearchHit;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MessageSearchTest {

    private static final MessageSearch.Place PLACE =
            new MessageSearch.Place(SessionId.of("00000000-0000-7000-8000-000000000000"), "alias", null);

    @Test
    void a_short_message_is_its_own_snippet() {
        var hit = find("naïve", "So NAÏVE of you").orElseThrow();

        assertThat(hit.snippet()).isEqualTo("So NAÏVE of you");
        assertThat(hit.start()).isEqualTo(3);
        assertThat(hit.end()).isEqualTo(8);
    }

    @Test
    void a_match_longer_than_a_snippet_fills_it() {
        var text = "needle ".repeat(50);

        var hit = find(text, "x".repeat(200) + text).orElseThrow();

        assertThat(hit.snippet()).hasSize(MessageSearch.SNIPPET_LENGTH);
        assertThat(hit.start()).isZero();
        assertThat(hit.end()).isEqualTo(MessageSearch.SNIPPET_LENGTH);
    }

    @Test
    void a_snippet_never_cuts_a_character_in_half() {
        for (int shift = 0; shift < 4; shift++) {
            var words = "x".repeat(shift) + "🧵".repeat(60) + "needle" + "x".repeat(shift) + "🧵".repeat(60);

            var hit = find("NEEDLE", words).orElseThrow();

            assertThat(hit.snippet().codePoints().noneMatch(c -> Character.getType(c) == Character.SURROGATE))
                    .isTrue();
            assertThat(hit.snippet().substring(hit.start(), hit.end())).isEqualTo("needle");
        }
    }

    @Test
    void a_text_that_is_nowhere_is_not_found() {
        assertThat(find("needle", "needl")).isEmpty();
        assertThat(find("needle", "")).isEmpty();
    }

    private static Optional<SearchHit> find(String text, String said) {
        var message = Message.of(new MessageId("m"), Role.USER, Instant.EPOCH, said);
        var entry = Entry.of(1, new LoopEvent.MessageEnded(Instant.EPOCH, new LoopId("loop"), 0, message));
        return new MessageSearch(text).find(PLACE, entry);
    }
}
