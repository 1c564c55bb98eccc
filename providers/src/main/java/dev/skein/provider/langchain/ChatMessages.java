package dev.skein.provider.langchain;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.image.Image;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.TextContent;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.model.ModelRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/// A conversation in LangChain4j's words. Parts of an unknown kind are left out.
public final class ChatMessages {

    private final AssistantWords assistant;
    private final ResultImages resultImages;
    private final List<ChatMessage> messages = new ArrayList<>();
    private final List<Content> pendingImages = new ArrayList<>();

    /// Puts what the model said before into LangChain4j's words: as many messages as it takes.
    @FunctionalInterface
    public interface AssistantWords {
        List<AiMessage> of(Message message);
    }

    /// Where pictures that a tool returned go.
    public enum ResultImages {
        /// Into the result.
        INSIDE,
        /// Into a user message after the results, as the provider allows only text in a result.
        AFTER
    }

    private ChatMessages(AssistantWords assistant, ResultImages resultImages) {
        this.assistant = assistant;
        this.resultImages = resultImages;
    }

    public static List<ChatMessage> of(ModelRequest request, AssistantWords assistant, ResultImages resultImages) {
        var conversation = new ChatMessages(assistant, resultImages);
        if (request.system() != null && !request.system().isBlank()) {
            conversation.messages.add(SystemMessage.from(request.system()));
        }
        request.messages().forEach(conversation::add);
        conversation.flushImages();
        return conversation.messages;
    }

    private void add(Message message) {
        if (message.toolResults().isEmpty()) {
            flushImages();
        }
        switch (message.role()) {
            case SYSTEM -> {
                if (!message.text().isBlank()) {
                    messages.add(SystemMessage.from(message.text()));
                }
            }
            case ASSISTANT -> messages.addAll(assistant.of(message));
            case USER, TOOL -> {
                message.toolResults().forEach(this::addResult);
                addUser(contents(message.parts()));
            }
        }
    }

    private void addUser(List<Content> contents) {
        if (!contents.isEmpty()) {
            flushImages();
            messages.add(UserMessage.from(contents));
        }
    }

    private void addResult(Part.ToolResult result) {
        var contents = new ArrayList<>(contents(result.content()));
        if (resultImages == ResultImages.AFTER) {
            contents.stream().filter(ImageContent.class::isInstance).forEach(pendingImages::add);
            contents.removeIf(ImageContent.class::isInstance);
        }
        var isText = contents.stream().allMatch(TextContent.class::isInstance);
        messages.add(ToolExecutionResultMessage.builder()
                .id(result.call().text())
                .toolName(result.name())
                .contents(isText ? List.of(TextContent.from(joined(contents))) : contents)
                .isError(result.isError())
                .build());
    }

    private void flushImages() {
        if (!pendingImages.isEmpty()) {
            var shown = new ArrayList<Content>();
            shown.add(TextContent.from("The pictures that the tools returned:"));
            shown.addAll(pendingImages);
            pendingImages.clear();
            messages.add(UserMessage.from(shown));
        }
    }

    private static String joined(List<Content> texts) {
        return texts.stream().map(text -> ((TextContent) text).text()).collect(Collectors.joining("\n"));
    }

    private static List<Content> contents(List<Part> parts) {
        return parts.stream()
                .map(ChatMessages::content)
                .filter(Objects::nonNull)
                .toList();
    }

    private static @Nullable Content content(Part part) {
        return switch (part) {
            case Part.Text(var text) -> text.isEmpty() ? null : TextContent.from(text);
            case Part.Image image -> ImageContent.from(picture(image));
            case Part.Thinking _, Part.ToolCall _, Part.ToolResult _, Part.Unknown _ -> null;
        };
    }

    private static Image picture(Part.Image image) {
        return image.data() == null
                ? Image.builder().url(image.url()).build()
                : Image.builder()
                        .base64Data(image.data())
                        .mimeType(image.mimeType() == null ? "image/png" : image.mimeType())
                        .build();
    }

    /// A tool call as it was made. Arguments that are no object are wrapped into one if the provider insists.
    public static ToolExecutionRequest request(Part.ToolCall call, boolean objectsOnly) {
        var arguments = call.arguments();
        var text = arguments.isString() ? arguments.asString() : arguments.toString();
        var wrapped = JsonNodeFactory.instance
                .objectNode()
                .set("malformed", arguments)
                .toString();
        return ToolExecutionRequest.builder()
                .id(call.id().text())
                .name(call.name())
                .arguments(objectsOnly && !arguments.isObject() ? wrapped : text)
                .build();
    }
}
