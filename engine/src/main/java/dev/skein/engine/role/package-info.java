/// Roles: ways of talking that have a name. A role says what a model is told about its task and with what it runs; a
/// session takes one on, or a single request does. Begin with [RoleSpec]; where roles are kept is behind [Roles].
@NullMarked
package dev.skein.engine.role;

import org.jspecify.annotations.NullMarked;
