/// Carries JSON-RPC messages to an MCP server and back, over a child's standard streams or over HTTP. Everything a
/// server
/// sends is bounded here: lines, messages, nesting, floods. Begin with [Peer].
@NullMarked
package dev.skein.tools.mcp.wire;

import org.jspecify.annotations.NullMarked;
