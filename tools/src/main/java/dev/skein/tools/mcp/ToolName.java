package dev.skein.tools.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.skein.tools.mcp.client.McpToolInfo;
import dev.skein.tools.mcp.config.McpServer;
import java.util.zip.CRC32;

/// What a server's tool is called here: `server__tool`, in letters that every provider takes. One that is too long ends
/// with a number made of all of it.
public final class ToolName {

    private static final int CHARS_MAX = 64;

    private ToolName() {}

    public static String of(McpServer server, McpToolInfo tool) {
        var name = server.prefix() + McpTools.SEPARATOR + tool.name().replaceAll("[^A-Za-z0-9_-]", "_");
        if (name.length() <= CHARS_MAX) {
            return name;
        }
        var sum = new CRC32();
        sum.update(name.getBytes(UTF_8));
        return name.substring(0, CHARS_MAX - 9) + "_%08x".formatted(sum.getValue());
    }
}
