/// `skein mcp`: the commands on MCP servers. Only `test` and `tools` start any. Begin with [McpCommands].
@NullMarked
package dev.skein.cli.mcp;

import org.jspecify.annotations.NullMarked;
