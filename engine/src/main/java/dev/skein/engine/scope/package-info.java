/// Tool scopes: which tools a run has, by the names that the request, its agent, its session, its role and the settings
/// of all give. Begin with [ToolScope]; where tools come from that take a moment to be had is behind [ToolSource].
@NullMarked
package dev.skein.engine.scope;

import org.jspecify.annotations.NullMarked;
