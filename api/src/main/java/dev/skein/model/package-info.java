/// Language models: the port through which the engine speaks to one, in Skein's own words.
///
/// A [Model] answers a [ModelRequest] with a [ModelReply], handing over fragments while it speaks. Providers turn
/// their dialects into this; nothing here knows a wire format. Begin with [Model].
@NullMarked
package dev.skein.model;

import org.jspecify.annotations.NullMarked;
