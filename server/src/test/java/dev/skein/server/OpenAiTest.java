package dev.skein.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.openai.client.OpenAIClient;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.core.JsonValue;
import com.openai.errors.BadRequestException;
import com.openai.errors.PermissionDeniedException;
import com.openai.models.FunctionDefinition;
import com.openai.models.FunctionParameters;
import com.openai.models.chat.completions.ChatCompletion;
import com.openai.models.chat.completions.ChatCompletionChunk;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.chat.completions.ChatCompletionFunctionTool;
import com.openai.models.chat.completions.ChatCompletionStreamOptions;
import com.openai.models.chat.completions.ChatCompletionToolMessageParam;
import dev.skein.session.Scope;
import dev.skein.session.SessionAlias;
import dev.skein.store.ListQuery;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What OpenAI's own client for Java makes of our server.
class OpenAiTest {

    private static TestServer server;
    private static OpenAIClient client;

    @BeforeAll
    static void start() {
        server = new TestServer();
        client = client("alice");
    }

    @AfterAll
    static void stop() {
        client.close();
        server.close();
    }

    private static OpenAIClient client(String key) {
        return OpenAIOkHttpClient.builder()
                .baseUrl("http://127.0.0.1:" + server.server.port() + "/v1")
                .apiKey(key)
                .maxRetries(0)
                .build();
    }

    @Test
    void a_prompt_is_answered_with_its_usage() {
        var completion = client.chat().completions().create(asking("hello").build());

        assertThat(words(completion)).isEqualTo("You said: hello");
        assertThat(completion.choices().getFirst().finishReason()).isEqualTo(ChatCompletion.Choice.FinishReason.STOP);
        assertThat(completion.usage().orElseThrow().totalTokens()).isEqualTo(15);
        assertThat(completion.model()).isEqualTo("talking:model");
    }

    @Test
    void a_conversation_that_the_client_brings_along_is_what_the_model_sees_and_leaves_nothing_behind() {
        var before = sessions();
        var completion = client.chat()
                .completions()
                .create(asking("one")
                        .addAssistantMessage("You said: one")
                        .addUserMessage("again")
                        .build());

        assertThat(words(completion)).isEqualTo("You said: again");
        assertThat(sessions()).isEqualTo(before);
    }

    @Test
    void a_stream_has_every_word_then_its_end_and_its_usage() {
        var params = asking("count 5")
                .streamOptions(
                        ChatCompletionStreamOptions.builder().includeUsage(true).build())
                .build();
        List<ChatCompletionChunk> chunks;
        try (var stream = client.chat().completions().createStreaming(params)) {
            chunks = stream.stream().toList();
        }

        assertThat(words(chunks)).isEqualTo("1 2 3 4 5 ");
        assertThat(chunks.get(chunks.size() - 2).choices().getFirst().finishReason())
                .contains(ChatCompletionChunk.Choice.FinishReason.STOP);
        assertThat(chunks.getLast().usage().orElseThrow().completionTokens()).isEqualTo(5);
    }

    @Test
    void a_named_session_is_made_and_remembers_what_was_said() {
        for (var prompt : List.of("first", "second")) {
            client.chat()
                    .completions()
                    .create(asking(prompt)
                            .putAdditionalHeader("X-Skein-Session", "over-openai")
                            .build());
        }

        var scope = Scope.ofOwner("alice");
        var id = server.store.resolve(scope, new SessionAlias("over-openai")).orElseThrow();
        try (var session = server.store.open(scope, id)) {
            assertThat(session.context(100).messages())
                    .extracting(message -> message.text())
                    .containsExactly("first", "You said: first", "second", "You said: second");
        }
    }

    @Test
    void tools_of_the_client_are_run_by_the_client() {
        var asked = asking("look here").addTool(tool("look"));
        var first = client.chat().completions().create(asked.build());
        var choice = first.choices().getFirst();

        assertThat(choice.finishReason()).isEqualTo(ChatCompletion.Choice.FinishReason.TOOL_CALLS);
        var call = choice.message().toolCalls().orElseThrow().getFirst().asFunction();
        assertThat(call.function().name()).isEqualTo("look");
        assertThat(call.function().arguments()).isEqualTo("{\"value\":\"here\"}");

        var second = client.chat()
                .completions()
                .create(asked.addMessage(choice.message())
                        .addMessage(ChatCompletionToolMessageParam.builder()
                                .toolCallId(call.id())
                                .content("nothing to see")
                                .build())
                        .build());
        assertThat(words(second)).isEqualTo("done: nothing to see");
    }

    @Test
    void in_a_session_the_run_rests_until_the_client_brings_the_result() {
        var named = asking("look there").addTool(tool("look")).putAdditionalHeader("X-Skein-Session", "resting");
        var call = client.chat()
                .completions()
                .create(named.build())
                .choices()
                .getFirst()
                .message()
                .toolCalls()
                .orElseThrow()
                .getFirst()
                .asFunction();

        var done = client.chat()
                .completions()
                .create(ChatCompletionCreateParams.builder()
                        .model("talking:model")
                        .addTool(tool("look"))
                        .putAdditionalHeader("X-Skein-Session", "resting")
                        .addMessage(ChatCompletionToolMessageParam.builder()
                                .toolCallId(call.id())
                                .content("a bird")
                                .build())
                        .build());

        assertThat(words(done)).isEqualTo("done: a bird");
    }

    @Test
    void without_tools_of_the_client_the_agent_uses_its_own() {
        assertThat(words(
                        client.chat().completions().create(asking("look around").build())))
                .startsWith("done: ");
    }

    @Test
    void a_tool_call_streams_as_one() {
        try (var stream = client.chat()
                .completions()
                .createStreaming(asking("look up").addTool(tool("look")).build())) {
            var chunks = stream.stream().toList();
            var calls = chunks.stream()
                    .flatMap(chunk -> chunk.choices().stream())
                    .flatMap(choice -> choice.delta().toolCalls().stream().flatMap(List::stream))
                    .toList();

            assertThat(calls)
                    .singleElement()
                    .satisfies(call ->
                            assertThat(call.function().orElseThrow().name()).contains("look"));
            assertThat(chunks.getLast().choices().getFirst().finishReason())
                    .contains(ChatCompletionChunk.Choice.FinishReason.TOOL_CALLS);
        }
    }

    @Test
    void models_are_listed() {
        assertThat(client.models().list().data())
                .extracting(model -> model.id())
                .contains("talking:model");
    }

    @Test
    void a_failure_is_one_for_the_client() {
        assertThatThrownBy(() -> client.chat()
                        .completions()
                        .create(asking("x").model("nowhere:at-all").build()))
                .isInstanceOf(BadRequestException.class)
                .hasMessageContaining("nowhere");
        var reader = client("reader");
        assertThatThrownBy(() -> reader.chat().completions().create(asking("x").build()))
                .isInstanceOf(PermissionDeniedException.class);
        reader.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"messages\": []}",
                "{\"messages\": [{\"role\": \"assistant\", \"content\": \"x\"}]}",
                "{\"messages\": [{\"role\": \"pope\", \"content\": \"x\"}]}",
                "{\"messages\": [{\"role\": \"user\", \"content\": 7}]}",
                "{\"messages\": [{\"role\": \"user\", \"content\": \"x\"}], \"n\": 2}",
                "{\"messages\": [{\"role\": \"user\", \"content\": \"x\"}], \"stop\": [\"y\"]}",
                "{\"messages\": [{\"role\": \"user\", \"content\": \"x\"}], \"model\": \"role:nobody\"}",
                "{\"messages\": [{\"role\": \"user\", \"content\": \"x\"}], \"tool_choice\": \"required\"}",
                "{\"messages\": [{\"role\": \"user\", \"content\": \"x\"}], \"response_format\": {\"type\": \"json\"}}",
                "{\"messages\": [{\"role\": \"user\", \"content\": \"x\"}], \"tools\": [{\"type\": \"function\"}]}"
            })
    void what_cannot_be_done_is_refused(String body) {
        assertThat(new Client(server.server.port(), "alice")
                        .post("/v1/chat/completions", body)
                        .status())
                .isEqualTo(400);
    }

    private static int sessions() {
        return server.store.list(ListQuery.ofOwner("alice")).sessions().size();
    }

    private static ChatCompletionCreateParams.Builder asking(String prompt) {
        return ChatCompletionCreateParams.builder().model("talking:model").addUserMessage(prompt);
    }

    private static ChatCompletionFunctionTool tool(String name) {
        return ChatCompletionFunctionTool.builder()
                .function(FunctionDefinition.builder()
                        .name(name)
                        .description("looks")
                        .parameters(FunctionParameters.builder()
                                .putAdditionalProperty("type", JsonValue.from("object"))
                                .putAdditionalProperty(
                                        "properties", JsonValue.from(Map.of("value", Map.of("type", "string"))))
                                .build())
                        .build())
                .build();
    }

    private static String words(ChatCompletion completion) {
        return completion.choices().getFirst().message().content().orElse("");
    }

    private static String words(List<ChatCompletionChunk> chunks) {
        return chunks.stream()
                .flatMap(chunk -> chunk.choices().stream())
                .flatMap(choice -> choice.delta().content().stream())
                .collect(Collectors.joining());
    }
}
