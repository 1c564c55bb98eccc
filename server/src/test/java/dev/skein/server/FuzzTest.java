package dev.skein.server;

import dev.skein.server.http.BodyFuzz;
import dev.skein.server.route.NamesFuzz;
import dev.skein.server.stream.SseFuzz;
import dev.skein.testkit.fuzz.Mutations;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A moment of nonsense for each parser of the server; `bin/fuzz` goes on for longer.
class FuzzTest {

    private static final int ROUNDS = Integer.getInteger("skein.fuzz", 3_000);

    @Test
    void the_encoder_of_events() {
        var lines = """
                assistant_delta {"text":"\u2028\u0085 \uD83D\uDE00"}

                event: other
                data: 1""";

        Mutations.of(
                List.of("started{\"request_id\":\"r\",\"text\":\"one\"}", "x\ry", lines),
                ROUNDS,
                SseFuzz::fuzzerTestOneInput);
    }

    @Test
    void a_body_that_a_stranger_sent() {
        Mutations.of(
                List.of(
                        "{\"prompt\":\"hello\",\"stream\":true,\"metadata\":{\"a\":[1,2.5e3,null]}}",
                        "{\"a\":{\"a\":{\"a\":{}}},\"b\":\"\\ud83d\\ude00\"}",
                        "{\"n\":1e999999,\"n2\":-0,\"a\":\"\\u0000\"}"),
                ROUNDS,
                BodyFuzz::fuzzerTestOneInput);
    }

    @Test
    void paths_ids_and_names() {
        Mutations.of(
                List.of(
                        "/v1/sessions/0197f0c0-0000-7000-8000-000000000001/events",
                        "/v1/sessions/my%20chat/messages",
                        "/v1/channels/telegram/42/messages",
                        "/v1/sessions/..%2f..%2fetc%2fpasswd",
                        "my-chat_1.x",
                        "Ünïcode",
                        "con.txt"),
                ROUNDS,
                NamesFuzz::fuzzerTestOneInput);
    }
}
