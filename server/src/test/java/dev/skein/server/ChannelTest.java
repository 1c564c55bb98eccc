package dev.skein.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skein.server.setup.ChannelRules;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Chats on other networks.
class ChannelTest {

    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer(TestServer.OPTIONS.withChannels(
                new ChannelRules(Map.of("telegram", Set.of("42", "43"), "matrix", Set.of(ChannelRules.EVERY)))));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void a_chat_has_a_session_of_its_own_that_goes_on() {
        var bot = server.client("bot");
        var first = bot.post("/v1/channels/telegram/42/messages", "{\"prompt\": \"one\"}")
                .is(200);
        var second = bot.post("/v1/channels/telegram/42/messages", "{\"prompt\": \"two\"}")
                .is(200);
        var other = bot.post("/v1/channels/telegram/43/messages", "{\"prompt\": \"one\"}")
                .is(200);

        assertThat(first.text("final_message")).isEqualTo("You said: one");
        assertThat(second.text("session_id")).isEqualTo(first.text("session_id"));
        assertThat(other.text("session_id")).isNotEqualTo(first.text("session_id"));
        assertThat(bot.get("/v1/sessions/telegram_42").is(200).text("id")).isEqualTo(first.text("session_id"));
    }

    @Test
    void its_session_says_whose_chat_it_is_so_that_it_can_be_purged_when_it_is_idle() {
        server.client("bot")
                .post("/v1/channels/matrix/room-7/messages", "{\"prompt\": \"hi\"}")
                .is(200);

        var scope = Scope.ofOwner("bot");
        var id = server.store.resolve(scope, new SessionAlias("matrix_room-7")).orElseThrow();
        try (var session = server.store.open(scope, id)) {
            var metadata = session.state().opened().metadata();
            assertThat(metadata.get("channel").asString()).isEqualTo("matrix");
            assertThat(metadata.get("chat").asString()).isEqualTo("room-7");
        }
    }

    @Test
    void the_model_sees_the_newest_fifty_messages() {
        var bot = server.client("bot");
        for (int i = 0; i < 30; i++) {
            bot.post("/v1/channels/matrix/long/messages", "{\"prompt\": \"word " + i + "\"}")
                    .is(200);
        }

        assertThat(server.model.seen.getLast().messages())
                .hasSizeLessThanOrEqualTo(50)
                .hasSizeGreaterThan(40);
    }

    @ParameterizedTest
    @ValueSource(strings = {"telegram/44", "signal/42", "telegram/*"})
    void chats_that_the_operator_did_not_allow_are_not_heard(String chat) {
        var answer = server.client("bot").post("/v1/channels/" + chat + "/messages", "{\"prompt\": \"hi\"}");

        assertThat(answer.is(403).code()).isEqualTo("channel.not_allowed");
    }

    @Test
    void a_chat_whose_id_cannot_be_a_name_is_refused() {
        var answer = server.client("bot").post("/v1/channels/matrix/a%2Fb/messages", "{\"prompt\": \"hi\"}");

        assertThat(answer.status()).isEqualTo(400);
    }
}
