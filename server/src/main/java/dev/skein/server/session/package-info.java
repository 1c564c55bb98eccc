/// Sessions over HTTP: making, finding, reading, changing and deleting them.
@NullMarked
package dev.skein.server.session;

import org.jspecify.annotations.NullMarked;
