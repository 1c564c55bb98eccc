/// `skein mcp serve`: sessions as the tools of an MCP server, for whatever client starts it. Begin with [ServeMcp].
@NullMarked
package dev.skein.cli.mcp.serve;

import org.jspecify.annotations.NullMarked;
