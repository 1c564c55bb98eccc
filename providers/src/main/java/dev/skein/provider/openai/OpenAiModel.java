package dev.skein.provider.openai;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.openai.OpenAiChatRequestParameters;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.model.ModelRequest;
import dev.skein.provider.catalog.ModelInfo;
import dev.skein.provider.http.Endpoint;
import dev.skein.provider.http.StreamingHttp;
import dev.skein.provider.langchain.ChatMessages;
import dev.skein.provider.langchain.LangChainModel;
import dev.skein.provider.langchain.Plain;
import dev.skein.provider.langchain.ToolSpecifications;
import dev.skein.provider.remote.Fields;
import dev.skein.session.OutputShape;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// A model behind an OpenAI-compatible address: OpenAI itself, vLLM, llama.cpp, LM Studio, OpenRouter and many more.
///
/// What the model thought (`reasoning_content`, which some servers send) is heard but not sent back: chat completions
/// have no place for it, and some servers refuse it. There are no signatures in this dialect.
public final class OpenAiModel extends LangChainModel {

    public static final String DEFAULT_BASE_URL = "https://api.openai.com/v1";

    private static final String OPENAI_HOST = "api.openai.com";

    private final OpenAiStreamingChatModel chat;
    private final RefusedFormats refused;

    /// @param refused what is known of servers, for all models to share
    public OpenAiModel(ModelInfo info, Endpoint endpoint, StreamingHttp http, RefusedFormats refused) {
        super(info, endpoint, new OpenAiDialect());
        this.refused = refused;
        var key = endpoint.key().reveal();
        this.chat = OpenAiStreamingChatModel.builder()
                .httpClientBuilder(http.asBuilder())
                .baseUrl(endpoint.baseUrl().toString())
                .apiKey(key.isBlank() ? null : key)
                .modelName(info.name().model())
                .returnThinking(true)
                .build();
    }

    @Override
    protected String format() {
        return "openai-chat-completions";
    }

    @Override
    protected StreamingChatModel chat(ModelRequest request) {
        return chat;
    }

    @Override
    protected ChatRequest chatRequest(ModelRequest request) {
        return ChatRequest.builder()
                .messages(ChatMessages.of(request, OpenAiModel::saidBefore, ChatMessages.ResultImages.AFTER))
                .parameters(parameters(request))
                .build();
    }

    private OpenAiChatRequestParameters parameters(ModelRequest request) {
        var sampling = request.sampling();
        var parameters = OpenAiChatRequestParameters.builder()
                .temperature(sampling.temperature())
                .topP(sampling.topP())
                .toolSpecifications(ToolSpecifications.of(request.tools()));
        if (request.shape() != null) {
            // LangChain4j would leave most keywords of the schema out.
            parameters.customParameters(Map.of("response_format", Plain.of(Fields.responseFormat(request.shape()))));
        }
        if (thinks(sampling)) {
            parameters.reasoningEffort(sampling.thinkingLevel());
        }
        if (sampling.tokensMax() != null) {
            // OpenAI's newer models know only the new name, most other servers only the old one.
            if (OPENAI_HOST.equals(endpoint().baseUrl().getHost())) {
                parameters.maxCompletionTokens(sampling.tokensMax());
            } else {
                parameters.maxOutputTokens(sampling.tokensMax());
            }
        }
        return parameters.build();
    }

    @Override
    public boolean holds(OutputShape shape, boolean withTools) {
        return !refused.has(endpoint().baseUrl(), info().name().model(), withTools, shape);
    }

    /// The engine checks the answer whoever holds the model to it, so words will do.
    @Override
    protected Optional<ModelRequest> otherwise(ModelRequest request, int status, String words) {
        var shape = request.shape();
        return shape != null && RefusedFormats.isOne(status, words)
                ? Optional.of(new ModelRequest(
                        shape.told(request.system()), request.messages(), request.tools(), request.sampling()))
                : Optional.empty();
    }

    /// Only now is it known that it was the format.
    @Override
    protected void answeredOtherwise(ModelRequest request) {
        if (request.shape() != null) {
            refused.add(
                    endpoint().baseUrl(),
                    info().name().model(),
                    !request.tools().isEmpty(),
                    request.shape());
        }
    }

    @Override
    public long tokens(List<Message> messages) {
        return OpenAiTokens.of(info().name().model(), messages);
    }

    private static List<AiMessage> saidBefore(Message message) {
        var text = message.parts().stream()
                .filter(Part.Text.class::isInstance)
                .map(part -> ((Part.Text) part).text())
                .collect(Collectors.joining("\n"));
        var calls = message.toolCalls().stream()
                .map(call -> ChatMessages.request(call, false))
                .toList();
        if (text.isEmpty() && calls.isEmpty()) {
            return List.of();
        }
        return List.of(AiMessage.builder()
                .text(text.isEmpty() ? null : text)
                .toolExecutionRequests(calls)
                .build());
    }
}
