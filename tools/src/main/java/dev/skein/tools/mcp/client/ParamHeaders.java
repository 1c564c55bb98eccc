package dev.skein.tools.mcp.client;

import dev.skein.tools.mcp.wire.HeaderValue;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/// Arguments that a server wants to see in headers as well, so that what stands before it can route by them.
final class ParamHeaders {

    private ParamHeaders() {}

    static Map<String, String> of(McpToolInfo tool, JsonNode arguments) {
        var headers = new LinkedHashMap<String, String>();
        tool.headers().forEach((argument, header) -> {
            var value = arguments.path(argument);
            if (value.isValueNode() && !value.isNull() && !value.isMissingNode()) {
                headers.put("Mcp-Param-" + header, HeaderValue.of(value.asString("")));
            }
        });
        return headers;
    }
}
