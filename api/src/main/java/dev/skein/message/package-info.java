/// Messages: what was said, by whom, in which parts, and what it used up.
///
/// A [Message] is a value: it is recorded once, when it is complete, and never edited. Streaming
/// fragments are not messages; they are live events. Begin with [Message] and [Part].
@NullMarked
package dev.skein.message;

import org.jspecify.annotations.NullMarked;
