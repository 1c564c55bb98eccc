package dev.skein.tools.mcp.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
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
                headers.put("Mcp-Param-" + header, encoded(value.asString("")));
            }
        });
        return headers;
    }

    /// What a header cannot carry as it is goes in Base64, and what looks as if it did goes so too.
    static String encoded(String value) {
        var plain = value.chars().allMatch(c -> c >= 0x20 && c <= 0x7e)
                && value.equals(value.strip())
                && !value.startsWith("=?base64?");
        return plain ? value : "=?base64?" + Base64.getEncoder().encodeToString(value.getBytes(UTF_8)) + "?=";
    }
}
