/// The list of things to do that a model keeps for itself. Begin with [TodoTool].
@NullMarked
package dev.skein.tools.todo;

import org.jspecify.annotations.NullMarked;
