/// Which requests there are, and what a caller needs for each: one table, from which requests are dispatched,
/// authorised and
/// described.
@NullMarked
package dev.skein.server.route;

import org.jspecify.annotations.NullMarked;
