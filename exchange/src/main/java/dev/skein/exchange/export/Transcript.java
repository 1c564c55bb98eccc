package dev.skein.exchange.export;

import dev.skein.message.Message;
import dev.skein.message.Part;
import dev.skein.session.LoopRecord;
import dev.skein.session.Session;
import dev.skein.store.SessionSummary;
import dev.skein.wire.Json;
import java.io.IOException;
import java.io.Writer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Writes a conversation for people: every message from the root to the head, in order.
///
/// What was said is quoted, tool calls and their answers are blocks of code, answers and thoughts are folded
/// away, pictures are named rather than shown. See [MarkdownText] for why nothing can break out.
record Transcript(Session session, Writer out) {

    void write() throws IOException {
        heading(SessionSummary.of(session.state()));
        for (var loop : session.path()) {
            for (var message : loop.messages()) {
                message(message);
            }
            summary(loop);
        }
    }

    private void heading(SessionSummary about) throws IOException {
        var title = Stream.of(about.alias(), about.description(), about.firstMessage())
                .filter(text -> text != null && !MarkdownText.inline(text).isEmpty())
                .findFirst()
                .orElse("Session");
        out.write("# " + MarkdownText.inline(title) + "\n\n");
        fact("Session", String.valueOf(about.id()));
        fact("Description", about.description());
        fact("Agent", about.agent());
        fact(
                "Model",
                Stream.of(about.provider(), about.model())
                        .filter(text -> text != null)
                        .collect(Collectors.joining(":")));
        fact("Role", about.role());
        fact("Created", about.createdAt().toString());
        fact("Last activity", about.lastActivityAt().toString());
        fact("Messages", Long.toString(about.messageCount()));
        if (about.usage().totalTokens() > 0) {
            fact(
                    "Tokens",
                    "%d in, %d out"
                            .formatted(
                                    about.usage().inputTokens(), about.usage().outputTokens()));
        }
        if (about.cost().usd().signum() > 0) {
            fact("Cost", about.cost().toString());
        }
    }

    private void fact(String name, @Nullable String value) throws IOException {
        if (value != null && !value.isEmpty()) {
            out.write("- " + name + ": " + MarkdownText.inline(value) + "\n");
        }
    }

    private void message(Message message) throws IOException {
        var speaker = switch (message.role()) {
            case SYSTEM -> "System";
            case USER -> "User";
            case ASSISTANT -> "Assistant";
            case TOOL -> "Tool";
        };
        out.write("\n## " + speaker + " · " + message.at() + "\n");
        for (var part : message.parts()) {
            part(part);
        }
    }

    private void part(Part part) throws IOException {
        out.write("\n");
        switch (part) {
            case Part.Text(var text) -> out.write(MarkdownText.quoted(text));
            case Part.Image image -> out.write(placeholder(image) + "\n");
            case Part.Thinking thinking -> thinking(thinking);
            case Part.ToolCall call -> {
                out.write("Calls " + MarkdownText.code(call.name()) + ", call "
                        + MarkdownText.code(call.id().text()) + ":\n\n");
                out.write(MarkdownText.fenced("json", pretty(call.arguments())));
            }
            case Part.ToolResult result -> result(result);
            case Part.Unknown(var body) -> out.write(MarkdownText.fenced("json", pretty(body)));
        }
    }

    private void thinking(Part.Thinking thinking) throws IOException {
        if (thinking.redacted() != null) {
            out.write("Thinking that only the provider can read.\n");
            return;
        }
        fold("Thinking");
        out.write(MarkdownText.fenced("text", thinking.text()));
        unfold();
    }

    private void result(Part.ToolResult result) throws IOException {
        var of = result.name().isEmpty() ? result.call().text() : result.name();
        fold((result.isError() ? "Failure of " : "Result of ") + of + ", call " + result.call());
        for (var part : result.content()) {
            switch (part) {
                case Part.Text(var text) -> out.write(MarkdownText.fenced("text", text));
                case Part.Image _, Part.Thinking _, Part.ToolCall _, Part.ToolResult _, Part.Unknown _ -> part(part);
            }
        }
        unfold();
    }

    /// The summary that a model sees instead of everything up to the end of this loop.
    private void summary(LoopRecord loop) throws IOException {
        var block = loop.compaction();
        if (block == null || block.messages().isEmpty()) {
            return;
        }
        out.write("\n");
        fold("What the model is shown instead of earlier messages");
        for (var message : block.messages()) {
            out.write(MarkdownText.fenced("text", message.text()));
        }
        unfold();
    }

    private void fold(String summary) throws IOException {
        var line = MarkdownText.html(summary).replace('\n', ' ');
        out.write("<details><summary>" + line + "</summary>\n\n");
    }

    private void unfold() throws IOException {
        out.write("\n</details>\n");
    }

    private static String placeholder(Part.Image image) {
        var known = Stream.of(image.mimeType(), image.source(), image.url())
                .filter(text -> text != null && !text.startsWith("data:"))
                .map(MarkdownText::inline)
                .collect(Collectors.joining(", "));
        return known.isEmpty() ? "\\[image\\]" : "\\[image: " + known + "\\]";
    }

    private static String pretty(JsonNode json) {
        return Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(json);
    }
}
