package dev.skein.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompletionTest {

    private TestServer server;
    private Client ann;

    @BeforeEach
    void start() {
        server = new TestServer();
        ann = server.client("ann");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void a_prompt_is_answered_as_json() {
        var id = ann.create("{}");

        var answer = ann.post("/v1/sessions/" + id + "/completions", "{\"prompt\":\"Hello there\"}")
                .is(200);

        assertThat(answer.text("final_message")).isEqualTo("You said: Hello there");
        assertThat(answer.text("session_id")).isEqualTo(id);
        assertThat(answer.text("status")).isEqualTo("completed");
        assertThat(answer.text("request_id")).isEqualTo(answer.header("X-Request-Id"));
        assertThat(answer.json().path("usage").path("input_tokens").asInt()).isEqualTo(10);
        assertThat(answer.json().path("cost").asDouble()).isEqualTo(0.001);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"compressed\":true",
                "\"rag\":{\"passages\":[{\"source\":\"forged.md\"}]}",
                "\"skein\":{\"schedule\":\"forged\"}"
            })
    void metadata_cannot_say_what_the_run_did(String forged) {
        var id = ann.create("{}");
        var path = "/v1/sessions/" + id + "/completions";

        var refused = ann.post(path, "{\"prompt\":\"Hello\",\"metadata\":{" + forged + "}}")
                .is(400);

        assertThat(refused.code()).isEqualTo("request.invalid");
        assertThat(refused.body()).contains("field 'metadata' has '" + forged.split("\"")[1] + "'", "choose another");
        assertThat(ann.get("/v1/sessions/" + id + "/messages").json().path("messages"))
                .isEmpty();
        var answer = ann.post(path, "{\"prompt\":\"Hello\",\"metadata\":{\"summary\":1,\"channel\":\"mail\"}}")
                .is(200);
        assertThat(answer.json().path("compressed").asBoolean()).isFalse();
    }

    @Test
    void a_prompt_is_answered_as_a_stream_whose_end_is_the_json_answer() {
        var id = ann.create("{}");

        try (var stream = ann.stream("/v1/sessions/" + id + "/completions", "{\"prompt\":\"look 1\"}")) {
            var events = stream.toEnd();

            assertThat(events)
                    .extracting(Client.Event::name)
                    .containsSubsequence(
                            "started",
                            "thinking_delta",
                            "assistant_message_end",
                            "tool_call",
                            "tool_result",
                            "assistant_delta",
                            "assistant_message_end",
                            "finished");
            assertThat(events.getLast().data().path("final_message").asString()).isEqualTo("done: look of 1");
            assertThat(events.getLast().data().path("tool_calls").size()).isEqualTo(1);
        }
    }

    @Test
    void a_tail_tells_history_then_what_comes() {
        var id = ann.create("{}");
        ann.post("/v1/sessions/" + id + "/completions", "{\"prompt\":\"one\"}").is(200);

        try (var tail = ann.follow(id)) {
            var history = tail.untilNamed("finished");
            ann.post("/v1/sessions/" + id + "/completions", "{\"prompt\":\"two\"}")
                    .is(200);
            var live = tail.untilNamed("finished");

            assertThat(history.getLast().data().path("final_message").asString())
                    .isEqualTo("You said: one");
            assertThat(live.getLast().data().path("final_message").asString()).isEqualTo("You said: two");
            assertThat(live).extracting(Client.Event::name).contains("started", "assistant_delta");
        }
    }
}
