package dev.skein.tools.openapi;

import dev.skein.wire.Json;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLFactory;
import tools.jackson.dataformat.yaml.YAMLMapper;
import tools.jackson.dataformat.yaml.YAMLParser;

/// A document on the disk, in JSON or YAML. It is neither too large nor too deep, and says everything once.
final class DocumentFile {

    static final List<String> ENDINGS = List.of(".json", ".yaml", ".yml");

    private static final long BYTES_MAX = 4L * 1024 * 1024;

    private DocumentFile() {}

    /// What reads YAML, once somebody needs it.
    private static final class Yaml {
        private static final YAMLMapper MAPPER = YAMLMapper.builder(YAMLFactory.builder()
                        .streamReadConstraints(StreamReadConstraints.builder()
                                .maxNestingDepth(Json.DEPTH_MAX)
                                .maxDocumentLength(BYTES_MAX)
                                .build())
                        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                        .build())
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();
    }

    static JsonNode read(Path file) throws IOException {
        if (Files.size(file) > BYTES_MAX) {
            throw new IllegalArgumentException("is larger than " + BYTES_MAX + " bytes");
        }
        var isJson = String.valueOf(file.getFileName()).endsWith(".json");
        try {
            return isJson ? Json.MAPPER.readTree(Files.readAllBytes(file)) : yaml(Files.readString(file));
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    "is not " + (isJson ? "JSON" : "YAML") + ": " + firstLine(e.getOriginalMessage()), e);
        } catch (CharacterCodingException _) {
            throw new IllegalArgumentException("is not UTF-8");
        }
    }

    /// An alias could make a short text a document without end. Documents of services have `$ref` for that.
    private static JsonNode yaml(String text) {
        try (var tokens = Yaml.MAPPER.createParser(text)) {
            while (tokens.nextToken() != null) {
                if (tokens instanceof YAMLParser parser && parser.isCurrentAlias()) {
                    throw new IllegalArgumentException("has an alias in line "
                            + tokens.currentTokenLocation().getLineNr() + "; use $ref instead");
                }
            }
        }
        return Yaml.MAPPER.readTree(text);
    }

    private static String firstLine(String message) {
        return message.lines().findFirst().orElse("");
    }
}
