/// Access to servers whose owner has to let us in: finds out who decides, has a person say yes there, and keeps what
/// that
/// gives. Begin with [OAuth].
@NullMarked
package dev.skein.tools.mcp.oauth;

import org.jspecify.annotations.NullMarked;
