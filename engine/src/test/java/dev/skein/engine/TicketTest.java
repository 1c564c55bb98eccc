package dev.skein.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skein.failure.InvalidRequest;
import dev.skein.live.RunOutcome;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.BooleanNode;

class TicketTest {

    @Test
    void what_a_run_notes_about_itself_cannot_come_with_the_request() {
        assertThatThrownBy(() -> new Ticket(null, Map.of(RunOutcome.COMPRESSED, BooleanNode.TRUE)))
                .isInstanceOf(InvalidRequest.class)
                .hasMessageContaining("the metadata has 'compressed'");
        assertThat(new Ticket(null, Map.of(Ticket.OURS, BooleanNode.TRUE, "mine", BooleanNode.TRUE)).metadata())
                .containsOnlyKeys(Ticket.OURS, "mine");
    }
}
