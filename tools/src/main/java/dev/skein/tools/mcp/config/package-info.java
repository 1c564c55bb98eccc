/// Which MCP servers a person has, read from `mcp.json`. Begin with [McpConfig].
@NullMarked
package dev.skein.tools.mcp.config;

import org.jspecify.annotations.NullMarked;
