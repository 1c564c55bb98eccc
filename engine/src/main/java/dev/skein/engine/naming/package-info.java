/// Naming: how a session that nobody named gets a name.
///
/// A [Namer] reads how the conversation began. The engine makes a valid, free alias of its answer. Begin with [Namer].
@NullMarked
package dev.skein.engine.naming;

import org.jspecify.annotations.NullMarked;
