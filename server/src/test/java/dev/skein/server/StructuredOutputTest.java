package dev.skein.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.models.ResponseFormatJsonObject;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Answers that have to look like something, over a real socket and to OpenAI's own client.
class StructuredOutputTest {

    private static final String FORMAT = """
            {"type":"json_schema","json_schema":{"name":"price","schema":
            {"type":"object","properties":{"price":{"type":"number"}},"required":["price"]}}}""";
    private static final String WRONG = "{\"price\":\"x\"}";

    private static TestServer server;
    private static Client ann;
    private static OpenAIClient client;

    @BeforeAll
    static void start() {
        server = new TestServer();
        ann = server.client("ann");
        client = OpenAIOkHttpClient.builder()
                .baseUrl("http://127.0.0.1:" + server.server.port() + "/v1")
                .apiKey("alice")
                .maxRetries(0)
                .build();
        server.model.stage.put("What is it?", "say ```json\n{\"price\":7}\n```");
        server.model.stage.put("Guess.", "say " + WRONG);
        server.model.stage.put(
                "Your answer does not have the shape that was asked for: /price: string found, number expected\n"
                        + "Answer again, with nothing but JSON that fits the schema.",
                "say {\"price\":8}");
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    @Test
    void an_answer_has_its_value_beside_what_was_said() {
        var answer = complete(ann.create("{}"), "What is it?").is(200);

        assertThat(answer.json().path("structured_output")).hasToString("{\"price\":7}");
        assertThat(answer.text("final_message")).isEqualTo("```json\n{\"price\":7}\n```");
    }

    @Test
    void a_session_that_is_not_kept_answers_so_too() {
        var answer = ann.post("/v1/completions", body("What is it?")).is(200);

        assertThat(answer.json().path("structured_output")).hasToString("{\"price\":7}");
    }

    @Test
    void a_stream_tells_of_the_second_try_and_ends_with_the_value() {
        var id = ann.create("{}");
        try (var stream = ann.stream("/v1/sessions/" + id + "/completions", body("Guess."))) {
            var events = stream.toEnd();

            assertThat(events).extracting(Client.Event::name).containsSubsequence("warning", "finished");
            assertThat(events.getLast().data().path("structured_output")).hasToString("{\"price\":8}");
        }
        try (var tail = ann.follow(id)) {
            assertThat(tail.untilNamed("finished").getLast().data().path("structured_output"))
                    .as("told again")
                    .hasToString("{\"price\":8}");
        }
    }

    @Test
    void a_model_that_will_not_is_a_failure_that_says_what_is_wrong_also_when_asked_again() {
        var id = ann.create("{}");
        var keyed = ann.with("Idempotency-Key", "stubborn");
        for (int i = 0; i < 2; i++) {
            var failure = keyed.post("/v1/sessions/" + id + "/completions", body("Hello"));

            assertThat(failure.status()).isEqualTo(502);
            assertThat(failure.json().path("error").path("code").asString()).isEqualTo("model.output_invalid");
            assertThat(failure.json().path("error").path("message").asString())
                    .contains("gave 3 answers", "it is not JSON: Unrecognized token 'You'");
        }
    }

    @Test
    void the_shape_is_part_of_what_a_key_stands_for() {
        var path = "/v1/sessions/" + ann.create("{}") + "/completions";
        var keyed = ann.with("Idempotency-Key", "priced");
        var first = keyed.post(path, body("What is it?")).is(200);

        var same = keyed.post(path, body("What is it?")).is(200);
        var other = keyed.post(path, "{\"prompt\":\"What is it?\",\"response_format\":{\"type\":\"json_object\"}}");

        assertThat(same.text("loop_id")).isEqualTo(first.text("loop_id"));
        assertThat(same.json().path("structured_output")).hasToString("{\"price\":7}");
        assertThat(other.status()).isEqualTo(422);
    }

    @Test
    void branches_side_by_side_give_it_too() {
        var answer = ann.post(
                        "/v1/sessions/" + ann.create("{}") + "/parallel",
                        "{\"prompt\":\"What is it?\",\"branches\":[{},{\"temperature\":1}]," + "\"response_format\":"
                                + FORMAT + "}")
                .is(200);

        assertThat(answer.json()
                        .path("branches")
                        .valueStream()
                        .map(each -> each.path("structured_output").toString()))
                .containsExactly("{\"price\":7}", "{\"price\":7}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {"type":"xml"}                                                        | response_format.type
                    {"type":"json_schema"}                                                | response_format.json_schema
                    {"type":"json_schema","json_schema":{"name":"a"}}                     | json_schema.schema
                    {"type":"json_schema","json_schema":{"name":"a b","schema":{}}}       | name
                    {"type":"json_schema","json_schema":{"schema":{"type":"thing"}}}      | /type
                    {"type":"json_schema","json_schema":{"schema":{"$ref":"http://x/y"}}} | nothing is fetched
                    {"type":"json_schema","json_schema":{"schema":{"pattern":"("}}}       | /pattern
                    """)
    void a_broken_schema_is_refused_with_its_place(String format, String place) {
        var own = ann.post("/v1/completions", "{\"prompt\":\"x\",\"response_format\":" + format + "}");
        var openai = ann.post(
                "/v1/chat/completions",
                "{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}],\"stream\":true,\"response_format\":" + format
                        + "}");

        assertThat(own.status()).isEqualTo(400);
        assertThat(own.body()).contains(place);
        assertThat(openai.status()).isEqualTo(400);
        assertThat(openai.body()).contains(place);
    }

    /// As the client describes it.
    public static class Price {
        @JsonProperty("price")
        public double price;
    }

    @Test
    void openais_client_gets_an_object_of_its_class() {
        var completion = client.chat()
                .completions()
                .create(asking("What is it?").responseFormat(Price.class).build());

        assertThat(completion.choices().getFirst().message().content().orElseThrow().price)
                .isEqualTo(7.0);
    }

    @Test
    void openais_client_streams_nothing_but_the_json_however_often_the_model_tried() {
        var params = asking("Guess.").responseFormat(Price.class).build();
        List<ChatCompletionChunk> chunks;
        try (var stream = client.chat().completions().createStreaming(params)) {
            chunks = stream.stream().toList();
        }

        assertThat(words(chunks)).isEqualTo("{\"price\":8}");
        assertThat(chunks.getLast().choices().getFirst().finishReason())
                .contains(ChatCompletionChunk.Choice.FinishReason.STOP);
    }

    @Test
    void openais_client_can_ask_for_any_object() {
        var params = asking("say {\"anything\":[1]}")
                .responseFormat(ResponseFormatJsonObject.builder().build())
                .build();

        assertThat(client.chat()
                        .completions()
                        .create(params)
                        .choices()
                        .getFirst()
                        .message()
                        .content())
                .contains("{\"anything\":[1]}");
    }

    private static Client.Answer complete(String session, String prompt) {
        return ann.post("/v1/sessions/" + session + "/completions", body(prompt));
    }

    private static String body(String prompt) {
        return "{\"prompt\":\"" + prompt + "\",\"response_format\":" + FORMAT + "}";
    }

    private static ChatCompletionCreateParams.Builder asking(String prompt) {
        return ChatCompletionCreateParams.builder().model("talking:model").addUserMessage(prompt);
    }

    private static String words(List<ChatCompletionChunk> chunks) {
        return chunks.stream()
                .flatMap(chunk -> chunk.choices().stream())
                .flatMap(choice -> choice.delta().content().stream())
                .collect(Collectors.joining());
    }
}
