/// Tools: what a model can reach outside the conversation.
///
/// A [Tool] says what it is in its [ToolSpec] and runs when the model asks for it. A tool that fails is not an error
/// of the run: the model is told and decides. Begin with [Tool].
@NullMarked
package dev.skein.tool;

import org.jspecify.annotations.NullMarked;
