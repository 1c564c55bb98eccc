/// The one durable JSON shape of sessions.
///
/// [Json] is how values look as JSON everywhere: journals, HTTP, `--json`, exports. [EventCodec] turns events
/// into JSON objects and back without losing what this version does not know. Stores and servers move these
/// bytes; none of them invents a shape. The format is specified in `docs/session-format.md`.
@NullMarked
package dev.skein.wire;

import org.jspecify.annotations.NullMarked;
