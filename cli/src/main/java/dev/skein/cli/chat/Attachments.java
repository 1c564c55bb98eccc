package dev.skein.cli.chat;

import dev.skein.cancellation.Cancellation;
import dev.skein.cli.program.CommandFailure;
import dev.skein.cli.terminal.Terminal;
import dev.skein.message.Message;
import dev.skein.message.MessageId;
import dev.skein.message.Part;
import dev.skein.message.Role;
import dev.skein.message.ToolCallId;
import dev.skein.session.LoopId;
import dev.skein.session.SessionId;
import dev.skein.tool.Tool;
import dev.skein.tool.ToolRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import tools.jackson.databind.node.JsonNodeFactory;

/// Turns what a person names with `-f` into parts of a message.
public record Attachments(Terminal terminal, Tool fetch) {

    private static final SessionId NOBODY = new SessionId(new UUID(0, 0));
    private static final int BYTES_MAX = 10 * 1024 * 1024;
    private static final Map<String, String> PICTURES = Map.of(
            "png", "image/png",
            "jpg", "image/jpeg",
            "jpeg", "image/jpeg",
            "gif", "image/gif",
            "webp", "image/webp");

    public Part load(String name) {
        if (name.equals("-")) {
            return text("standard input", terminal.input(BYTES_MAX));
        }
        return name.startsWith("http://") || name.startsWith("https://") ? page(name) : file(Path.of(name));
    }

    /// The text under a heading, so that the model can tell it from what the person says.
    static Part text(String name, String text) {
        return new Part.Text("File: " + name + "\n\n" + text);
    }

    private Part page(String url) {
        var call = new Part.ToolCall(
                new ToolCallId("attachment"),
                fetch.spec().name(),
                JsonNodeFactory.instance.objectNode().put("url", url),
                null);
        try {
            var outcome = fetch.run(ToolRequest.of(call, NOBODY, new LoopId("attachment")), new Cancellation());
            var result = outcome.resultOf(call);
            var said = Message.of(new MessageId("attachment"), Role.TOOL, Instant.EPOCH, result)
                    .text();
            if (result.isError()) {
                throw CommandFailure.usage("cannot fetch " + url + ": " + said);
            }
            return text(url, said);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw CommandFailure.usage("interrupted while fetching " + url);
        }
    }

    private static Part file(Path path) {
        try {
            if (!Files.isRegularFile(path)) {
                throw CommandFailure.usage(
                        Files.exists(path)
                                ? "'" + path + "' is not a file; name the files in it one by one"
                                : "there is no file '" + path + "'");
            }
            if (Files.size(path) > BYTES_MAX) {
                throw CommandFailure.usage(
                        "'%s' is larger than %d MB; give a part of it".formatted(path, BYTES_MAX / 1024 / 1024));
            }
            var bytes = Files.readAllBytes(path);
            var picture = PICTURES.get(extension(path));
            return picture == null
                    ? text(path.toString(), utf8(path, bytes))
                    : new Part.Image(picture, Base64.getEncoder().encodeToString(bytes), null, path.toString());
        } catch (NoSuchFileException | AccessDeniedException e) {
            throw CommandFailure.usage(
                    "'" + path + "' cannot be read: " + e.getClass().getSimpleName());
        } catch (IOException e) {
            throw CommandFailure.usage("'" + path + "' cannot be read: " + e.getMessage());
        }
    }

    private static String utf8(Path path, byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException _) {
            throw CommandFailure.usage("'" + path + "' is neither text (UTF-8) nor a picture (png, jpeg, gif, webp)");
        }
    }

    private static String extension(Path path) {
        var name = String.valueOf(path.getFileName()).toLowerCase(Locale.ROOT);
        return name.substring(name.lastIndexOf('.') + 1);
    }
}
