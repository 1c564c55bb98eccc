/// Server-sent events: what happens in a session, told live and again. Begin with [Hub]; how reconnecting works is in
/// `docs/decisions/0014-how-reconnecting-works.md`.
@NullMarked
package dev.skein.server.stream;

import org.jspecify.annotations.NullMarked;
