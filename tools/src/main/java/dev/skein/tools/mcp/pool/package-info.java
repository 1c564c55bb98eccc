/// The servers that run, each shared by all who want the same, and kept for a while when nobody does. Begin with
/// [McpFactory].
@NullMarked
package dev.skein.tools.mcp.pool;

import org.jspecify.annotations.NullMarked;
