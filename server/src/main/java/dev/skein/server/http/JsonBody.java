package dev.skein.server.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Reads JSON that a stranger sent: one object, in UTF-8, not too deep, with each name once and nothing behind it.
final class JsonBody {

    private static final int DEPTH_MAX = 64;
    private static final int NUMBER_MAX = 100;
    private static final int NAME_MAX = 1_000;

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(DEPTH_MAX)
                            .maxNumberLength(NUMBER_MAX)
                            .maxNameLength(NAME_MAX)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .build();

    private JsonBody() {}

    static ObjectNode read(byte[] bytes) {
        var text = utf8(bytes);
        try {
            if (MAPPER.readTree(text) instanceof ObjectNode object) {
                requireWholeCharacters(object);
                return object;
            }
        } catch (JacksonException e) {
            throw HttpFailure.invalid("the body is not JSON: " + reason(e));
        }
        throw HttpFailure.invalid("the body must be a JSON object");
    }

    private static String utf8(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException _) {
            throw HttpFailure.invalid("the body is not UTF-8");
        }
    }

    /// An escape can name half a character, which nothing could store.
    private static void requireWholeCharacters(JsonNode node) {
        if (node.isString()) {
            requireWholeCharacters(node.stringValue());
        }
        node.forEachEntry((name, _) -> requireWholeCharacters(name));
        node.forEach(JsonBody::requireWholeCharacters);
    }

    private static void requireWholeCharacters(String text) {
        if (text.codePoints().anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
            throw HttpFailure.invalid("the body has half a character (an unpaired surrogate)");
        }
    }

    private static String reason(JacksonException e) {
        var message = String.valueOf(e.getOriginalMessage());
        var printable = message.replaceAll("\\p{Cntrl}", " ");
        return printable.length() > 200 ? printable.substring(0, 200) + "..." : printable;
    }
}
