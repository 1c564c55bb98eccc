/// The other end of the protocol: offers tools of ours to any MCP client that starts us as its child. Begin with
/// [StdioServer].
@NullMarked
package dev.skein.tools.mcp.server;

import org.jspecify.annotations.NullMarked;
