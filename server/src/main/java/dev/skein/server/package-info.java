/// The engine over HTTP: sessions and runs as REST, what happens in them as server-sent events.
@NullMarked
package dev.skein.server;

import org.jspecify.annotations.NullMarked;
