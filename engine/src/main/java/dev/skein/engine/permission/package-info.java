/// Permission rules: which tool calls may run, which need a person's yes, and which may not.
///
/// Rules name a tool and, if they like, what it is called with. Begin with [PermissionRules].
@NullMarked
package dev.skein.engine.permission;

import org.jspecify.annotations.NullMarked;
