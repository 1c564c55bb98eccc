package dev.skein.tools.mcp.wire;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Reads and writes what goes over the wire: names as they are, strict UTF-8, nothing nested too deep, no name twice.
public final class WireJson {

    private static final int NUMBER_CHARS = 100;

    static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(WireLimits.DEPTH)
                            .maxNumberLength(NUMBER_CHARS)
                            .maxStringLength(WireLimits.standard().messageBytes())
                            .build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private WireJson() {}

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /// Reads one message.
    ///
    /// @throws IllegalArgumentException if it is none; says why, without repeating it
    public static JsonNode read(byte[] bytes) {
        try {
            var text = StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return MAPPER.readTree(text);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("it is not UTF-8", e);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("it is not JSON: " + e.getOriginalMessage(), e);
        }
    }

    public static byte[] write(JsonNode message) {
        return MAPPER.writeValueAsBytes(message);
    }
}
