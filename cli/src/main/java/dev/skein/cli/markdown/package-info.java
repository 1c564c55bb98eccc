/// Markdown on a terminal, shown while it is still being spoken.
///
/// Knows what models use in answers: emphasis, code, headings, lists, quotes and fences. Whatever it does not know
/// stays
/// as it was written. Begin with [Markdown].
@NullMarked
package dev.skein.cli.markdown;

import org.jspecify.annotations.NullMarked;
