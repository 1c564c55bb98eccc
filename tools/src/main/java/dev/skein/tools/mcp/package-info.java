/// Tools of MCP servers: other people's programs, here or elsewhere, that a model can use like any other tool. Nothing
/// that such a server says is trusted. Begin with [McpTools].
@NullMarked
package dev.skein.tools.mcp;

import org.jspecify.annotations.NullMarked;
