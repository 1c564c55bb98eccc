package dev.skein.cli.chat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.skein.cli.program.CommandFailure;
import dev.skein.engine.output.Shapes;
import dev.skein.failure.InvalidRequest;
import dev.skein.session.OutputShape;
import dev.skein.wire.Json;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;

/// The file that says what an answer has to look like.
final class SchemaFile {

    /// Spaces and line ends do not count in the end, so a file may be longer than a schema.
    private static final int BYTES_MAX = 4 * Shapes.LENGTH_MAX;

    private static final Pattern ODD = Pattern.compile("[^A-Za-z0-9_-]");
    private static final int NAME_MAX = 64;

    private SchemaFile() {}

    static OutputShape read(Path file) {
        try {
            if (Files.isDirectory(file)) {
                throw CommandFailure.usage("--schema: '" + file + "' is a directory; name a file in it");
            }
            return Shapes.of(name(file), Json.MAPPER.readTree(text(file)));
        } catch (InvalidRequest e) {
            throw CommandFailure.usage("--schema: '" + file + "': " + e.getMessage());
        } catch (JacksonException e) {
            throw CommandFailure.usage("--schema: '" + file + "' is not JSON: " + e.getOriginalMessage());
        } catch (CharacterCodingException _) {
            throw CommandFailure.usage("--schema: '" + file + "' is not UTF-8");
        } catch (NoSuchFileException _) {
            throw CommandFailure.usage("--schema: there is no file '" + file + "'"
                    + (file.toString().equals("-") ? "; what is piped in is what is said, so name a file" : ""));
        } catch (IOException e) {
            throw CommandFailure.usage("--schema: '" + file + "' cannot be read: " + e.getMessage());
        }
    }

    /// What a shell gives for `<(command)` has no size, so it is read to see.
    private static String text(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            var bytes = in.readNBytes(BYTES_MAX + 1);
            if (bytes.length > BYTES_MAX) {
                throw CommandFailure.usage("--schema: '" + file + "' is larger than " + BYTES_MAX + " bytes");
            }
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        }
    }

    /// That of the file, as far as providers take it.
    private static String name(Path file) {
        var name = ODD.matcher(String.valueOf(file.getFileName()).replaceFirst("[.].*", ""))
                .replaceAll("_");
        return name.isEmpty() ? Shapes.UNNAMED : name.substring(0, Math.min(name.length(), NAME_MAX));
    }
}
