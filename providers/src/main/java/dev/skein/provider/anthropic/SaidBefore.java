package dev.skein.provider.anthropic;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.provider.langchain.ChatMessages;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What the model said before, in the order in which it said it.
///
/// A message of LangChain4j holds at most one thought with its signature, then hidden thoughts, then one text, then
/// tool calls. So a message of ours becomes as many of theirs as its order needs; Anthropic joins messages of one role
/// that follow each other. A thought that nobody signed is left out, as Anthropic refuses it, and so is one without
/// words, as LangChain4j drops it.
final class SaidBefore {

    private static final String SIGNATURE = "thinking_signature";
    private static final String HIDDEN = "redacted_thinking";

    private final List<AiMessage> messages = new ArrayList<>();
    private Step last = Step.NOTHING;
    private @Nullable String text;
    private @Nullable String thinking;
    private List<String> hidden = new ArrayList<>();
    private Map<String, Object> attributes = new HashMap<>();
    private List<ToolExecutionRequest> calls = new ArrayList<>();

    /// What a message of LangChain4j holds, in its order.
    private enum Step {
        NOTHING,
        THOUGHT,
        HIDDEN,
        TEXT,
        CALL
    }

    private SaidBefore() {}

    static List<AiMessage> in(Message message) {
        var said = new SaidBefore();
        var isOurs = message.reply() == null
                || message.reply().provider() == null
                || message.reply().provider().equals(AnthropicModel.PROVIDER);
        for (var part : message.parts()) {
            switch (part) {
                case Part.Thinking thought -> {
                    if (isOurs) {
                        said.add(thought);
                    }
                }
                case Part.Text(var words) -> said.add(words);
                case Part.ToolCall call -> said.add(call);
                case Part.Image _, Part.ToolResult _, Part.Unknown _ -> {}
            }
        }
        said.flush();
        return said.messages;
    }

    private void add(Part.Thinking thought) {
        if (thought.redacted() != null) {
            begin(Step.HIDDEN, last == Step.HIDDEN);
            hidden.add(thought.redacted());
        } else if (thought.signature() != null && !thought.text().isBlank()) {
            begin(Step.THOUGHT, false);
            thinking = thought.text();
            attributes.put(SIGNATURE, thought.signature());
        }
    }

    private void add(String words) {
        if (!words.isBlank()) {
            begin(Step.TEXT, false);
            text = words;
        }
    }

    private void add(Part.ToolCall call) {
        begin(Step.CALL, last == Step.CALL);
        calls.add(ChatMessages.request(call, true));
    }

    private void begin(Step step, boolean fits) {
        if (!fits && step.compareTo(last) <= 0) {
            flush();
        }
        last = step;
    }

    private void flush() {
        if (last == Step.NOTHING) {
            return;
        }
        if (!hidden.isEmpty()) {
            attributes.put(HIDDEN, hidden);
        }
        messages.add(AiMessage.builder()
                .text(text)
                .thinking(thinking)
                .toolExecutionRequests(calls)
                .attributes(attributes)
                .build());
        last = Step.NOTHING;
        text = null;
        thinking = null;
        hidden = new ArrayList<>();
        attributes = new HashMap<>();
        calls = new ArrayList<>();
    }
}
