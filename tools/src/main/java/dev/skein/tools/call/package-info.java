/// What every tool here is made of: arguments read from the model's words, a schema that says which there are, and an
/// action. Begin with [LocalTool].
@NullMarked
package dev.skein.tools.call;

import org.jspecify.annotations.NullMarked;
