/// The terminal: how text becomes columns, colours and trees that fit, and what must never reach it.
///
/// Stored text is other people's text. Whatever of it is shown passes through [SafeText] first, so that it
/// can neither move the cursor nor change the title nor colour anything. Nothing here knows sessions. Begin
/// with [Terminal].
@NullMarked
package dev.skein.cli.terminal;

import org.jspecify.annotations.NullMarked;
