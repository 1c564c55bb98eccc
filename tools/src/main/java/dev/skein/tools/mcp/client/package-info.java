/// Speaks MCP to one server, in both of its lives: with a handshake (up to 2025-11-25) and without one (2026-07-28).
/// Begin with [McpClient].
@NullMarked
package dev.skein.tools.mcp.client;

import org.jspecify.annotations.NullMarked;
