/// The `skein session` commands, one class each.
///
/// Each command parses its own arguments, asks the store through its port and answers on the terminal or in
/// JSON. How a person's NAME becomes a session is in [Names]; how loops become a drawing is in [LoopTree]. Begin
/// with [SessionCommands], which lists them all.
@NullMarked
package dev.skein.cli.session;

import org.jspecify.annotations.NullMarked;
