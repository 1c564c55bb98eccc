/// Completion in the shell: scripts for bash, zsh and fish, written from the commands themselves.
///
/// A script knows commands and options by heart and asks `skein` only for what changes, such as the names of sessions.
/// [CommandTree] is what there is to know, [Shell] how each shell is told. Begin with [CompletionCommand].
@NullMarked
package dev.skein.cli.completion;

import org.jspecify.annotations.NullMarked;
