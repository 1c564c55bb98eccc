/// The conversation at a terminal: `skein` without a prompt.
///
/// Reads lines and does what they say: words go to the model, lines that begin with a dot are commands. What a command
/// does to a session is the engine's business, or the store's. Begin with [Repl]; the commands are in [Commands].
@NullMarked
package dev.skein.cli.repl;

import org.jspecify.annotations.NullMarked;
