package dev.skein.provider.langchain;

import dev.skein.wire.Json;
import java.util.Map;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.node.ObjectNode;

/// JSON as maps and lists, which LangChain4j sends as they are.
public final class Plain {

    private Plain() {}

    public static Map<String, Object> of(ObjectNode node) {
        return Json.MAPPER.convertValue(node, new TypeReference<Map<String, Object>>() {});
    }
}
